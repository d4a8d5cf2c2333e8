// Who may work is a number: others work while it is theirs, and take it only from nobody. Of several
// that share a number it is not known which of them has it.
// verdict: holds
// options: --thread one --env 'two'
// verdict: violated
// options: --thread one --env 'two*,three*'
// verdict: inconclusive
// options: --thread one --env 'two*'
#include <stdatomic.h>

_Atomic int owner;
_Atomic int work;

void one(void) {
    int nobody = 0;
    if (!atomic_compare_exchange_strong(&owner, &nobody, 1))
        return;
    while (work > 0)
        atomic_fetch_sub(&work, 1);
    owner = 0;
}

void two(void) {
    int nobody = 0;
    if (atomic_compare_exchange_strong(&owner, &nobody, 2)) {
        work = 5;
        atomic_compare_exchange_strong(&owner, &(int){2}, 0);
    }
}

// Takes it from whoever has it.
void three(void) { owner = 0; }
