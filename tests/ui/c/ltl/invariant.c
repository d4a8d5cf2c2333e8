// verdict: violated invariant
// states: 12
// exeunt: --property temporal --invariant balanced
// The sum is wrong between the two writes of a transfer.
#include <pthread.h>

static volatile int left = 2, right = 2;

int balanced(void) {
    int sum = 0;
    int parts[2] = {left, right};
    for (int i = 0; i < 2; i++)
        sum += parts[i];
    return sum == 4;
}

static void *transfer(void *unused) {
    left--; //~ error
    right++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, transfer, 0);
    pthread_join(thread, 0);
    return !balanced();
}
