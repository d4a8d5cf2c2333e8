// verdict: violated exception
// reductions: movers full
// exeunt: --signals none
#include <csignal>

static void handler(int) {
    throw 1; //~ error
}

// `raise` is declared not to throw, so no handler around it is looked for.
int main() {
    std::signal(SIGUSR1, handler);
    try {
        std::raise(SIGUSR1);
    } catch (int) {
    }
}
