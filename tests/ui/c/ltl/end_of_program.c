// verdict: violated ltl
// states: 4
// exeunt: --property temporal --fair --ltl 'F G state == 2' --ltl 'G F state == 1'
// A run that ends keeps its last values for ever, also under fairness.
static int state;

int main(void) {
    state = 1;
    state = 2;
    return 0;
}
