// verdict: violated ltl
// states: 26
// exeunt: --property temporal --all --ltl-file several.ltl
// Formulas from a file, each with its own answer.
static volatile int phase;

int main(void) {
    for (int i = 0; i < 3; i++)
        phase++;
    return 0;
}
