// AtomicQueue (package libatomic-queue-dev) with two producers and a consumer.
// BUG: 0 is an item, but to this queue it means an empty place.
#include <atomic_queue/atomic_queue.h>
#include <cassert>
#include <pthread.h>

static atomic_queue::AtomicQueue<int, 2> queue;

static void *produce(void *item) { queue.push(*(int *)item); return nullptr; }

int main() {
#ifdef BUG
    int items[] = {0, 2};
#else
    int items[] = {1, 2};
#endif
    pthread_t t;
    pthread_create(&t, nullptr, produce, &items[0]);
    produce(&items[1]);
    int sum = queue.pop() + queue.pop();
    pthread_join(t, nullptr);
    assert(sum == items[0] + items[1]);
}
