// verdict: violated assertion
// states: 75
// The shared string is only reachable through the va_list.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static char text[8] = "abc";

static int length(const char *format, ...) {
    char buffer[16];
    va_list list;
    va_start(list, format);
    int written = vsnprintf(buffer, sizeof buffer, format, list);
    va_end(list);
    return written;
}

static void *writer(void *argument) {
    text[3] = 'd';
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    assert(length("%s", text) == 3); //~ error
    pthread_join(thread, NULL);
    return 0;
}
