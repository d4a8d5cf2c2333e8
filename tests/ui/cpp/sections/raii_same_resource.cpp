// verdict: violated misuse
// states: 21
// Two sections of one thread about the same resource must not nest.
#include <exeunt.h>

static int resource;

int main() {
    exeunt::section outer("outer", &resource);
    exeunt::section inner("inner", &resource); //~ error
}
