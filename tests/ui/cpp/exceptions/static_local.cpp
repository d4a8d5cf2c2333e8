// verdict: holds
// reductions: tau superstep movers full
// An initialisation that throws has not taken place.
#include <cassert>
#include <thread>

int tries;

struct Value {
    Value() {
        if (tries++ == 0)
            throw 1;
    }
};

void use() {
    try {
        static Value value;
        (void)value;
    } catch (int) {
    }
}

int main() {
    std::thread one(use), two(use);
    one.join();
    two.join();
    assert(tries == 2);
}
