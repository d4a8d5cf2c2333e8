// Calls in calls, some of which ask for something in the middle: a loop, a block, a variable of their own, a print.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned table[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned total;

static unsigned leaf(unsigned a, unsigned b) { return a * 3 + b; }

static unsigned middle(unsigned depth, unsigned a) {
    if (depth == 0)
        return leaf(a, 1);
    unsigned sum = leaf(a, depth);
    if (depth % 5 == 0) {
        char *text = malloc(8);
        if (text) {
            memset(text, 'a' + depth % 7, 7);
            text[7] = 0;
            sum += (unsigned)strlen(text);
            free(text);
        }
    }
    if (depth % 7 == 0) {
        unsigned own[4] = {a, depth, sum, 0};
        own[3] = middle(depth - 1, own[2]);
        return own[0] ^ own[1] ^ own[2] ^ own[3];
    }
    return sum + middle(depth - 1, sum);
}

static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static void touch(unsigned at) {
    table[at % 64] += at;
    if (at > 0)
        touch(at - 1);
}

static void *work(void *arg) {
    unsigned mine = fib(9) + middle(30, 2);
    pthread_mutex_lock(&lock);
    touch(20);
    total += mine;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    printf("%u %u %d %d\n", total, table[3], is_even(151), fib(14) == 377);
    return 0;
}
