// verdict: holds
// states: 7469
// native
#include <any>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <typeinfo>
#include <variant>
#include <vector>

template <class F> void attempt(const char *name, F f) {
    try {
        f();
        printf("%s: nothing\n", name);
    } catch (const std::exception &e) {
        printf("%s: %s\n", name, e.what());
    }
}

struct Base {
    virtual ~Base() = default;
};
struct Other : Base {};

int main() {
    attempt("vector", [] { std::vector<int>(3).at(5); });
    attempt("string", [] { std::string("abc").substr(9); });
    attempt("map", [] { std::map<int, int>().at(1); });
    attempt("optional", [] { std::optional<int>().value(); });
    attempt("variant", [] { std::get<int>(std::variant<char, int>('a')); });
    attempt("any", [] { std::any_cast<int>(std::any(1.5)); });
    attempt("function", [] { std::function<void()>()(); });
    attempt("length", [] { std::vector<int>().reserve(-1); });
    attempt("stoi", [] { std::stoi("x"); });
    attempt("cast", [] {
        Base base;
        (void)dynamic_cast<Other &>(base);
    });
    attempt("typeid", [] {
        Base *none = nullptr;
        (void)typeid(*none).name();
    });
}
