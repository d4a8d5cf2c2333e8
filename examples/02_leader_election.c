/* A naive leader election (Cooperman and Quinson, "Sthread").
 *
 *     exeunt check --shortest examples/02_leader_election.c
 *
 * Each thread looks whether the other one has won, and declares itself the
 * winner if not. That looks right as long as one believes that an `if` and
 * what follows happen at once. They do not, and both can win.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool first_won, second_won;

static void *second(void *unused) {
    if (!first_won)
        second_won = 1;
    assert(!(first_won && second_won));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    if (!second_won)
        first_won = 1;
    assert(!(first_won && second_won));
    pthread_join(thread, 0);
    return 0;
}
