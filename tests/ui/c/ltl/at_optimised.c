// verdict: violated ltl
// states: 4
// exeunt: --ltl "G !at(f)"
// optimised
// A function that a formula speaks of is not inlined, nor is its call removed.
static void f(void) {}

int main(void)
{
    f();
}
