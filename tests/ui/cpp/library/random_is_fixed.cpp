// verdict: holds
// reductions: movers full
#include <cassert>
#include <random>

int main() {
    std::minstd_rand one(1), two(1);
    std::uniform_int_distribution<int> die(1, 6);
    int throws = die(one);
    assert(throws >= 1 && throws <= 6 && throws == die(two));
}
