// verdict: holds
// states: 90
// native
// Loops, switch, goto and short circuits.
#include <stdio.h>

static int side(int value) {
    printf("<%d>", value);
    return value;
}

int main(void) {
    for (int i = 0; i < 6; i++) {
        switch (i) {
        case 0:
            printf("zero ");
            continue;
        case 2:
            printf("two ");
        case 3:
            printf("through ");
            break;
        default:
            printf("other ");
        }
    }
    int n = 3;
again:
    if (n-- > 0)
        goto again;
    printf("%d\n", n);
    (void)(side(0) && side(1));
    (void)(side(1) || side(0));
    do
        printf(" once");
    while (0);
    printf(" %d\n", side(0) ? 1 : side(2));
    return 0;
}
