/* Programs that start others, each in its way. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    char *arguments[] = {"/bin/true", 0};
#if defined HOW_fork
    return fork();
#elif defined HOW_execv
    return execv(arguments[0], arguments);
#elif defined HOW_execl
    return execl("/bin/true", "true", (char *)0);
#elif defined HOW_system
    return system("true");
#elif defined HOW_popen
    return popen("true", "r") == 0;
#elif defined HOW_posix_spawn
    pid_t child;
    return posix_spawn(&child, arguments[0], 0, 0, arguments, 0);
#endif
}
