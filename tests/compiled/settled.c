// Shared memory under a lock, under two locks, under none, and read by everybody: what threads meet at changes while
// functions are compiled.
#include <pthread.h>

static int left[200], right[200], both[40], constant[100];
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int racing[8];

static int copy(int *to, const int *from, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += to[i] = from[i] + 1;
    return sum;
}

static void *work(void *arg) {
    long me = (long)arg;
    int sum = copy(&left[100 * me], constant, 100);
    pthread_mutex_lock(&a);
    sum += copy(right, left, 0) + copy(right, constant, 100);
    pthread_mutex_lock(&b);
    sum += copy(both, right, 40);
    pthread_mutex_unlock(&a);
    sum += copy(both, constant, 40);
    pthread_mutex_unlock(&b);
    for (int i = 0; i < 8; i++)
        if (i % 4 == 3)
            racing[i] += sum;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return racing[3] == racing[7];
}
