// verdict: holds
// states: 1919
#include <cassert>
#include <future>

int main() {
    std::future<int> future;
    {
        std::promise<int> promise;
        future = promise.get_future();
    }
    try {
        future.get();
        assert(0);
    } catch (const std::future_error &e) {
        assert(e.code() == std::future_errc::broken_promise);
    }
}
