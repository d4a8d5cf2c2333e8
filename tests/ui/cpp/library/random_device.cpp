// verdict: inconclusive
// reductions: movers full
#include <random>

int main() {
    std::random_device device;
    return device() == device();
}
