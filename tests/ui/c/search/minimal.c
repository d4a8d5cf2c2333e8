// verdict: violated section
// states: 239
// exeunt: --minimal
// There is an assertion that fails at the end of a long way, and a section that
// is stuck after a short one: the latter is reported.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int steps, go;

static void *wait(void *unused) {
    while (go == 0) { //~ error
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    if (exeunt_choose(2)) {
        for (int i = 0; i < 9; i++)
            steps++;
        assert(steps != 9);
    }
    pthread_join(thread, 0);
    return 0;
}
