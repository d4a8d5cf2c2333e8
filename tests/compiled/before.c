// Goes down below the beginning of an object.
#include <stdlib.h>

int main(void) {
    char *p = malloc(64), *q = p + 60;
    int sum = 0;
    for (int i = 0; i < 64; i++) p[i] = (char)i;
    while (sum < 100000) sum += *q--;
    free(p);
    return sum & 1;
}
