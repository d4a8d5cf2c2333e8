// verdict: violated memory
// states: 158
// exeunt: --stack 1M
// Arrays of variable length count when they are made, and no longer when their
// block is left.
#include <stdlib.h>

static int use(int n)
{
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        char array[n]; //~ error
        array[n - 1] = 1;
        sum += array[n - 1];
    }
    return sum;
}

int main(void)
{
    use(400000);
    char kept[600000];
    kept[0] = 1;
    return use(300000) + use(500000) + kept[0];
}
