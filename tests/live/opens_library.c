/* A deadlock inside of a library (library.c) that the program opens when it runs. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static int hidden = 3;
static void (*cross)(pthread_mutex_t *, pthread_mutex_t *, int);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument) {
    cross(&a, &b, 1);
    return argument;
}

static void *second(void *argument) {
    cross(&b, &a, 2);
    return argument;
}

int main(void) {
    pthread_t one, two;
    void *library = dlopen(LIBRARY, RTLD_NOW);
    if (!library) abort();
    *(void **)&cross = dlsym(library, "cross");
    *(int *)dlsym(library, "exported") = 40 + hidden;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
