// verdict: violated memory
// states: 1361
// exeunt: --stack 16K
static int count(int n)
{
    return n ? 1 + count(n - 1) : 0; //~ error
}

int main(void)
{
    return count(1000);
}
