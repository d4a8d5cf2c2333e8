// verdict: holds
// states: 171
// exeunt: --invariant 'in_range' --invariant 'queue.count <= 2 && queue.items[0] != 9'
// Invariants are looked at in every state, beside everything else.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned char count;
    int items[2];
} queue;

_Bool in_range(void) { return queue.count <= 2; }

static void *producer(void *item) {
    pthread_mutex_lock(&mutex);
    queue.items[queue.count] = item != 0;
    queue.count++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, producer, &two);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
