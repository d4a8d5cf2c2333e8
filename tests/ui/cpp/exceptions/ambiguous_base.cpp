// verdict: violated exception
// states: 834
// A base class that is there twice is no handler's.
struct Base {};
struct One : Base {};
struct Two : Base {};
struct Both : One, Two {};

int main() {
    try {
        throw Both(); //~ error
    } catch (const Base &) {
    }
}
