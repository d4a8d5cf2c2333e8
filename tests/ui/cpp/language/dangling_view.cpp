// verdict: violated memory
// reductions: movers full
#include <string>
#include <string_view>

static std::string name(int n) { return "a name that is not short " + std::to_string(n); }

int main() {
    std::string_view view = name(1);
    return view[0] == 'b'; //~ error
}
