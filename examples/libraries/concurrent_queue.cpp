// moodycamel::ConcurrentQueue (package libconcurrentqueue-dev): two producers, whose items
// have an order only within one producer.
// BUG: the consumer expects the other producer's item before that producer has ended.
// flags: -isystem /usr/include/concurrentqueue
#include <cassert>
#include <concurrentqueue.h>
#include <thread>

struct Small : moodycamel::ConcurrentQueueDefaultTraits {
    static const size_t BLOCK_SIZE = 2;
    static const size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 0;
};

int main() {
    moodycamel::ConcurrentQueue<int, Small> queue(4);
    moodycamel::ProducerToken mine(queue);
    std::thread other([&] {
        moodycamel::ProducerToken token(queue);
        queue.enqueue(token, 1);
    });
    queue.enqueue(mine, 2);
    int first = 0, second = 0;
#ifdef BUG
    assert(queue.try_dequeue(first) && queue.try_dequeue(second));
    other.join();
#else
    other.join();
    assert(queue.try_dequeue(first) && queue.try_dequeue(second));
#endif
    assert(first + second == 3);
}
