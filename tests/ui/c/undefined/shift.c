// verdict: violated undefined
// states: 9
// exeunt: --undefined
int main(void) {
    volatile int by = 32;
    volatile unsigned y = 1u << by; //~ error
    (void)y;
    return 0;
}
