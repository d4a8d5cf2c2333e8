// verdict: holds
// states: 2
// exeunt: --max-states 1000000 --max-depth 100000
// A bound that cut nothing off does not matter.
int main(void) {
    return 0;
}
