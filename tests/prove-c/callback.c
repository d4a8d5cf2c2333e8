// verdict: refused a function of the program as an argument of `signal`
// options: --thread t --env 't*'
#include <pthread.h>
#include <signal.h>
int n;

void on_alarm(int number) {
    n = number;
}

void t(void) {
    signal(SIGALRM, on_alarm);
    while (n > 0)
        n--;
}
