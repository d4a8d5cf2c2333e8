/* Two threads that try for each other's lock.
 *
 *     exeunt check examples/10_trylock.c
 *     exeunt check examples/10_trylock.c -- -DGIVE_BACK
 *
 * As it stands each keeps its own lock and tries again: both run for ever, and
 * neither comes out. With -DGIVE_BACK each gives its lock back first. They can
 * still dodge each other for ever, but only a scheduler that keeps them in step
 * until the end of time would see to that; from every point there is a way
 * out, and so it holds.
 */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void take_both(pthread_mutex_t *mine, pthread_mutex_t *other) {
    pthread_mutex_lock(mine);
    while (pthread_mutex_trylock(other) != 0) {
#ifdef GIVE_BACK
        pthread_mutex_unlock(mine);
        pthread_mutex_lock(mine);
#endif
    }
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(mine);
}

static void *second(void *unused) {
    take_both(&right, &left);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    take_both(&left, &right);
    pthread_join(thread, 0);
    return 0;
}
