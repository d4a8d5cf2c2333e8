/* A daemon that never ends, and a user section that always does.
 *
 *     exeunt check examples/12_daemon.c
 *     exeunt check examples/12_daemon.c --property termination
 *     exeunt check examples/12_daemon.c -- -DMAY_REFUSE
 *
 * Every wait for an answer ends, though the program itself never does: the
 * second command asks for that and is told so. With -DMAY_REFUSE the server
 * answers only if an input says so, and inputs, unlike schedules, are not
 * fair: they can be bad for ever.
 */
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request;

static void *server(void *unused) {
    for (;;) {
#ifdef MAY_REFUSE
        if (exeunt_choose(2) == 0)
            continue;
#endif
        request = 0;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, server, 0);
    for (;;) {
        request = 1;
        exeunt_wait_begin("an answer");
        while (request != 0) {
            /* wait */
        }
        exeunt_wait_end("an answer");
    }
}
