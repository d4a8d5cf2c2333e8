// Exceptions that leave calls made in a loop, with destructors on their way.
#include <cstdio>

static int alive;

struct Guard {
    Guard() { alive++; }
    ~Guard() { alive--; }
};

static int risky(int x) {
    Guard guard;
    if (x % 17 == 0) throw x;
    return x * 2;
}

static int middle(int x) {
    Guard guard;
    return risky(x) + 1;
}

int main() {
    long sum = 0;
    int caught = 0;
    for (int i = 1; i < 200; i++) {
        try {
            sum += middle(i);
        } catch (int x) {
            caught += x;
        }
    }
    std::printf("%ld %d %d\n", sum, caught, alive);
}
