// verdict: holds
// states: 260
// native
// What err.h and error.h write goes to stderr; here only that they return, and how the program ends.
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>

static void both(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vwarnx(format, list);
    va_end(list);
    va_start(list, format);
    vwarn(format, list);
    va_end(list);
}

int main(void)
{
    errno = ENOENT;
    warn("no %s", "file");
    warnx("%d of %d", 1, 2);
    both("%s", "text");
    warn(NULL);
    error(0, EPERM, "not %d", 1);
    error(0, 0, "plain");
    printf("%u %d\n", error_message_count, errno == ENOENT);
    printf("%d\n", program_invocation_short_name != NULL);
    errx(0, "the end");
}
