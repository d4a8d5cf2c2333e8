// verdict: holds
// reductions: movers full
#include <cassert>

static int destroyed;

struct Part {
    explicit Part(bool fails) {
        if (fails)
            throw 7;
    }
    ~Part() { destroyed++; }
};

struct Whole {
    Part first{false};
    Part second;
    Whole() try : second(true) {
    } catch (int code) {
        assert(code == 7 && destroyed == 1);
    }
};

int main() {
    try {
        Whole whole;
        assert(0);
    } catch (int code) {
        assert(code == 7);
    }
    assert(destroyed == 1);
}
