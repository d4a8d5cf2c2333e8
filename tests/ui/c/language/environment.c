// verdict: inconclusive
// states: 12
// The environment of main is there, and what is in it is not known.
int main(int argc, char **argv, char **environment)
{
    while (*environment)
        environment++;
    return argc - 1 + (argv[argc] != 0);
}
// optimised
