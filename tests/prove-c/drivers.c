// Loops in the shapes that device drivers have, with their environment: locks and lists as Linux
// declares them, written for this suite (no code of a kernel).
// verdict: holds
// options: --thread tx_reclaim --env 'tx_submit*'
// verdict: holds
// options: --thread napi_poll --env 'rx_interrupt*'
// verdict: violated
// options: --thread rx_drain --env 'rx_interrupt*'
// verdict: holds
// options: --thread reset_wait --env 'firmware*'
// verdict: violated
// options: --thread ready_wait --env 'firmware*'
// verdict: holds
// options: --thread ready_wait --env firmware --fair
// verdict: holds
// options: --thread cancel_all --env 'queue_urb*'
// verdict: violated
// options: --thread cancel_unlocked --env 'queue_urb*'
// verdict: holds
// options: --thread put_all --env 'get_one*'
// verdict: violated
// options: --thread wait_unused --env 'get_one*'
// verdict: holds
// options: --thread copy_fifo --env 'fifo_fill*'
// verdict: violated
// options: --thread spin_fifo --env 'fifo_fill*'
// verdict: holds
// options: --thread flush_work --env 'queue_work*'
// verdict: violated
// options: --thread run_work --env 'queue_work*'
// verdict: holds
// options: --thread retry_command --env 'device*'
// verdict: violated
// options: --thread resubmit --env 'queue_urb*'
#include <stddef.h>
#include <stdlib.h>

typedef struct {
    int raw;
} spinlock_t;
void spin_lock(spinlock_t *);
void spin_unlock(spinlock_t *);
struct list_head {
    struct list_head *next, *prev;
};
void list_add_tail(struct list_head *, struct list_head *);
void list_del(struct list_head *);
void list_splice_init(struct list_head *, struct list_head *);
int list_empty(const struct list_head *);
int nondet(void);
#define first(head, type, member) ((type *)((char *)(head)->next - offsetof(type, member)))

struct nic {
    spinlock_t lock;
    unsigned head, tail; // of the transmit ring; head - tail are in flight
    int received;        // packets that wait
    _Atomic int status;
} nic;

// Frees the descriptors that are done; nobody else moves the tail.
void tx_reclaim(void) {
    spin_lock(&nic.lock);
    int in_flight = (int)(nic.head - nic.tail);
    while (in_flight > 0) {
        nic.tail++;
        in_flight--;
    }
    spin_unlock(&nic.lock);
}

void tx_submit(void) {
    spin_lock(&nic.lock);
    nic.head++;
    spin_unlock(&nic.lock);
}

// At most `budget` packets, however many arrive.
void napi_poll(int budget) {
    int done = 0;
    while (done < budget) {
        spin_lock(&nic.lock);
        int some = nic.received > 0;
        if (some)
            nic.received--;
        spin_unlock(&nic.lock);
        if (!some)
            break;
        done++;
    }
}

// As many as there are.
void rx_drain(void) {
    for (;;) {
        spin_lock(&nic.lock);
        int some = nic.received > 0;
        if (some)
            nic.received--;
        spin_unlock(&nic.lock);
        if (!some)
            break;
    }
}

void rx_interrupt(void) {
    spin_lock(&nic.lock);
    if (nic.received < 64)
        nic.received++;
    spin_unlock(&nic.lock);
}

// Waits for a register, but not for ever.
void reset_wait(void) {
    for (int tries = 100; tries > 0 && !nic.status; tries--)
        ;
}

void ready_wait(void) {
    while (!nic.status)
        ;
}

void firmware(void) { nic.status = 1; }

struct urb {
    int state;
    struct list_head link;
};
struct host {
    spinlock_t lock;
    struct list_head urbs, done;
} host;

void cancel_all(void) {
    spin_lock(&host.lock);
    while (!list_empty(&host.urbs)) {
        struct urb *urb = first(&host.urbs, struct urb, link);
        list_del(&urb->link);
        urb->state = -1;
        list_add_tail(&urb->link, &host.done);
    }
    spin_unlock(&host.lock);
}

// The lock is given back for the call that completes an element.
void cancel_unlocked(void) {
    spin_lock(&host.lock);
    while (!list_empty(&host.urbs)) {
        struct urb *urb = first(&host.urbs, struct urb, link);
        list_del(&urb->link);
        spin_unlock(&host.lock);
        free(urb);
        spin_lock(&host.lock);
    }
    spin_unlock(&host.lock);
}

void resubmit(void) {
    spin_lock(&host.lock);
    while (!list_empty(&host.urbs)) {
        struct urb *urb = first(&host.urbs, struct urb, link);
        list_del(&urb->link);
        list_add_tail(&urb->link, &host.urbs);
    }
    spin_unlock(&host.lock);
}

void queue_urb(void) {
    struct urb *urb = malloc(sizeof *urb);
    if (!urb)
        return;
    spin_lock(&host.lock);
    list_add_tail(&urb->link, &host.urbs);
    spin_unlock(&host.lock);
}

struct module {
    spinlock_t lock;
    int users;
} module;

void put_all(void) {
    spin_lock(&module.lock);
    while (module.users > 0)
        module.users--;
    spin_unlock(&module.lock);
}

void wait_unused(void) {
    for (;;) {
        spin_lock(&module.lock);
        int users = module.users;
        spin_unlock(&module.lock);
        if (users <= 0)
            break;
    }
}

void get_one(void) {
    spin_lock(&module.lock);
    if (module.users < 100)
        module.users++;
    spin_unlock(&module.lock);
}

// A FIFO whose level the device raises.
int level;

void copy_fifo(void) {
    int n = level;
    if (n > 16)
        n = 16;
    while (n-- > 0)
        ;
}

void spin_fifo(void) {
    while (level > 0)
        ;
}

void fifo_fill(void) { level = 8; }

struct pool {
    spinlock_t lock;
    struct list_head work, mine;
} pool;
struct work {
    struct list_head link;
};

// Takes all work that there is, and no more.
void flush_work(void) {
    int count = 0;
    spin_lock(&pool.lock);
    while (!list_empty(&pool.work)) {
        struct work *w = first(&pool.work, struct work, link);
        list_del(&w->link);
        count++;
    }
    spin_unlock(&pool.lock);
    while (count > 0)
        count--;
}

// Takes work as long as some comes.
void run_work(void) {
    for (;;) {
        spin_lock(&pool.lock);
        if (list_empty(&pool.work)) {
            spin_unlock(&pool.lock);
            break;
        }
        struct work *w = first(&pool.work, struct work, link);
        list_del(&w->link);
        spin_unlock(&pool.lock);
    }
}

void queue_work(void) {
    struct work *w = malloc(sizeof *w);
    spin_lock(&pool.lock);
    list_add_tail(&w->link, &pool.work);
    spin_unlock(&pool.lock);
}

// Two nested loops: commands are sent three times, each with a bounded wait.
void retry_command(void) {
    for (int retry = 0; retry < 3; retry++) {
        int left = 1000;
        while (left > 0 && nic.status != 2)
            left--;
        if (nic.status == 2)
            break;
    }
}

void device(void) { nic.status = nondet(); }
