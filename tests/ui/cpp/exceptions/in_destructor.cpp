// verdict: violated exception
// states: 316
struct Guard {
    ~Guard() { throw 1; } //~ error
};

int main() {
    try {
        Guard guard;
    } catch (int) {
    }
}
