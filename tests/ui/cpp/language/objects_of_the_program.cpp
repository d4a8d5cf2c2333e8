// verdict: holds
// states: 61
// native
// Constructors before main, destructors after it in the reverse order.
#include <cstdio>
#include <cstdlib>

struct Loud {
    const char *name;
    explicit Loud(const char *name) : name(name) { std::printf("make %s\n", name); }
    ~Loud() { std::printf("drop %s\n", name); }
};

static Loud first("first"), second("second");

static Loud &lazy() {
    static Loud object("lazy");
    return object;
}

static void at_exit() { std::puts("at exit"); }

int main() {
    std::puts("main");
    std::atexit(at_exit);
    lazy();
    Loud local("local");
    lazy();
    return 0;
}
