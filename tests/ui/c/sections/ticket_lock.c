// verdict: holds
// states: 1975
// exeunt: --races
// A ticket lock: the number is drawn in one step, so everybody is served.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uchar next_ticket, now_serving;
static int shared;

static void *work(void *unused) {
    for (int i = 0; i < 2; i++) {
        unsigned char mine = next_ticket++;
        exeunt_wait_begin("my turn");
        while (now_serving != mine) {
        }
        exeunt_wait_end("my turn");
        shared++;
        now_serving++;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return shared != 4;
}
