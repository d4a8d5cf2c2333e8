// verdict: violated undefined
// states: 6
// Division by zero is always an error.
int main(int argc, char **argv) {
    volatile int zero = argc - 1;
    return 1 / zero; //~ error
}
