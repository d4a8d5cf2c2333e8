// unreach-call: true
// no-data-race: true
// no-overflow: true
// valid-memsafety: true
// termination: true
extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#include <pthread.h>
void reach_error() {}
static int sum;
static void add_one(void) {
    __VERIFIER_atomic_begin();
    sum = sum + 1;
    __VERIFIER_atomic_end();
}
static void *add(void *unused) {
    add_one();
    return unused;
}
int main() {
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    add_one();
    pthread_join(other, 0);
    if (sum != 2)
        reach_error();
    return 0;
}
