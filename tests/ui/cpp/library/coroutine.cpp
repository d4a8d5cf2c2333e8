// verdict: holds
// states: 450
// native
// exeunt: -- -std=c++20
#include <coroutine>
#include <cstdio>
#include <exception>

struct Numbers {
    struct promise_type {
        int value = 0;
        Numbers get_return_object() {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int n) {
            value = n;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
    ~Numbers() { handle.destroy(); }
};

Numbers count(int n) {
    for (int i = 0; i < n; i++)
        co_yield i;
}

int main() {
    Numbers numbers = count(3);
    while (numbers.handle.resume(), !numbers.handle.done())
        printf("%d\n", numbers.handle.promise().value);
}
