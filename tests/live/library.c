/* A library with variables of its own, which the program uses (uses_library.c). */
#include <pthread.h>

int exported = 1;
int untouched = 5;
_Thread_local int of_each = 7;
static int hidden = 50;

void cross(pthread_mutex_t *one, pthread_mutex_t *other, int number) {
    int inside = 10 * number;
    of_each += number;
    hidden++;
    exported++;
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    hidden -= inside;
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}
