// verdict: violated deadlock
// reductions: tau movers full
#include <future>

int main() {
    std::packaged_task<int()> task([] { return 1; });
    std::future<int> result = task.get_future();
    return result.get(); //~ error
}
