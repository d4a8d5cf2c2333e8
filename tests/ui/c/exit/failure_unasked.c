// verdict: holds
// An exit code is no violation unless it is asked for.
int main(void) {
    return 3;
}
