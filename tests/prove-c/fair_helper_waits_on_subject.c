// verdict: violated
// options: --thread t --env e --fair
int flag, ack;

void t(void) {
    while (!flag)
        ;
    ack = 1;
}

void e(void) {
    while (!ack)
        ;
    flag = 1;
}
