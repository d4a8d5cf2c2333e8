// verdict: violated section
// states: 112
// exeunt: --all
// One template, two instances, one of which never ends.
#include <atomic>
#include <exeunt.h>

static std::atomic<int> ticks;

template <int Rounds> struct Job {
    void run() {
        exeunt::section inside("job", this); //~ error
        for (int i = 0; i != Rounds; i = (i + 1) % 3)
            ticks ^= 1;
    }
};

int main() {
    Job<2> ends;
    ends.run();
    Job<3> endless;
    endless.run();
}
