// What goes wrong goes wrong several calls deep.
#include <assert.h>
#include <pthread.h>

static int values[10];

static int at(int index) { return values[index]; }
static int sum(int index) { return index < 0 ? 0 : at(index) + sum(index - 1); }

static void *work(void *arg) {
    int all = 0;
    for (int i = 0; i < 40; i++)
        all += sum(i % 10);
    assert(all >= 0);
    return (void *)(long)sum(10);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
