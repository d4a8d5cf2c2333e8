// verdict: holds
// states: 2
// An exit code is no violation unless it is asked for.
int main(void) {
    return 3;
}
