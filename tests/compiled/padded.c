// Numbers beside pointers and beside bytes that nobody has written.
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    unsigned value;
    char mark;
};

static struct node *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *reversed(struct node *list) {
    struct node *back = 0;
    while (list) {
        struct node *next = list->next;
        list->next = back;
        list->value += list->mark;
        back = list;
        list = next;
    }
    return back;
}

static void *work(void *arg) {
    struct node *list = 0;
    for (unsigned i = 0; i < 12; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            return 0;
        node->value = i * 0x53545556u;
        node->mark = (char)(0x50 + i);
        node->next = list;
        list = node;
    }
    for (int i = 0; i < 3; i++)
        list = reversed(list);
    pthread_mutex_lock(&lock);
    struct node **end = &list;
    while (*end)
        end = &(*end)->next;
    *end = shared;
    shared = reversed(list);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    unsigned sum = 0;
    while (shared) {
        struct node *next = shared->next;
        sum += shared->value;
        free(shared);
        shared = next;
    }
    return sum == 1;
}
