// verdict: inconclusive
// states: 4
// Which files exist is not known: the answer is about one world only.
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("config", "r");
    return f != NULL;
}
