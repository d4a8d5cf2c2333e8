// verdict: violated
// options: --thread t --env e --fair --integers mathematical
_Atomic int n;

void t(void) {
    while (n < 3)
        ;
}

void e(void) {
    n++;
    n++;
}
