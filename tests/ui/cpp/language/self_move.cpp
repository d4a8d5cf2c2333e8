// verdict: violated undefined
// reductions: movers full
#include <memory>
#include <utility>

int main() {
    auto one = std::make_unique<int>(1);
    auto two = std::move(one);
    return *one + *two; //~ error
}
