// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
long flag;

void t(void) {
    while (flag == 0)
        ;
}

void e(void) {
    flag = 1;
}
