// Loops of drivers, each with a mistake of which it does not end. Written for this suite, with their environment; no code of
// a kernel.
// verdict: violated
// options: --thread reap_past_the_head --env 'fill*'
// verdict: violated
// options: --thread clear_all_buffers --env 'resize*'
// verdict: violated
// options: --thread free_descriptors --env 'fill*'
// verdict: violated
// options: --thread drain_looks_twice --env 'receive*'
// verdict: violated
// options: --thread retry_with_a_shared_count --env 'retry_with_a_shared_count*'
// verdict: violated
// options: --thread retry_until_quiet --env 'change_status*'
// verdict: violated
// options: --thread wait_for_both_bits --env 'set_one_bit*'
// verdict: violated
// options: --thread acknowledge_interrupts --env 'raise_interrupt*'
// verdict: violated
// options: --thread acknowledge_old_mask --env 'raise_interrupt*'
// verdict: violated
// options: --thread cancel_timer --env 'set_timer*'
// verdict: violated
// options: --thread wait_for_deadline --env 'set_timer*'
// verdict: violated
// options: --thread balance --env 'send*'
// verdict: violated
// options: --thread wait_for_users --env 'take*'
// verdict: violated
// options: --thread push_without_reading_again --env 'take*'
// verdict: violated
// options: --thread drain_in_pieces --env 'receive*'
// verdict: violated
// options: --thread drain_under_another_lock --env 'receive*'
// verdict: violated
// options: --thread drain_with_two_locks --env 'receive*'
// verdict: violated
// options: --thread skip_busy --env 'change_status*'
// verdict: violated
// options: --thread scan_channels --env 'change_status*'
// verdict: violated
// options: --thread reduce_rate --env 'fill*'
// verdict: violated
// options: --thread ramp_up_and_down --env 'fill*'
// verdict: violated
// options: --thread halve_rounded_up --env 'resize*'
// verdict: violated
// options: --thread read_sequence --env 'begin_to_write*'
// verdict: violated
// options: --thread wait_for_my_turn --env 'wait_for_my_turn*'
// verdict: violated
// options: --thread polite --env 'polite*'
// verdict: violated
// options: --thread fill_to_the_limit --env 'raise_limit*'
// verdict: violated
// options: --thread shift_out_by_register --env 'change_shift*'
#include <stdatomic.h>

typedef struct {
    int raw;
} spinlock_t;
void spin_lock(spinlock_t *);
void spin_unlock(spinlock_t *);
int nondet(void);

struct ring {
    spinlock_t lock;
    unsigned head, tail, size;
    int waiting, retries;
} ring = {.head = 5, .size = 256, .waiting = 3};
struct port {
    spinlock_t lock;
    _Atomic int status, deadline, limit;
    _Atomic unsigned pending, shift;
    int timer, in, out;
} port = {.pending = 5, .limit = 8, .timer = 3, .shift = 1, .in = 1, .deadline = 10};
_Atomic int users;

// The tail runs past the head if it starts beyond it.
void reap_past_the_head(void) {
    spin_lock(&ring.lock);
    while (ring.tail != ring.head)
        ring.tail = (ring.tail + 2) & 7;
    spin_unlock(&ring.lock);
}

// The index wraps around before it reaches the size.
void clear_all_buffers(void) {
    for (unsigned char i = 0; i < ring.size; i++)
        ring.retries = i;
}

// Counts down an unsigned number.
void free_descriptors(void) {
    for (unsigned i = ring.head & 7; i >= 0; i--)
        ring.retries = (int)i;
}

// Looks at the number of packets under the lock, but once more outside of it.
void drain_looks_twice(void) {
    while (ring.waiting > 0) {
        spin_lock(&ring.lock);
        if (ring.waiting > 0)
            ring.waiting--;
        spin_unlock(&ring.lock);
    }
}

// The retries are counted in a variable that everybody shares.
void retry_with_a_shared_count(void) {
    for (ring.retries = 0; ring.retries < 3; ring.retries++)
        ;
}

// The count goes back to zero after each success.
void retry_until_quiet(void) {
    int errors = 0;
    while (errors < 3)
        errors = port.status ? errors + 1 : 0;
}

// The status has two bits; only one of them ever comes.
void wait_for_both_bits(void) {
    while ((port.status & 3) != 3)
        ;
}

// Acknowledges all bits but the one that is set again.
void acknowledge_interrupts(void) {
    while (port.pending)
        port.pending &= port.pending - 1;
}

// The mask is the one that was read before.
void acknowledge_old_mask(void) {
    unsigned seen = port.pending;
    while (port.pending)
        port.pending &= ~seen;
}

// The timer is set again by its own handler.
void cancel_timer(void) {
    while (port.timer > 0)
        port.timer--;
}

// The deadline moves with every packet.
void wait_for_deadline(void) {
    for (int now = 0; now < port.deadline; now++)
        if (now > 1000)
            now = 0;
}

// Both directions in one loop.
void balance(void) {
    while (port.in != port.out) {
        if (port.in < port.out)
            port.in = port.in + 2;
        else
            port.in = port.in - 1;
    }
}

// The reference that it waits for is its own.
void wait_for_users(void) {
    atomic_fetch_add(&users, 1);
    while (users > 0)
        ;
    atomic_fetch_sub(&users, 1);
}

// A compare-and-exchange that never reads again.
void push_without_reading_again(void) {
    int old = users;
    int seen = old;
    while (!atomic_compare_exchange_strong(&users, &seen, old + 1))
        seen = old;
}

// Gives its lock back in the middle.
void drain_in_pieces(void) {
    spin_lock(&ring.lock);
    while (ring.waiting > 0) {
        ring.waiting--;
        spin_unlock(&ring.lock);
        spin_lock(&ring.lock);
    }
    spin_unlock(&ring.lock);
}

// Holds the lock of another queue.
void drain_under_another_lock(void) {
    spin_lock(&port.lock);
    while (ring.waiting > 0)
        ring.waiting--;
    spin_unlock(&port.lock);
}

// Two locks, of which it gives the wrong one back.
void drain_with_two_locks(void) {
    spin_lock(&port.lock);
    spin_lock(&ring.lock);
    while (ring.waiting > 0) {
        spin_unlock(&ring.lock);
        spin_lock(&ring.lock);
        ring.waiting--;
    }
    spin_unlock(&ring.lock);
    spin_unlock(&port.lock);
}

// Moves what it cannot use to the end of the same queue.
void skip_busy(void) {
    spin_lock(&ring.lock);
    while (ring.waiting > 0) {
        ring.waiting--;
        if (port.status)
            ring.waiting++;
    }
    spin_unlock(&ring.lock);
}

// The inner loop begins anew whenever the outer one has not moved.
void scan_channels(void) {
    for (int channel = 0; channel < 4;) {
        int tries = 0;
        while (tries < 3 && !port.status)
            tries++;
        if (port.status)
            channel++;
    }
}

// A greatest common divisor of negative numbers.
void reduce_rate(void) {
    int a = nondet(), b = nondet();
    while (a != b) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
}

// First up, then down, and up again.
void ramp_up_and_down(void) {
    int speed = 0, up = 1;
    while (speed >= 0) {
        if (speed == 5)
            up = 0;
        if (speed == 1)
            up = 1;
        speed += up ? 1 : -1;
    }
}

// Halves rounded up.
void halve_rounded_up(void) {
    for (unsigned size = ring.size; size > 0; size = (size + 1) / 2)
        ;
}

// The sequence number may be odd for ever.
void read_sequence(void) {
    int before;
    do
        before = port.in;
    while (before & 1 || before != port.in);
}

// The flag is cleared by whoever sees it first.
void wait_for_my_turn(void) {
    while (!atomic_exchange(&users, 0))
        ;
}

// Only as long as nobody else does the same.
void polite(void) {
    for (;;) {
        atomic_fetch_add(&users, 1);
        if (users == 1)
            break;
        atomic_fetch_sub(&users, 1);
    }
}

// Adds as long as the sum is below a limit that another one raises.
void fill_to_the_limit(void) {
    int sum = 0;
    while (sum < port.limit)
        sum = sum == 64 ? 0 : sum + 1;
}

// Shifts by what the other side writes.
void shift_out_by_register(void) {
    unsigned word = 0x80;
    while (word)
        word >>= port.shift & 7;
}

void fill(void) {
    spin_lock(&ring.lock);
    ring.head = (ring.head + 1) & 7;
    spin_unlock(&ring.lock);
}

void resize(void) { ring.size = 256; }

void receive(void) {
    spin_lock(&ring.lock);
    if (ring.waiting < 8)
        ring.waiting++;
    spin_unlock(&ring.lock);
}

void change_status(void) { port.status = nondet(); }

void set_one_bit(void) { port.status |= 1; }

void raise_interrupt(void) { port.pending |= 4; }

void set_timer(void) {
    port.timer = 3;
    port.deadline = 2000;
}

void send(void) { port.out = nondet(); }

void take(void) {
    atomic_fetch_add(&users, 1);
    atomic_fetch_sub(&users, 1);
}

void begin_to_write(void) { port.in = 1; }

void raise_limit(void) { port.limit = 100; }

void change_shift(void) { port.shift = nondet() & 3; }
