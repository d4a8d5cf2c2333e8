// verdict: violated exit
// states: 37
// exeunt: --exit-code
#include <err.h>
#include <errno.h>

int main(void)
{
    errno = EACCES;
    err(3, "cannot open %s", "it"); //~ error
}
