/* What runs once, for `exeunt prove`: a flag under a mutex instead of a function of the library that calls back. Who comes while
 * the function runs waits, as in the library. C++ has its own (`mutex`). */
#ifndef EXEUNT_PROVE_PTHREAD_H
#define EXEUNT_PROVE_PTHREAD_H

#include_next <pthread.h>

#ifndef __cplusplus

typedef struct {
    pthread_mutex_t running;
    int done;
} exeunt_prove_once_t;

static inline int exeunt_prove_once(exeunt_prove_once_t *once, void (*function)(void)) {
    pthread_mutex_lock(&once->running);
    if (!once->done) {
        function();
        once->done = 1;
    }
    pthread_mutex_unlock(&once->running);
    return 0;
}

#undef PTHREAD_ONCE_INIT
#define PTHREAD_ONCE_INIT { PTHREAD_MUTEX_INITIALIZER, 0 }
#define pthread_once_t exeunt_prove_once_t
#define pthread_once exeunt_prove_once

#endif
#endif
