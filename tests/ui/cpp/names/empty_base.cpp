// verdict: violated assertion
// states: 692
// An empty member or base that lies where another member begins is not what is read.
#include <atomic>
#include <cassert>
#include <thread>

struct nothing {};
template <class T> struct allocator : nothing {};

struct queue : allocator<int> {
    std::atomic<int> capacity_{0};
    [[no_unique_address]] allocator<long> allocator_;
    std::atomic<int> size_{0};
};

static queue q;

int main() {
    std::thread t([] { q.capacity_ = 4; });
    assert(q.capacity_ == 0); //~ error
    t.join();
}
