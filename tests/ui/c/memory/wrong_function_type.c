// verdict: violated undefined
// states: 5
// A call through a wrong function type.
static int takes_two(int a, int b) {
    return a + b;
}

int main(void) {
    int (*volatile f)(void) = (int (*)(void))takes_two;
    return f(); //~ error
}
