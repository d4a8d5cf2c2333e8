// verdict: violated exception
// states: 425
// A second exception while the first is on its way, even from a destructor that may throw.
struct Guard {
    ~Guard() noexcept(false) { throw 1; } //~ error
};

int main() {
    try {
        Guard guard;
        throw 2;
    } catch (int) {
    }
}
