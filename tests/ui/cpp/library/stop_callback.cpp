// verdict: holds
// reductions: movers full
// exeunt: -- -std=c++20
#include <cassert>
#include <stop_token>
#include <thread>

int main() {
    std::stop_source source;
    int calls = 0;
    std::stop_callback callback(source.get_token(), [&] { calls++; });
    std::thread worker([&] { source.request_stop(); });
    worker.join();
    assert(calls == 1 && !source.request_stop());
}
