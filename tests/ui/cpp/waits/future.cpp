// verdict: violated section
// exeunt: --sections future
// reductions: tau movers full
// The result is a string, so the function `get` is given a place for it before the future.
#include <atomic>
#include <future>
#include <string>
#include <thread>

std::atomic<int> beat;

int main() {
    std::promise<std::string> promise;
    std::future<std::string> answer = promise.get_future();
    std::thread waiting([&] { std::string text = answer.get(); }); //~ error
    for (;;) {
        beat = 1;
        beat = 0;
    }
}
