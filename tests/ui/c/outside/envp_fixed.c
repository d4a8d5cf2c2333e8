// verdict: holds
// states: 6
// exeunt: --outside fixed
// The third argument of main is the environment, which is empty here.
int main(int argc, char **argv, char **envp)
{
    while (*envp)
        envp++;
}
// optimised
