// verdict: violated assertion
// states: 3
// exeunt: --output
// What was printed on the way is part of the story.
#include <assert.h>
#include <stdio.h>

int main(void) {
    printf("%s %d\n", "act", 1);
    puts("exeunt omnes");
    assert(0); //~ error
}
