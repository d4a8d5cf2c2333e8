// verdict: holds
// reductions: movers full
#include <any>
#include <cassert>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

int main() {
    std::variant<int, std::string> value = "text";
    auto size = [](const auto &held) -> std::size_t { return sizeof(held); };
    assert(std::visit(size, value) == sizeof(std::string));
    std::any any = 5;
    assert(std::any_cast<int>(any) == 5);
    std::optional<std::tuple<int, char>> maybe;
    maybe.emplace(1, 'x');
    auto [number, letter] = *maybe;
    std::list<std::function<int(int)>> steps{[&](int n) { return n + number; }};
    assert(steps.front()(2) == 3 && letter == 'x');
}
