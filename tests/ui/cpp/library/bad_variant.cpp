// verdict: violated exception
// reductions: movers full
#include <string>
#include <variant>

int main() {
    std::variant<int, std::string> value = 5;
    return std::get<std::string>(value).size(); //~ error
}
