// The same store puts pointers into private nodes, and then into one that another thread can reach.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    atomic_int value;
};

static _Atomic(struct node *) slot;

static void *look(void *unused) {
    (void)unused;
    struct node *first = slot;
    if (first && first->next) assert(first->next->value != 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    struct node *last = malloc(sizeof *last), *begin = last;
    last->next = NULL;
    atomic_init(&last->value, 0);
    for (int i = 0; i < 60; i++) {
        struct node *made = malloc(sizeof *made);
        made->next = NULL;
        atomic_init(&made->value, 0);
        if (i == 50) slot = last;
        last->next = made;
        if (i >= 50) {
            made->value = 1;
            made->value = 2;
        }
        last = made;
    }
    pthread_join(thread, NULL);
    while (begin) {
        struct node *next = begin->next;
        free(begin);
        begin = next;
    }
}
