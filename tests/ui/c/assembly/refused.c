// verdict: inconclusive
// states: 1
int main(void)
{
    int a = 1, b = 2;
    asm volatile("addl %1, %0" : "+r"(a) : "r"(b) : "cc");
    return a == 3 ? 0 : 1;
}
