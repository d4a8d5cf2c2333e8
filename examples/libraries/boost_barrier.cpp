// boost::barrier and boost::latch (package libboost-dev).
// BUG: the barrier waits for one thread more.
// flags: -DBOOST_THREAD_VERSION=4 -DBOOST_THREAD_DONT_PROVIDE_INTERRUPTIONS
#include <boost/thread/lock_guard.hpp>
#include <boost/thread/barrier.hpp>
#include <boost/thread/latch.hpp>
#include <cassert>
#include <thread>

int main() {
#ifdef BUG
    boost::barrier barrier(3);
#else
    boost::barrier barrier(2);
#endif
    boost::latch done(1);
    int left = 0, right = 0;
    std::thread other([&] {
        left = 1;
        barrier.wait();
        assert(right == 1);
        done.count_down();
    });
    right = 1;
    barrier.wait();
    assert(left == 1);
    done.wait();
    other.join();
}
