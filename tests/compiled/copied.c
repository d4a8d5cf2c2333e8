// What is not initialised may be copied and is no error before it is used.
#include <string.h>

struct pair { int a, b; };

int main(void) {
    struct pair p[100], q[100];
    int sum = 0;
    for (int i = 0; i < 100; i++) p[i].a = i;
    for (int r = 0; r < 3; r++) {
        for (int i = 0; i < 100; i++) q[i] = p[99 - i];
        memcpy(p, q, sizeof p);
    }
    for (int i = 0; i < 100; i++) sum += p[i].a;
    return sum == 4950 ? 0 : p[0].b;
}
