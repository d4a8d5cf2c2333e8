// verdict: violated
// options: --thread t --env 't*'
#include <pthread.h>

void t(void) {
    unsigned char i = 0;
    while (i < 256)
        i++;
}
