// verdict: holds
// options: --thread t --env 'e*' --lock acquire --unlock release
#include <pthread.h>
int nondet(void);
struct lock;
extern struct lock *l;
void acquire(struct lock *);
void release(struct lock *);
extern char the_lock;
int n;

void t(void) {
    acquire((struct lock *)&the_lock);
    while (n > 0)
        n--;
    release((struct lock *)&the_lock);
}

void e(void) {
    acquire((struct lock *)&the_lock);
    n = nondet();
    release((struct lock *)&the_lock);
}
