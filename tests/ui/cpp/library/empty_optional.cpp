// verdict: violated undefined
// reductions: movers full
#include <optional>

int main() {
    std::optional<int> nothing;
    return *nothing; //~ error
}
