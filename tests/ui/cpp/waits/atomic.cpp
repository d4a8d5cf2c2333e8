// verdict: violated section
// exeunt: --sections atomic-wait -- -std=c++20
// reductions: movers full
// A struct waits at a word that stands for it.
#include <atomic>
#include <thread>

struct Version {
    short major, minor;
};
std::atomic<Version> version;
std::atomic<int> beat;

int main() {
    std::thread waiting([] { version.wait(Version{0, 0}); }); //~ error
    for (;;) {
        beat = 1;
        beat = 0;
    }
}
