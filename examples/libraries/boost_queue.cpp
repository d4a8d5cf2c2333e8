// boost::lockfree::queue (package libboost-dev): two producers, one consumer.
// BUG: a consumer takes "empty now" for "nothing will come".
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

static boost::lockfree::queue<int, boost::lockfree::capacity<2>> queue;

int main() {
    std::thread producer([] { queue.push(1); });
    int got, sum = 0;
#ifdef BUG
    while (queue.pop(got)) sum += got;
    producer.join();
#else
    queue.push(2);
    producer.join();
    while (queue.pop(got)) sum += got;
    sum -= 2;
#endif
    assert(sum == 1);
}
