// verdict: violated section
// states: 29
// An annotated method of a template.
#include <atomic>
#include <exeunt.h>

static std::atomic<int> ticks;

template <class T> struct Box {
    T content;
    EXEUNT_MUST_RETURN T take() {
        while (content)
            ticks ^= 1;
        return content;
    }
};

int main() {
    Box<int> empty{0}, full{1};
    empty.take();
    full.take(); //~ error
}
