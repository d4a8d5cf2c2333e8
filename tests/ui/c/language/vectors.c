// verdict: holds
// native
// reductions: global tau
// states: any
// Loops that a compiler may turn into vector code.
#include <stdio.h>

int main(void) {
    int a[37], b[37];
    unsigned char c[37];
    for (int i = 0; i < 37; i++) {
        a[i] = i * 3;
        b[i] = 100 - i;
        c[i] = (unsigned char)(i * 7);
    }
    int sum = 0, most = 0;
    for (int i = 0; i < 37; i++) {
        a[i] += b[i];
        sum += a[i] * c[i];
        most = a[i] > most ? a[i] : most;
    }
    printf("%d %d\n", sum, most);
    return 0;
}
