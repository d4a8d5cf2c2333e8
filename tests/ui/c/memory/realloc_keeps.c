// verdict: holds
// states: 15
// realloc keeps what was there.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 42;
    int *q = realloc(p, 100 * sizeof *q);
    if (q) {
        assert(q[0] == 42);
        free(q);
    } else {
        free(p);
    }
    return 0;
}
