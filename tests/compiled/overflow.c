// A recursion that never ends: the stack does.
static int deeper(volatile int *p, int n) {
    volatile int mine[20000];
    mine[n % 7] = n;
    return *p + deeper(mine, n + 1) + mine[1];
}

int main(void) {
    int start = 0;
    return deeper(&start, 0);
}
