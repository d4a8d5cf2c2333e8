// verdict: violated section
// states: 10
// exeunt: --all
// The inputs of software verification are the environment's as well.
#include <exeunt.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void) {
    exeunt_section_begin("read", 0); //~ error
    while (!__VERIFIER_nondet_bool()) {
    }
    exeunt_section_end("read", 0);
    return 0;
}
