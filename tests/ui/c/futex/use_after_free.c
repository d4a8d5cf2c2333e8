// verdict: violated memory
#include <linux/futex.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    int *word = malloc(sizeof *word);
    free(word);
    syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0); //~ error
}
