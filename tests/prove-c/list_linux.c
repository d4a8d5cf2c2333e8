// Intrusive lists as kernels have them, with functions of our own in their shape.
// verdict: holds
// options: --thread drain --env 'drain*,submit*'
// verdict: violated
// options: --thread drain_dropping_lock --env 'submit*'
// verdict: holds
// options: --thread drain_dropping_lock --env 'drain*'
// verdict: violated
// options: --thread requeue --env 'submit*'
// verdict: holds
// options: --thread flush --env 'submit*'
// verdict: inconclusive
// options: --thread drain --env 'rude*'
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct list_head {
    struct list_head *next, *prev;
};
#define LIST_HEAD_INIT(name) {&(name), &(name)}
#define first_entry(head, type, member) \
    ((type *)((char *)(head)->next - offsetof(type, member)))

static void insert(struct list_head *new, struct list_head *prev, struct list_head *next) {
    next->prev = new;
    new->next = next;
    new->prev = prev;
    prev->next = new;
}
static void list_add_tail(struct list_head *new, struct list_head *head) {
    insert(new, head->prev, head);
}
static void list_del(struct list_head *entry) {
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
}
static int list_empty(const struct list_head *head) { return head->next == head; }

struct request {
    int done;
    struct list_head link;
};
struct device {
    pthread_mutex_t lock;
    struct list_head queue, failed;
    int completed;
} dev = {PTHREAD_MUTEX_INITIALIZER, LIST_HEAD_INIT(dev.queue), LIST_HEAD_INIT(dev.failed), 0};

void drain(void) {
    pthread_mutex_lock(&dev.lock);
    while (!list_empty(&dev.queue)) {
        struct request *r = first_entry(&dev.queue, struct request, link);
        list_del(&r->link);
        r->done = 1;
        dev.completed++;
    }
    pthread_mutex_unlock(&dev.lock);
}

void drain_dropping_lock(void) {
    pthread_mutex_lock(&dev.lock);
    while (!list_empty(&dev.queue)) {
        struct request *r = first_entry(&dev.queue, struct request, link);
        list_del(&r->link);
        pthread_mutex_unlock(&dev.lock);
        r->done = 1;
        pthread_mutex_lock(&dev.lock);
    }
    pthread_mutex_unlock(&dev.lock);
}

void requeue(void) {
    pthread_mutex_lock(&dev.lock);
    while (!list_empty(&dev.queue)) {
        struct request *r = first_entry(&dev.queue, struct request, link);
        list_del(&r->link);
        list_add_tail(&r->link, &dev.queue);
    }
    pthread_mutex_unlock(&dev.lock);
}

void flush(void) {
    pthread_mutex_lock(&dev.lock);
    while (!list_empty(&dev.queue)) {
        struct request *r = first_entry(&dev.queue, struct request, link);
        list_del(&r->link);
        list_add_tail(&r->link, &dev.failed);
    }
    pthread_mutex_unlock(&dev.lock);
}

void submit(void) {
    struct request *r = malloc(sizeof *r);
    if (!r)
        return;
    pthread_mutex_lock(&dev.lock);
    list_add_tail(&r->link, &dev.queue);
    pthread_mutex_unlock(&dev.lock);
}

// Writes to the list without its functions and without the lock.
void rude(void) { dev.queue.next = &dev.failed; }
