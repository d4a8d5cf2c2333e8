// verdict: inconclusive
// states: 6
// The third argument of main is the environment, which is empty here.
int main(int argc, char **argv, char **envp)
{
    while (*envp)
        envp++;
}
// optimised
