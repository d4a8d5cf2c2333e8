/* Data behind a flag. One thread fills in data and sets a flag; the other one reads the data when the flag is set. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int ready;
static void *put(void *arg) {
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return arg;
}
static void *take(void *arg) {
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        assert(data == 42);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, put, 0);
    pthread_create(&u, 0, take, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
