// verdict: violated memory
// states: 9
// The local variable of a function that has returned.
static volatile int *volatile kept;

static __attribute__((noinline)) void keep(void) {
    volatile int local = 1;
    kept = &local;
}

int main(void) {
    keep();
    return *kept; //~ error
}
