// verdict: inconclusive
// states: 1
#include <stdio.h>

int main(void) {
    FILE *file = fopen("name", "r");
    return file != NULL;
}
