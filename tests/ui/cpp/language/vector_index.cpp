// verdict: violated undefined
// states: 162
#include <vector>

int main() {
    std::vector<int> list(3);
    return list[3]; //~ error
}
