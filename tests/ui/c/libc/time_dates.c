// verdict: inconclusive
// states: 390
// native
// Dates; the clocks themselves are not compared.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    static const time_t instants[] = {0, 1, -1, 1000000000, 951782400, 951868799, 4102444800, -2208988800, 1735689599, 253402300799};
    setenv("TZ", "UTC", 1);
    tzset();
    for (unsigned i = 0; i < sizeof instants / sizeof *instants; i++) {
        struct tm parts, *local = localtime(&instants[i]);
        char text[400];
        printf("%s %d ", local->tm_zone, local->tm_isdst);
        printf("%s", asctime(local));
        gmtime_r(&instants[i], &parts);
        printf("%s %ld ", parts.tm_zone, parts.tm_gmtoff);
        printf("%zu ", strftime(text, sizeof text, "%a %A %b %B %c|%C %d %D %e %F|%g %G %h %H %I|%j %k %l %m %M|%p %P %r %R %s|%S %T %u %U %V|%w %W %x %X %y|%Y %z %Z %% %Ey %Od", &parts));
        puts(text);
        printf("%ld %d %s", (long)timegm(&parts), parts.tm_yday, ctime(&instants[i]));
    }
    struct tm odd = {.tm_year = 100, .tm_mon = 25, .tm_mday = -40, .tm_hour = 100, .tm_min = -5, .tm_sec = 1000};
    printf("%ld ", (long)mktime(&odd));
    printf("%d %d %d %d\n", odd.tm_year, odd.tm_mon, odd.tm_mday, odd.tm_wday);
    char small[4];
    printf("%zu %.1f\n", strftime(small, sizeof small, "%Y", &odd), difftime(7, 10));
    struct timespec now, sleep = {0, 1};
    struct timeval day;
    printf("%d %d %d\n", clock_gettime(CLOCK_MONOTONIC, &now), gettimeofday(&day, NULL), time(NULL) > 0);
    printf("%d %d %d\n", nanosleep(&sleep, NULL), usleep(1), timespec_get(&now, TIME_UTC));
    return 0;
}
