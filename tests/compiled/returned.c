// Addresses that calls give back: of what is gone, of what is not, and of functions.
#include <stdlib.h>

static int *own(int *other, int which) {
    int mine = which;
    return which > 30 ? &mine : other;
}

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
typedef int (*operation)(int, int);
static operation choose(int which) { return which % 3 ? add : sub; }

struct pair {
    long a, b;
};
static struct pair twice(long a) { return (struct pair){a, 2 * a}; }

int main(void) {
    int value = 1, sum = 0;
    for (int i = 0; i < 60; i++) {
        struct pair both = twice(i);
        sum = choose(i)(sum, (int)(both.a + both.b));
        int *where = own(&value, i);
        if (i < 30)
            sum += *where;
        else if (i == 59)
            sum += *where;
    }
    return sum == 0;
}
