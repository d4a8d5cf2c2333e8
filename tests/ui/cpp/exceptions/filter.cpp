// verdict: holds
// states: 268
// exeunt: -- -std=c++14
// native
#include <cstdio>

void promises() throw(int) { throw 1; }

int main() {
    try {
        promises();
    } catch (int n) {
        printf("%d\n", n);
    }
}
