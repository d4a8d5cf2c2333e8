// verdict: holds
// reductions: tau superstep movers
// A thread pool whose destructor wakes all workers.
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
    std::vector<std::thread> workers;
    std::queue<std::function<void()>> jobs;
    std::mutex mutex;
    std::condition_variable changed;
    bool stopped = false;

    void work() {
        for (;;) {
            std::function<void()> job;
            {
                std::unique_lock<std::mutex> lock(mutex);
                changed.wait(lock, [this] { return stopped || !jobs.empty(); });
                if (jobs.empty())
                    return;
                job = std::move(jobs.front());
                jobs.pop();
            }
            job();
        }
    }

  public:
    explicit Pool(int size) {
        for (int i = 0; i < size; i++)
            workers.emplace_back([this] { work(); });
    }

    void submit(std::function<void()> job) {
        {
            std::lock_guard<std::mutex> lock(mutex);
            jobs.push(std::move(job));
        }
        changed.notify_one();
    }

    ~Pool() {
        {
            std::lock_guard<std::mutex> lock(mutex);
            stopped = true;
        }
        changed.notify_all();
        for (auto &worker : workers)
            worker.join();
    }
};

int main() {
    int done = 0;
    {
        Pool pool(2);
        pool.submit([&] { done++; });
    }
    assert(done == 1);
}
