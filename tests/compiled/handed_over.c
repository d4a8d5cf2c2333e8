// Under a lock, the same store puts one pointer after the other into memory that all threads share: all of what they
// point to is shared from then on, also what is put there without asking whether it may be written.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct item {
    int value;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct item **slots;

static void *look(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    struct item *item = slots[39];
    pthread_mutex_unlock(&mutex);
    if (item) assert(*(volatile int *)&item->value != 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct item *items[40];
    slots = calloc(40, sizeof *slots);
    for (int i = 0; i < 40; i++) items[i] = calloc(1, sizeof *items[i]);
    pthread_create(&thread, NULL, look, NULL);
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 40; i++) slots[i] = items[i];
    pthread_mutex_unlock(&mutex);
    *(volatile int *)&items[39]->value = 1;
    *(volatile int *)&items[39]->value = 2;
    pthread_join(thread, NULL);
}
