// verdict: holds
// reductions: movers full
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>

static void inner() { throw std::runtime_error("inner"); }

static void outer() {
    try {
        inner();
    } catch (...) {
        std::throw_with_nested(std::logic_error("outer"));
    }
}

int main() {
    std::string seen;
    try {
        outer();
    } catch (const std::logic_error &e) {
        seen += e.what();
        try {
            std::rethrow_if_nested(e);
        } catch (const std::runtime_error &inner) {
            seen += inner.what();
        }
    }
    assert(seen == "outerinner");
}
