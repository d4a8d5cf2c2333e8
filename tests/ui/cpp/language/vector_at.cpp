// verdict: violated exception
// states: 2035
#include <vector>

int main() {
    std::vector<int> list(3);
    return list.at(3); //~ error
}
