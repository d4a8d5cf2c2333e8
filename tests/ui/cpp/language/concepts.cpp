// verdict: holds
// reductions: movers full
// exeunt: -- -std=c++20
#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <concepts>
#include <ranges>
#include <span>

template <std::integral T> T twice(T n) { return n + n; }

struct Version {
    int major, minor;
    auto operator<=>(const Version &) const = default;
};

int main() {
    std::array<int, 5> numbers{5, 3, 1, 4, 2};
    std::ranges::sort(numbers);
    std::span<int> middle(numbers.data() + 1, 3);
    int sum = 0;
    for (int n : middle | std::views::filter([](int n) { return n % 2 == 0; }))
        sum += twice(n);
    assert(sum == 12);
    assert((Version{1, 2} < Version{1, 10}));
}
