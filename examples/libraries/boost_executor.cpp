// boost::executors::loop_executor (package libboost-dev): closures that one thread submits and
// another one runs.
// BUG: the executor is closed before everything is submitted.
// flags: -DBOOST_THREAD_VERSION=4 -DBOOST_THREAD_DONT_PROVIDE_INTERRUPTIONS -DBOOST_THREAD_PROVIDES_EXECUTORS
#include <boost/thread/lock_guard.hpp>
#include <boost/thread/executors/loop_executor.hpp>
#include <cassert>
#include <thread>

int main() {
    boost::executors::loop_executor executor;
    int ran = 0;
    std::thread submitter([&] {
        executor.submit([&] { ran++; });
#ifdef BUG
        executor.close();
#endif
        executor.submit([&] { ran++; });
        executor.close();
    });
    executor.loop();
    submitter.join();
    assert(ran == 2);
}
