// verdict: violated assertion
// reductions: global tau movers
// The textbook program again. What is wrong shows only at the very end, behind two
// loops that are too long for a search in depth; a run with one switch comes there.
#include <assert.h>
#include <pthread.h>

#define ROUNDS 20000

static int counter;

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++)
        counter++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2 * ROUNDS); //~ error
}
