// verdict: violated exception
// states: 170
#include <vector>

int main() {
    std::vector<int> list(3);
    return list.at(3); //~ error
}
