// verdict: holds
// states: 18
// exeunt: --args "one 'two three'"
// The arguments of the program.
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
    assert(argc == 3);
    assert(strcmp(argv[1], "one") == 0);
    assert(strcmp(argv[2], "two three") == 0);
    assert(argv[3] == 0);
    return 0;
}
