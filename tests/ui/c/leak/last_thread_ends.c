// verdict: violated leak
// states: 12
// exeunt: --leaks
// The program also ends when its last thread does.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused) { return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    malloc(8); //~ error
    pthread_exit(0);
}
