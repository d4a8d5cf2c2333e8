// verdict: holds
// states: 16
// exeunt: --args one
// The C library hands the arguments of main to what runs before it, too.
#include <assert.h>
#include <string.h>

static int count;

__attribute__((constructor)) static void before_main(int argc, char **argv) {
    count = argc;
    assert(strcmp(argv[1], "one") == 0 && argv[2] == 0);
}

int main(void) {
    assert(count == 2);
    return 0;
}
