// verdict: holds
// reductions: movers full
#include <cassert>
#include <cstdlib>
#include <new>

static int live;

struct Counted {
    int value = 3;
    static void *operator new(std::size_t size) {
        live++;
        return std::malloc(size);
    }
    static void operator delete(void *p, std::size_t size) {
        assert(size == sizeof(Counted));
        live--;
        std::free(p);
    }
};

struct alignas(64) Line {
    char bytes[64];
};

int main() {
    Counted *one = new Counted;
    assert(live == 1 && one->value == 3);
    delete one;
    assert(live == 0);
    Line *line = new Line;
    assert(reinterpret_cast<unsigned long>(line) % 64 == 0);
    delete line;
    alignas(int) unsigned char room[sizeof(int)];
    int *placed = new (room) int(5);
    assert(*placed == 5);
}
