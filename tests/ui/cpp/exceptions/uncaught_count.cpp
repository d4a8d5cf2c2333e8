// verdict: holds
// reductions: movers full
#include <cassert>
#include <exception>

static int seen = -1;

struct Guard {
    ~Guard() { seen = std::uncaught_exceptions(); }
};

int main() {
    { Guard guard; }
    assert(seen == 0);
    try {
        Guard guard;
        throw 1;
    } catch (int) {
    }
    assert(seen == 1 && std::uncaught_exceptions() == 0);
}
