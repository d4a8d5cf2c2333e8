// verdict: holds
// options: --thread t --env 't*'
#include <pthread.h>
int nondet(void);

void t(void) {
    int a = nondet(), b = nondet();
    while (a > 0 && b > 0) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
}
