// verdict: violated section
// states: 410
// exeunt: --sections user
// Reading the next number and writing it back are two steps: two threads draw
// the same one, the number after it is served once too often, and the next
// that is drawn has been passed already.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uchar next_ticket, now_serving;

static void *work(void *unused) {
    for (int i = 0; i < 2; i++) {
        unsigned char mine = next_ticket;
        next_ticket = mine + 1;
        exeunt_wait_begin("my turn"); //~ error
        while (now_serving != mine) {
        }
        exeunt_wait_end("my turn");
        now_serving++;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
