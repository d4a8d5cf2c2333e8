// verdict: violated undefined
// states: 1
// An argument that is not passed may be anything, so that is not harmless.
static int choose(int a, int b) { return b ? a : -a; }

int main(void)
{
    int (*one)(int) = (int (*)(int))choose;
    return one(1) == 1; //~ error
}
