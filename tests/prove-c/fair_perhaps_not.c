// verdict: violated
// options: --thread t --env e --fair
int flag;
int nondet(void);

void t(void) {
    while (!flag)
        ;
}

void e(void) {
    if (nondet())
        flag = 1;
}
