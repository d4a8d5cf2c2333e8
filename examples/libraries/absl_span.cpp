// absl::Span, absl::FixedArray and absl::Cleanup (package libabsl-dev): threads sum halves of an array.
// BUG: the halves overlap.
#include <absl/cleanup/cleanup.h>
#include <absl/container/fixed_array.h>
#include <absl/types/span.h>
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int total, finished;

static void add(absl::Span<int> part) {
    auto end = absl::MakeCleanup([] {
        std::lock_guard<std::mutex> guard(lock);
        finished++;
    });
    int sum = 0;
    for (int &n : part) {
        sum += n;
        n = 0;
    }
    std::lock_guard<std::mutex> guard(lock);
    total += sum;
}

int main() {
    absl::FixedArray<int> numbers(4, 1);
    absl::Span<int> all = absl::MakeSpan(numbers);
#ifdef BUG
    std::thread other(add, all.subspan(0, 3));
#else
    std::thread other(add, all.subspan(0, 2));
#endif
    add(all.subspan(2));
    other.join();
    assert(total == 4 && finished == 2);
}
