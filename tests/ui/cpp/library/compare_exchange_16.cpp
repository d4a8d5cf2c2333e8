// verdict: holds
// states: 9328
// optimised
// A pair of words that is exchanged by the instruction itself, as lock-free libraries write it.
#include <cassert>
#include <thread>

struct alignas(16) Pair {
    unsigned long low, high;
};
static Pair shared;

static bool exchange(Pair *target, Pair &expected, Pair desired) {
    bool ok;
    asm volatile("lock cmpxchg16b %1\n\tsetz %0"
                 : "=q"(ok), "+m"(*target), "+d"(expected.high), "+a"(expected.low)
                 : "c"(desired.high), "b"(desired.low)
                 : "cc", "memory");
    return ok;
}

static bool exchange_by_flag(Pair *target, Pair &expected, Pair desired) {
    bool ok;
    asm volatile("lock; cmpxchg16b %[target]"
                 : "=@ccz"(ok), [target] "+m"(*target), "+d"(expected.high), "+a"(expected.low)
                 : "c"(desired.high), "b"(desired.low)
                 : "memory");
    return ok;
}

static void add(bool (*exchange)(Pair *, Pair &, Pair)) {
    Pair expected{0, 0}, desired;
    do
        desired = Pair{expected.low + 1, expected.high + 2};
    while (!exchange(&shared, expected, desired));
}

int main() {
    std::thread other(add, exchange);
    add(exchange_by_flag);
    other.join();
    assert(shared.low == 2 && shared.high == 4);
}
