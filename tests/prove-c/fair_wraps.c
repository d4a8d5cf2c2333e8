// The counter wraps around, so the goal is undone.
// verdict: violated
// options: --thread t --env e --fair
_Atomic unsigned char n;

void t(void) {
    while (n < 200)
        ;
}

void e(void) {
    for (;;)
        n++;
}
