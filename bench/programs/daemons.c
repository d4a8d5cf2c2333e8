// Programs need not end: THREADS daemons lock, choose one of CHOICES kinds of work,
// do it, unlock, for ever. Each section ends, whatever the environment chooses.
#include <exeunt.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef CHOICES
#define CHOICES 3
#endif

static pthread_mutex_t locks[THREADS];
static volatile int jobs[THREADS];

static void *serve(void *who) {
    long me = (long)who, next = (me + 1) % THREADS;
    for (;;) {
        int kind = exeunt_choose(CHOICES);
        pthread_mutex_lock(&locks[me]);
        jobs[me] = kind;
        pthread_mutex_unlock(&locks[me]);
        pthread_mutex_lock(&locks[next]);
        if (jobs[next] == kind)
            jobs[next] = 0;
        pthread_mutex_unlock(&locks[next]);
    }
    return 0;
}

int main(void) {
    for (int i = 0; i < THREADS; i++)
        pthread_mutex_init(&locks[i], 0);
    for (long i = 1; i < THREADS; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, serve, (void *)i);
    }
    serve(0);
    return 0;
}
