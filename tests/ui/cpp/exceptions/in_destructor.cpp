// verdict: violated exception
struct Guard {
    ~Guard() { throw 1; } //~ error
};

int main() {
    try {
        Guard guard;
    } catch (int) {
    }
}
