// verdict: violated section
// states: 332
// exeunt: --sections function
// The retry compares with what was seen before the first try: once another
// thread has pushed, no retry can succeed.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
    struct node *next;
};

static _Atomic(struct node *) top;
static struct node nodes[2];

EXEUNT_MUST_RETURN static void push(struct node *node) {
    struct node *const seen = top;
    node->next = seen;
    for (;;) {
        struct node *expected = seen;
        if (atomic_compare_exchange_strong(&top, &expected, node))
            return;
    }
}

static void *use(void *node) {
    push(node); //~ error
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, use, &nodes[0]);
    pthread_create(&b, 0, use, &nodes[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
