// verdict: holds
// options: --thread t --env e --fair
int flag;

void t(void) {
    while (!flag)
        ;
}

void e(void) {
    for (int i = 0; i < 100; i++)
        ;
    flag = 1;
}
