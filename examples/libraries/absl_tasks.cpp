// absl::InlinedVector and absl::AnyInvocable (package libabsl-dev): tasks that two threads run.
// BUG: whether there is a task is looked at before the lock is taken.
#include <absl/container/inlined_vector.h>
#include <absl/functional/any_invocable.h>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static absl::InlinedVector<absl::AnyInvocable<void()>, 4> tasks;
static std::atomic<int> sum;

static void run() {
#ifdef BUG
    lock.lock();
    bool some = !tasks.empty();
    lock.unlock();
    if (!some)
        return;
    std::unique_lock<std::mutex> guard(lock);
#else
    std::unique_lock<std::mutex> guard(lock);
    if (tasks.empty())
        return;
#endif
    assert(!tasks.empty());
    absl::AnyInvocable<void()> task = std::move(tasks.back());
    tasks.pop_back();
    guard.unlock();
    task();
}

int main() {
    tasks.push_back([] { sum += 1; });
    std::thread other(run);
    run();
    other.join();
    assert(sum == 1);
}
