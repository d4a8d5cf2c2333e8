// verdict: holds
// options: --thread t --env 'e,f' --fair
int go, flag;

void t(void) {
    while (!flag)
        ;
}

void e(void) {
    while (!go)
        ;
    flag = 1;
}

void f(void) {
    go = 1;
}
