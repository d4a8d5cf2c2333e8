// boost::sync_bounded_queue (package libboost-dev) with room for one item.
// BUG: more is pushed than anyone takes. The queue counts the waits of its threads, so that spurious
// wake-ups would give it states without end.
// flags: -DBOOST_THREAD_VERSION=4 -DBOOST_THREAD_DONT_PROVIDE_INTERRUPTIONS --no-spurious
#include <boost/thread/lock_guard.hpp>
#include <boost/thread/sync_bounded_queue.hpp>
#include <cassert>
#include <thread>

int main() {
    boost::concurrent::sync_bounded_queue<int> queue(1);
    std::thread producer([&] {
        queue.push_back(1);
        queue.push_back(2);
#ifdef BUG
        queue.push_back(3);
        queue.push_back(4);
#endif
    });
    int sum = queue.pull_front();
    sum += queue.pull_front();
    producer.join();
    assert(sum == 3);
}
