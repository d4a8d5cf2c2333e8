// verdict: holds
// options: --thread t --env e --fair
int flag;

void t(void) {
    while (!flag)
        ;
}

void e(void) {
    flag = 1;
}
