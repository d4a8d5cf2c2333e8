// verdict: violated memory
// states: 3
// An argument that is not passed may be anything; what depends on it is not harmless.
static int choose(int a, int b) { return b ? a : -a; } //~ error

int main(void)
{
    int (*one)(int) = (int (*)(int))choose;
    return one(1) == 1;
}
