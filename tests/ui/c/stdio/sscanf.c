// verdict: holds
// states: 37
// native
#include <stdio.h>

int main(void) {
    int a, b;
    unsigned x;
    double d;
    char word[8], c;
    printf("%d ", sscanf("12 -7", "%d %d", &a, &b));
    printf("%d %d\n", a, b);
    printf("%d ", sscanf("ff rest", "%x %7s", &x, word));
    printf("%u %s\n", x, word);
    printf("%d ", sscanf("2.5e1,z", "%lf,%c", &d, &c));
    printf("%g %c\n", d, c);
    printf("%d\n", sscanf("nothing", "%d", &a));
    return 0;
}
