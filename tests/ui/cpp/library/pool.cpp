// verdict: holds
// reductions: movers full
// exeunt: --no-spurious
// A thread pool as people write it.
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
    std::mutex mutex;
    std::condition_variable changed;
    std::queue<std::function<void()>> jobs;
    bool stopping = false;
    std::vector<std::thread> threads;

    void work() {
        for (;;) {
            std::function<void()> job;
            {
                std::unique_lock<std::mutex> lock(mutex);
                changed.wait(lock, [this] { return stopping || !jobs.empty(); });
                if (jobs.empty())
                    return;
                job = std::move(jobs.front());
                jobs.pop();
            }
            job();
        }
    }

  public:
    explicit Pool(int n) {
        for (int i = 0; i < n; i++)
            threads.emplace_back([this] { work(); });
    }
    ~Pool() {
        {
            std::lock_guard<std::mutex> lock(mutex);
            stopping = true;
        }
        changed.notify_all();
        for (auto &thread : threads)
            thread.join();
    }
    template <class F> auto submit(F f) {
        auto task = std::make_shared<std::packaged_task<decltype(f())()>>(f);
        auto result = task->get_future();
        {
            std::lock_guard<std::mutex> lock(mutex);
            jobs.push([task] { (*task)(); });
        }
        changed.notify_one();
        return result;
    }
};

int main() {
    Pool pool(1);
    return pool.submit([] { return 2; }).get() - 2;
}
