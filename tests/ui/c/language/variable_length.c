// verdict: holds
// states: 298
// native
// Arrays whose length is computed.
#include <alloca.h>
#include <stdio.h>

static int sum(int n) {
    int values[n];
    for (int i = 0; i < n; i++)
        values[i] = i * i;
    int *more = alloca(n * sizeof *more);
    for (int i = 0; i < n; i++)
        more[i] = values[n - 1 - i];
    return more[0] + (int)sizeof values;
}

int main(void) {
    for (int n = 1; n < 5; n++)
        printf("%d ", sum(n));
    puts("");
    return 0;
}
