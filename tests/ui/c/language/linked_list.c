// verdict: holds
// states: 211
// native
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 1;
        *n = (struct node){i, list};
        list = n;
    }
    struct node *reversed = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    while (reversed) {
        struct node *next = reversed->next;
        printf("%d ", reversed->value);
        free(reversed);
        reversed = next;
    }
    puts("");
    return 0;
}
