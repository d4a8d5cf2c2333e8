// verdict: holds
// reductions: tau superstep movers full
// exeunt: --must-return work
// A function that is left by an exception is left.
#include <thread>

int work(int n) {
    if (n)
        throw n;
    return n;
}

void run(int n) {
    try {
        work(n);
    } catch (int) {
    }
}

int main() {
    std::thread one(run, 0), two(run, 1);
    one.join();
    two.join();
}
