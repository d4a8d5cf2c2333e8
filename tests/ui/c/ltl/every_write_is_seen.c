// verdict: violated ltl
// states: 6
// exeunt: --property temporal --ltl 'G (x == 0 || y == 1)'
// One thread and no scheduler: x is 1 for a moment while y is still 0.
static int x, y;

int main(void) {
    y = 1;
    x = 1;
    y = 0;
    x = 0;
    return 0;
}
