// verdict: violated
// options: --thread t --env 't*'
#include <pthread.h>

void t(void) {
    int a = 1, b = 2;
    while (a != b) {
        int c = a;
        a = b;
        b = c;
    }
}
