/* As `pthread.h`: `call_once` of C11. */
#ifndef EXEUNT_PROVE_THREADS_H
#define EXEUNT_PROVE_THREADS_H

#include_next <threads.h>

#ifndef __cplusplus
#include <pthread.h>

#undef ONCE_FLAG_INIT
#define ONCE_FLAG_INIT { PTHREAD_MUTEX_INITIALIZER, 0 }
#define once_flag exeunt_prove_once_t
#define call_once(flag, function) ((void)exeunt_prove_once(flag, function))

#endif
#endif
