// verdict: holds
// exeunt: --outside fixed
// reductions: movers full
// The numbers of a device differ from each other, and are the same in each run.
#include <cassert>
#include <random>

int main() {
    std::random_device device, other;
    assert(device.entropy() > 0);
    unsigned first = device(), second = device();
    assert(first != second);
    assert(other() == first);
    std::mt19937 generator(device());
    std::uniform_int_distribution<int> die(1, 6);
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += die(generator);
    assert(sum >= 5 && sum <= 30);
}
