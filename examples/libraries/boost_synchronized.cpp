// boost::synchronized_value (package libboost-dev): a value with its mutex.
// BUG: reading and writing are two operations.
// flags: -DBOOST_THREAD_VERSION=4 -DBOOST_THREAD_DONT_PROVIDE_INTERRUPTIONS
#include <boost/thread/synchronized_value.hpp>
#include <cassert>
#include <thread>

static boost::synchronized_value<int> count(0);

static void increment() {
#ifdef BUG
    int old = *count;
    count = old + 1;
#else
    ++*count.synchronize();
#endif
}

int main() {
    std::thread other(increment);
    increment();
    other.join();
    assert(*count == 2);
}
