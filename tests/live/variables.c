/* Variables of many types, and a deadlock in which they can be looked at. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum colour { RED, GREEN = 7, BLUE = -2 };
struct node {
    int value;
    struct node *next;
    enum colour colour;
    unsigned small : 3;
    int negative : 4;
};
struct pair {
    short x;
    unsigned char y;
    bool flag;
};

struct node *head;
int counter = -7;
unsigned long large = 18446744073709551615ul;
float half = 0.5f;
double ratio = -1.25;
char name[16] = "hello";
const char *label = "text";
int table[3][2] = {{1, 2}, {3, 4}, {5, 6}};
int *inside = &table[1][1];
_Atomic long ticket = 5;
volatile enum colour colour = GREEN;
struct pair pair = {-3, 200, true};
void (*action)(int);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void push(int value) {
    struct node *node = malloc(sizeof *node);
    *node = (struct node){value, head, BLUE, 5, -2};
    head = node;
    counter++;
    pair.x--;
}

void *first(void *argument) {
    int mine = 42;
    long *given = argument;
    pthread_mutex_lock(&a);
    push(1);
    action = push;
    pthread_mutex_lock(&b);
    int later = mine + (int)*given;
    counter += later;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *second(void *argument) {
    pthread_mutex_lock(&b);
    push(2);
    ticket++;
    colour = RED;
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    long nine = 9;
    pthread_create(&threads[0], 0, first, &nine);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
