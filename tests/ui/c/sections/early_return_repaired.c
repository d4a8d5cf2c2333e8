// verdict: holds
// states: 43
// One way out of the function, behind the unlock.
#include <exeunt.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 1;

static int withdraw(int amount) {
    int result = -1;
    pthread_mutex_lock(&mutex);
    if (amount > balance)
        goto out;
    balance -= amount;
    result = 0;
out:
    pthread_mutex_unlock(&mutex);
    return result;
}

int main(void) {
    int amount = exeunt_choose(3);
    while (withdraw(amount) != 0)
        amount--;
    return 0;
}
