// verdict: holds
// states: 417
// exeunt: --leaks
#include <memory>
#include <stdexcept>

int main() {
    try {
        auto p = std::make_unique<int>(1);
        throw std::runtime_error("a text that is too long for a small string");
    } catch (const std::exception &) {
    }
}
