/* Deadly embrace: two threads take the same two mutexes in opposite orders.
 *
 *     exeunt check examples/01_deadly_embrace.c
 *
 * Almost every run of this program ends well. The answer names the one moment
 * at which it does not: each thread has its first mutex, and no thread can
 * move. To repair it, let both threads take `checking` first.
 */
#include <pthread.h>

static pthread_mutex_t checking = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t savings = PTHREAD_MUTEX_INITIALIZER;
static int money[2] = {100, 100};

static void *save(void *unused) {
    pthread_mutex_lock(&checking);
    pthread_mutex_lock(&savings);
    money[0] -= 10;
    money[1] += 10;
    pthread_mutex_unlock(&savings);
    pthread_mutex_unlock(&checking);
    return unused;
}

static void *spend(void *unused) {
    pthread_mutex_lock(&savings);
    pthread_mutex_lock(&checking);
    money[1] -= 20;
    money[0] += 20;
    pthread_mutex_unlock(&checking);
    pthread_mutex_unlock(&savings);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, save, 0);
    pthread_create(&b, 0, spend, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
