// A linked list on the heap: built, reversed, summed and freed, again and again.
#include <stdio.h>
#include <stdlib.h>

#ifndef ROUNDS
#define ROUNDS 200
#endif
#ifndef LENGTH
#define LENGTH 2000
#endif

struct node {
    struct node *next;
    unsigned value;
};

static struct node *build(unsigned seed) {
    struct node *head = NULL;
    for (int i = 0; i < LENGTH; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = seed = seed * 1664525u + 1013904223u;
        node->next = head;
        head = node;
    }
    return head;
}

static struct node *reverse(struct node *list) {
    struct node *back = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = back;
        back = list;
        list = next;
    }
    return back;
}

int main(void) {
    unsigned sum = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct node *list = build(round);
        for (int times = 0; times < 3; times++)
            list = reverse(list);
        while (list) {
            struct node *next = list->next;
            sum = sum * 33 + list->value;
            free(list);
            list = next;
        }
    }
    printf("%u\n", sum);
}
