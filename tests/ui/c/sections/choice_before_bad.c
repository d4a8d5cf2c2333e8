// verdict: violated section
// states: 13
// exeunt: --all
// The value is chosen before the section; for one of them it has no end.
#include <exeunt.h>
#include <stdatomic.h>

static atomic_int turn;

int main(void) {
    int mine = exeunt_choose(2);
    exeunt_wait_begin("my turn"); //~ error
    while (turn != mine) {
    }
    exeunt_wait_end("my turn");
    return 0;
}
