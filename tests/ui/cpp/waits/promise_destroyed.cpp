// verdict: violated exception
// reductions: tau movers full
#include <future>
#include <thread>

static void answer_if(bool known, std::promise<int> given) {
    std::promise<int> promise = std::move(given);
    if (known)
        promise.set_value(1);
}

int main() {
    std::promise<int> promise;
    std::future<int> answer = promise.get_future();
    std::thread worker(answer_if, false, std::move(promise));
    int got = answer.get(); //~ error
    worker.join();
    return got;
}
