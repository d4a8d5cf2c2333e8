// verdict: holds
// options: --thread t --env 't*'
int n;

void t(void) {
    int i;
    if (n > 0)
        i = n;
    while (i > 0)
        i--;
}
