// verdict: violated exception
// states: 543
struct Base {};
struct Derived : private Base {};

int main() {
    try {
        throw Derived(); //~ error
    } catch (const Base &) {
    }
}
