// verdict: violated exception
// reductions: movers full
// exeunt: -- -std=c++14
#include <exception>

static void f() throw(int) { throw 1.5; } //~ error

int main() {
    try {
        f();
    } catch (...) {
    }
}
