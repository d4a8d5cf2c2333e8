// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
struct node {
    int value;
} one;
struct node *first;

void t(void) {
    while (first == 0)
        ;
}

void e(void) {
    first = &one;
}
