// verdict: holds
// states: 203
// exeunt: --malloc-fails
#include <new>

int main() {
    int *p = nullptr;
    try {
        p = new int(1);
    } catch (const std::bad_alloc &) {
        return p != nullptr;
    }
    delete p;
}
