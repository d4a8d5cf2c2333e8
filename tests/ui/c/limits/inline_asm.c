// verdict: inconclusive
// states: 1
// Unknown assembly is named, and nothing is concluded beyond it.
int main(void) {
    __asm__ volatile("cpuid" ::: "eax", "ebx", "ecx", "edx");
    return 0;
}
