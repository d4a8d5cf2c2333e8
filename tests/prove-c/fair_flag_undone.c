// verdict: violated
// options: --thread t --env 'e,f' --fair
int flag;

void t(void) {
    while (!flag)
        ;
}

void e(void) {
    flag = 1;
}

void f(void) {
    flag = 0;
}
