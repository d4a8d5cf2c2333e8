// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
int flag = 1;

void t(void) {
    while (flag)
        ;
}

void e(void) {
    flag = !flag;
}
