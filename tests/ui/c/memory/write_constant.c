// verdict: violated memory
// states: 5
// String literals cannot be written.
int main(void) {
    char *volatile s = "abc";
    s[0] = 'x'; //~ error
    return 0;
}
