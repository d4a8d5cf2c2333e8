// verdict: holds
// states: 2711
// native
// Header-only parts of the library.
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

template <class T> static T sum(const std::vector<T> &list) {
    T all{};
    for (const T &item : list)
        all += item;
    return all;
}

int main() {
    std::vector<int> numbers{3, 1, 2};
    numbers.push_back(5);
    std::sort(numbers.begin(), numbers.end());
    std::string text = "a text that is too long to be kept in the object";
    text += std::to_string(numbers.back());
    auto owned = std::make_unique<std::array<int, 3>>(std::array<int, 3>{1, 2, 3});
    auto shared = std::make_shared<std::string>("shared");
    std::weak_ptr<std::string> weak = shared;
    std::function<int(int)> add = [&](int n) { return n + sum(numbers); };
    std::optional<int> nothing, something = 4;
    auto [a, b] = std::make_tuple(1, 2.5);
    std::printf("%d %s %d %s %d %d %d %g\n", sum(numbers), text.c_str(), (*owned)[2],
                weak.lock()->c_str(), add(1), nothing.value_or(7), *something, a + b);
}
