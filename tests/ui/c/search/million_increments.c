// verdict: violated race
// states: 130
// exeunt: --races
// The textbook program. A search in depth would run the first thread to its end;
// one that looks broadly needs a few steps.
#include <pthread.h>

static int counter;

static void *work(void *unused) {
    for (int i = 0; i < 1000000; i++)
        counter++; //~ error
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
