// The least number divided by minus one.
#include <limits.h>

int main(void) {
    int x = INT_MIN + 300, sum = 0;
    for (int d = -301; d < 0; d++, x--) sum += (x - 1) / (d % 100 == -1 ? -1 : d);
    return sum & 1;
}
