// verdict: violated memory
// states: 122
#include <memory>
#include <utility>

int main() {
    auto first = std::make_unique<int>(1);
    auto second = std::move(first);
    int *gone = second.get();
    second.reset();
    return *gone; //~ error
}
