// verdict: violated deadlock
// states: 195
// What a global leads to is named by it, in every thread.
#include <pthread.h>
#include <stdlib.h>

struct account {
    int id;
    pthread_mutex_t lock;
};
struct bank {
    struct account *accounts[2];
};
static struct bank *bank;

static void *transfer(void *from) {
    struct account *a = from, *b = bank->accounts[1 - a->id];
    pthread_mutex_lock(&a->lock);
    pthread_mutex_lock(&b->lock); //~ error
    pthread_mutex_unlock(&b->lock);
    pthread_mutex_unlock(&a->lock);
    return 0;
}

int main(void) {
    bank = malloc(sizeof *bank);
    for (int i = 0; i < 2; i++) {
        bank->accounts[i] = malloc(sizeof(struct account));
        bank->accounts[i]->id = i;
        pthread_mutex_init(&bank->accounts[i]->lock, 0);
    }
    pthread_t a, b;
    pthread_create(&a, 0, transfer, bank->accounts[0]);
    pthread_create(&b, 0, transfer, bank->accounts[1]);
    pthread_join(a, 0); //~ error
    pthread_join(b, 0);
    return 0;
}
