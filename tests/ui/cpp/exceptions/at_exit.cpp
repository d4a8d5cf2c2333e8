// verdict: violated exception
// states: 297
#include <cstdlib>

int main() {
    atexit([] { throw 1; }); //~ error
    try {
        exit(0);
    } catch (...) {
    }
}
