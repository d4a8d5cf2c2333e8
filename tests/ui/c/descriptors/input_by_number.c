// verdict: inconclusive
// states: 4
// A descriptor that only the run knows is standard input, which is not known.
#include <unistd.h>

int main(int argc, char **argv)
{
    char byte;
    return read(argc - 1, &byte, 1) == 1;
}
