// boost::sync_queue (package libboost-dev), whose consumers wait until it is closed.
// BUG: the queue is never closed.
// flags: -DBOOST_THREAD_VERSION=4 -DBOOST_THREAD_DONT_PROVIDE_INTERRUPTIONS
#include <boost/thread/lock_guard.hpp>
#include <boost/thread/sync_queue.hpp>
#include <cassert>
#include <thread>

int main() {
    boost::concurrent::sync_queue<int> queue;
    std::thread producer([&] {
        queue.push(1);
        queue.push(2);
#ifndef BUG
        queue.close();
#endif
    });
    int item, sum = 0;
    while (queue.wait_pull(item) == boost::concurrent::queue_op_status::success) sum += item;
    producer.join();
    assert(sum == 3);
}
