// verdict: holds
// states: 31
// native
// Every read-modify-write.
#include <stdatomic.h>
#include <stdio.h>

int main(void) {
    atomic_int x = 12;
    printf("%d ", atomic_fetch_add(&x, 5));
    printf("%d ", atomic_fetch_sub(&x, 3));
    printf("%d ", atomic_fetch_and(&x, 0xe));
    printf("%d ", atomic_fetch_or(&x, 1));
    printf("%d ", atomic_fetch_xor(&x, 0xff));
    printf("%d ", atomic_exchange(&x, 4));
    int expected = 4;
    printf("%d ", atomic_compare_exchange_strong(&x, &expected, 9));
    printf("%d ", atomic_compare_exchange_strong(&x, &expected, 10));
    printf("%d %d\n", expected, atomic_load(&x));
    return 0;
}
