// verdict: violated assertion
// states: 32
// optimised
#include <assert.h>

int main(void)
{
    long double s = 0;
    for (int i = 1; i <= 3; i++)
        s += i;
    assert(s != 6); //~ error
}
