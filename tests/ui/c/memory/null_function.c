// verdict: violated memory
// Calling through a null pointer.
int main(void) {
    void (*volatile f)(void) = 0;
    f(); //~ error
    return 0;
}
