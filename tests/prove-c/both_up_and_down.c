// verdict: violated
// options: --thread t --env 't*'
#include <pthread.h>
int nondet(void);

void t(void) {
    int a = 5;
    while (a > 0) {
        if (nondet())
            a--;
        else if (a < 5)
            a++;
    }
}
