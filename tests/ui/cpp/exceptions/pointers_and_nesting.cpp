// verdict: holds
// states: 16986
// native
#include <cstdio>
#include <exception>
#include <stdexcept>

void tell(const std::exception &e, int depth) {
    printf("%*s%s\n", depth * 2, "", e.what());
    try {
        std::rethrow_if_nested(e);
    } catch (const std::exception &cause) {
        tell(cause, depth + 1);
    }
}

int main() {
    std::exception_ptr kept;
    try {
        throw std::range_error("kept");
    } catch (...) {
        kept = std::current_exception();
    }
    for (int i = 0; i < 2; i++) {
        try {
            std::rethrow_exception(kept);
        } catch (const std::range_error &e) {
            printf("again: %s\n", e.what());
        }
    }
    kept = std::make_exception_ptr(5);
    try {
        std::rethrow_exception(kept);
    } catch (int n) {
        printf("made: %d\n", n);
    }
    try {
        try {
            throw std::runtime_error("cause");
        } catch (...) {
            std::throw_with_nested(std::logic_error("consequence"));
        }
    } catch (const std::exception &e) {
        tell(e, 0);
    }
}
