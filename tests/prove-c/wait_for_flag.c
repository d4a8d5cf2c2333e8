// verdict: violated
// options: --thread t --env 'e'
#include <pthread.h>
int flag;

void t(void) {
    while (!flag)
        ;
}

void e(void) {
    flag = 1;
}
