/* Use after free between threads.
 *
 *     exeunt check examples/03_use_after_free.c
 *
 * The reader checks that the session is there and uses it; between the two,
 * the other thread can close it. Memory is checked byte by byte: the report
 * says what was read, where it came from and where it was freed.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct session {
    int user;
};

static struct session *_Atomic current;

static void *close_session(void *unused) {
    struct session *old = atomic_exchange(&current, NULL);
    free(old);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct session *fresh = malloc(sizeof *fresh);
    fresh->user = 7;
    current = fresh;
    pthread_create(&thread, 0, close_session, 0);
    struct session *session = current;
    if (session != NULL && session->user != 7)
        abort();
    pthread_join(thread, 0);
    return 0;
}
