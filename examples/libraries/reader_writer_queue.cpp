// moodycamel::ReaderWriterQueue (package libreaderwriterqueue-dev), one producer and one consumer.
// BUG: two producers.
#include <cassert>
#include <pthread.h>
#include <readerwriterqueue/readerwriterqueue.h>

static moodycamel::ReaderWriterQueue<int, 4> *queue;

static void *produce(void *item) { queue->enqueue(*(int *)item); return nullptr; }

int main() {
    int items[] = {1, 2}, got, sum = 0;
    queue = new moodycamel::ReaderWriterQueue<int, 4>(4);
    pthread_t t;
    pthread_create(&t, nullptr, produce, &items[0]);
#ifndef BUG
    if (queue->try_dequeue(got)) sum += got;
    pthread_join(t, nullptr);
    produce(&items[1]);
#else
    produce(&items[1]);
    pthread_join(t, nullptr);
#endif
    while (queue->try_dequeue(got)) sum += got;
    assert(sum == 3);
    delete queue;
}
