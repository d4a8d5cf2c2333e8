// unreach-call: false(unreach-call)
// no-data-race: false(no-data-race)
// no-overflow: unknown
// valid-memsafety: unknown
extern void abort(void);
#include <assert.h>
#include <pthread.h>
void reach_error() { assert(0); }
static int sum;
void __VERIFIER_assert(int cond) {
    if (!cond) {
    ERROR: {
        reach_error();
        abort();
    }
    }
}
static void *add(void *unused) {
    sum = sum + 1;
    return unused;
}
int main() {
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    sum = sum + 1;
    pthread_join(other, 0);
    __VERIFIER_assert(sum == 2);
    return 0;
}
