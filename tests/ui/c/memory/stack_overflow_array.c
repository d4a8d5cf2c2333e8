// verdict: violated memory
// states: 7
// Reading before the beginning of an array.
int main(int argc, char **argv) {
    volatile int a[4] = {1, 2, 3, 4};
    return a[argc - 2]; //~ error
}
