// boost::lockfree::spsc_queue (package libboost-dev) between one producer and one consumer.
// BUG: two producers.
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <pthread.h>

static boost::lockfree::spsc_queue<int, boost::lockfree::capacity<4>> queue;

static void *produce(void *item) { queue.push(*(int *)item); return nullptr; }

int main() {
    int items[] = {1, 2}, got, sum = 0;
    pthread_t t;
    pthread_create(&t, nullptr, produce, &items[0]);
#ifndef BUG
    if (queue.pop(got)) sum += got;
    pthread_join(t, nullptr);
#endif
    produce(&items[1]);
#ifdef BUG
    pthread_join(t, nullptr);
#endif
    while (queue.pop(got)) sum += got;
    assert(sum == 3);
}
