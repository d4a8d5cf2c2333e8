// verdict: holds
// states: 1350
// native
#include <cstdio>
#include <exception>
#include <stdexcept>

void inner() {
    try {
        throw std::runtime_error("first");
    } catch (std::runtime_error &) {
        puts("passes on");
        throw;
    }
}

void function_try(int n) try {
    if (n)
        inner();
} catch (const std::exception &e) {
    printf("function try: %s\n", e.what());
    throw std::logic_error("second");
}

int main() {
    try {
        function_try(1);
    } catch (const std::logic_error &e) {
        printf("main: %s, %d on their way\n", e.what(), std::uncaught_exceptions());
    }
    function_try(0);
    try {
        try {
            throw 1;
        } catch (...) {
            try {
                throw 2;
            } catch (int n) {
                printf("inside %d\n", n);
            }
            throw;
        }
    } catch (int n) {
        printf("outside %d\n", n);
    }
}
