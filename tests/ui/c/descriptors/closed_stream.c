// verdict: violated memory
// states: 3
// exeunt: --outside fixed
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("log", "w");
    fclose(f);
    fputs("late", f); //~ error
}
