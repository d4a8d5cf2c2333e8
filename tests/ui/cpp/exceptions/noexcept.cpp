// verdict: violated exception
// states: 417
#include <stdexcept>

void careful(int n) noexcept {
    if (n)
        throw std::runtime_error("not so careful"); //~ error
}

int main() {
    try {
        careful(1);
    } catch (...) {
    }
}
