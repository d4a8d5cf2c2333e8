// verdict: inconclusive
// reductions: movers full
// exeunt: -- -std=c++14
// warning: std::set_unexpected
#include <cassert>
#include <exception>

static void translate() { throw 1; }

static void f() throw(int) { throw 1.5; }

int main() {
    std::set_unexpected(translate);
    try {
        f();
    } catch (int n) {
        assert(n == 1);
    }
}
