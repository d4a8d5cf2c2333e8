// verdict: holds
// states: 7
// native
// files: two_files_part.c
// A program of two files.
#include <stdio.h>

int shared = 5;
int doubled(void);

int main(void) {
    printf("%d\n", doubled());
    return 0;
}
