// The other thread increases `x` only where two counters are related as they never are: Spacer
// finds the relation.
// verdict: holds
// options: --thread t --env 'e*' --integers mathematical
// verdict: violated
// options: --thread t --env 'f*' --integers mathematical
int x;
int nondet(void);

void t(void) {
    while (x > 0)
        x = x - 1;
}

void e(void) {
    int i = 0, j = 0;
    while (nondet()) {
        i = i + 1;
        j = j + 2;
    }
    if (j == 2 * i + 1)
        x = 5;
}

void f(void) {
    int i = 0, j = 0;
    while (nondet()) {
        i = i + 1;
        j = j + 2;
    }
    if (j == 2 * i)
        x = 5;
}
