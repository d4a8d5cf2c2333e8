// The node that is read was freed a round before.
#include <stdlib.h>

struct node { struct node *next; int value; };

int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 80; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head, n->value = i, head = n;
    }
    int sum = 0;
    for (struct node *n = head; n; n = n->next) {
        sum += n->value;
        if (n->value < 3) free(n);
    }
    return sum & 1;
}
