// verdict: holds
// states: 837
// native
// What was constructed is destroyed, in the other order, and nothing else.
#include <cstdio>

struct Loud {
    int n;
    explicit Loud(int n) : n(n) {
        if (n == 3)
            throw n;
        printf("+%d ", n);
    }
    ~Loud() { printf("-%d ", n); }
};

struct Pair {
    Loud a, b;
    Pair(int i, int j) : a(i), b(j) {}
};

void deep(int n) {
    Loud loud(10 + n);
    if (n == 0)
        throw 7;
    deep(n - 1);
}

int main() {
    try {
        Pair pair(1, 3);
    } catch (int n) {
        printf("caught %d\n", n);
    }
    try {
        deep(3);
    } catch (int n) {
        printf("caught %d\n", n);
    }
    try {
        Loud *many = new Loud[4]{Loud(0), Loud(1), Loud(2), Loud(3)};
        delete[] many;
    } catch (int n) {
        printf("caught %d\n", n);
    }
}
