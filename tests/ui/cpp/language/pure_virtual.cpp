// verdict: violated undefined
// states: 9
struct Base {
    Base() { call(); }
    void call() { step(); } //~ error
    virtual void step() = 0;
};

struct Derived : Base {
    void step() override {}
};

int main() {
    Derived object;
}
