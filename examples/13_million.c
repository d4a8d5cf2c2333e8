/* The textbook program: two threads count to a million, without a lock.
 *
 *     exeunt check examples/13_million.c
 *     exeunt check examples/13_million.c --races
 *
 * A search in depth would run the first thread to its end before it starts the
 * second one, through four million states. One that looks broadly needs five steps to
 * the race. The wrong sum shows only at the end of the program: threads that take turns,
 * and are interrupted in few places, come there.
 */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *count(void *unused) {
    for (int i = 0; i < 1000000; i++)
        counter++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2000000);
}
