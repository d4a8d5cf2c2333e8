// verdict: violated deadlock
// states: 44
// A failed check returns without unlocking; the caller tries again and waits
// for itself.
#include <exeunt.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 1;

static int withdraw(int amount) {
    pthread_mutex_lock(&mutex); //~ error
    if (amount > balance)
        return -1;
    balance -= amount;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    int amount = exeunt_choose(3);
    while (withdraw(amount) != 0)
        amount--;
    return 0;
}
