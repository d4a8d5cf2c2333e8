// verdict: violated memory
// reductions: movers full
#include <vector>

int main() {
    std::vector<int> v{1};
    auto first = v.begin();
    v.push_back(2);
    return *first == 7; //~ error
}
