// verdict: violated race
// states: 50
// exeunt: --races
// vsnprintf writes to memory.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static char line[8];

static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list); //~ error
    va_end(list);
}

static void *work(void *unused) {
    say("%d", 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    say("%d", 2);
    pthread_join(thread, 0);
    return 0;
}
// optimised
