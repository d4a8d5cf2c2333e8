// verdict: holds
// states: 2591
// Variables of a thread are destroyed when it ends, before it can be joined.
#include <cassert>
#include <thread>

int destroyed;
struct Counted {
    int value = 1;
    ~Counted() { destroyed++; }
};
thread_local Counted counted;

int main() {
    std::thread worker([] { counted.value = 2; });
    worker.join();
    assert(destroyed == 1 && counted.value == 1);
}
