// verdict: refused a call through a pointer
// options: --thread t --env 't*'
void (*action)(void);

void t(void) {
    action();
}
