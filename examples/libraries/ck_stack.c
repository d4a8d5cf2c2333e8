// The lock-free stack of Concurrency Kit (package libck-dev).
// BUG: two threads pop with the function that is for one.
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];
static _Atomic int popped;

static void *pop(void *unused) {
#ifdef BUG
    if (ck_stack_pop_npsc(&stack)) popped++;
#else
    if (ck_stack_pop_upmc(&stack)) popped++;
#endif
    return unused;
}

int main(void) {
    pthread_t t;
    ck_stack_push_upmc(&stack, &entries[0]);
    pthread_create(&t, 0, pop, 0);
    pop(0);
    pthread_join(t, 0);
    assert(popped == 1);
}
