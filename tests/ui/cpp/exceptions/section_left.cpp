// verdict: holds
// reductions: tau superstep movers full
// exeunt: --sections all
// Leaving a section of exeunt.h by an exception is leaving it.
#include <exeunt.h>
#include <thread>

static int where;

struct Inside {
    Inside() { exeunt_section_begin("work", &where); }
    ~Inside() { exeunt_section_end("work", &where); }
};

void work() {
    try {
        Inside inside;
        throw 1;
    } catch (int) {
    }
}

int main() {
    std::thread one(work), two(work);
    one.join();
    two.join();
}
