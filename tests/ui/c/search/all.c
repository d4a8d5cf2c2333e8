// verdict: violated assertion
// states: 8
// exeunt: --all
// Every broken assertion is reported.
#include <assert.h>
#include <exeunt.h>

int main(void) {
    switch (exeunt_choose(3)) {
    case 0:
        assert(0 && "first"); //~ error
    case 1:
        assert(0 && "second"); //~ error
    }
    return 0;
}
