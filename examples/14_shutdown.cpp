// A worker that cannot be told to stop. `stop` is set without the mutex, so that may happen between the worker's
// look at it and its wait: the notification finds nobody who waits, and the worker sleeps for ever.
//
//     ./x check examples/14_shutdown.cpp
//     ./x check examples/14_shutdown.cpp -DLOCKED
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable more;
std::atomic<bool> stop = false;

void work() {
    std::unique_lock<std::mutex> guard(mutex);
    while (!stop)
        more.wait(guard);
}

int main() {
    std::thread worker(work);
#ifdef LOCKED
    mutex.lock();
#endif
    stop = true;
#ifdef LOCKED
    mutex.unlock();
#endif
    more.notify_one();
    worker.join();
    return 0;
}
