// verdict: violated memory
// states: 5
// Calling through a null pointer.
int main(void) {
    void (*volatile f)(void) = 0;
    f(); //~ error
    return 0;
}
