// verdict: inconclusive
// states: 4
#include <stdio.h>

int main(void) {
    FILE *file = fopen("name", "r");
    return file != NULL;
}
