// verdict: violated assertion
// states: 108
// The program's own handler runs, and is not allowed to return.
#include <cstdlib>
#include <exception>

int main() {
    std::set_terminate([] {
        abort(); //~ error
    });
    throw 1;
}
