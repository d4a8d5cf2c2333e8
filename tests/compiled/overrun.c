// A recursion that has no end: the stack overflows, and where is told.
static unsigned down(unsigned n, unsigned *sum) {
    unsigned own = n;
    *sum += own;
    return down(n + 1, sum) + own;
}

int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < 100; i++)
        sum += i;
    return (int)down(sum, &sum);
}
