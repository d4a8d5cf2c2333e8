/* A deadlock inside of a library (library.c), whose variables can be looked at. With LIBRARY, its path, the program
 * opens it when it runs; otherwise it is linked. */
#include <pthread.h>

static int hidden = 3;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

#ifdef LIBRARY
#include <dlfcn.h>
#include <stdlib.h>

static void (*cross)(pthread_mutex_t *, pthread_mutex_t *, int);

static int *open_library(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW);
    if (!library) abort();
    *(void **)&cross = dlsym(library, "cross");
    return dlsym(library, "exported");
}
#else
extern int exported;
void cross(pthread_mutex_t *one, pthread_mutex_t *other, int number);

static int *open_library(void) { return &exported; }
#endif

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
    *open_library() = 40 + hidden;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
