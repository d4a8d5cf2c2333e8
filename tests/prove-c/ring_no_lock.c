// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
int head, tail = 1;

void t(void) {
    while (head < tail)
        head = head < 3 ? head + 1 : 0;
}

void e(void) {
    tail = 4;
}
