// verdict: holds
// states: 30
// native
#include <stdio.h>

int main(void) {
    char buffer[16];
    int written = 0;
    printf("[%s] [%10s] [%-10s] [%.2s] [%10.2s]\n", "text", "text", "text", "text", "text");
    printf("abc%n", &written);
    printf(" %d\n", written);
    printf("%d ", snprintf(buffer, sizeof buffer, "%s", "much longer than the buffer"));
    printf("[%s]\n", buffer);
    printf("%d [%s]\n", snprintf(buffer, 0, "%d", 12345), buffer);
    fputs("fputs\n", stdout);
    fwrite("fwrite...", 1, 6, stdout);
    putchar('\n');
    fprintf(stderr, "not compared\n");
    fflush(stdout);
    return 0;
}
