// verdict: inconclusive
// reductions: movers full
// warning: std::random_device
#include <random>

int main() {
    std::random_device device;
    return device() == 0;
}
