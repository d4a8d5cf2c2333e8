// verdict: holds
// reductions: movers full
#include <cassert>
#include <string>

static std::string log_;

struct Logged {
    char name;
    explicit Logged(char name) : name(name) { log_ += name; }
    ~Logged() {
        log_ += char(name - 32);
        if (name == 'a')
            assert(log_ == "abcBA" || log_ == "abcCBA");
    }
};

static Logged a('a'), b('b');

static Logged &c() {
    static Logged c('c');
    return c;
}

int main() {
    assert(log_ == "ab");
    c();
    c();
    assert(log_ == "abc");
}
