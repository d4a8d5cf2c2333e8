// verdict: holds
// options: --thread t --env 't*'
#include <pthread.h>
int x;

void t(void) {
    for (int i = 0; i < 10; i++)
        x = i;
}
