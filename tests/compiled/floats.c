// Single and double precision, with infinities and what is no number.
#include <math.h>
#include <stdio.h>

int main(void) {
    double sum = 0, x = 0.5;
    float y = 0.25f;
    int odd = 0;
    for (int i = 0; i < 300; i++) {
        x = x * 3.7 * (1 - x);
        y = (float)x * 2 - y / 3;
        double inf = i % 50 == 49 ? 1e300 * 1e300 * x : x;
        double none = inf - inf;
        odd += none != none;
        odd += isinf(inf) ? 2 : 0;
        sum += x / (y + 7) + (double)(long)(x * 1000) + (unsigned)(y * y) + sqrt(x);
        sum += none == none ? none : 1;
        if (x < y) odd += 4;
        if (!(x >= y)) odd += 8;
        sum += (double)i + (float)(unsigned long)i;
    }
    printf("%.17g %.9g %d\n", sum, (double)y, odd);
}
