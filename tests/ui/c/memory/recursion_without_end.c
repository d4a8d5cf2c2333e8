// verdict: violated memory
// states: any
// exeunt: --property safety
// reductions: global tau
// A stack is finite.
static __attribute__((noinline)) int deeper(volatile int *n) {
    (*n)++;
    return deeper(n) + *n; //~ error
}

int main(void) {
    volatile int n = 0;
    return deeper(&n);
}
