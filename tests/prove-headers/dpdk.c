// Loops of DPDK's headers (package libdpdk-dev), with threads beside them. The code is that of the
// installed headers; nothing of it is here.
// clang: -I/usr/include/dpdk
// clang: -I/usr/include/x86_64-linux-gnu/dpdk
// verdict: violated
// options: --thread spin_lock --env 'spin_user*'
// verdict: holds
// options: --thread spin_tries --env 'spin_user*'
// verdict: violated
// options: --thread read_lock --env 'write_user*'
// verdict: violated
// options: --thread write_lock --env 'read_user*'
// verdict: violated
// options: --thread ticket_lock --env 'ticket_user*'
// verdict: violated
// options: --thread phase_read --env 'phase_writer*'
// verdict: violated
// options: --thread sequence_read --env 'sequence_writer*'
// verdict: violated
// options: --thread phase_write --env 'phase_reader*'
// verdict: violated
// options: --thread ring_tail --env 'ring_tail*'
// verdict: holds
// options: --thread common_divisor --env ''
#define RTE_FORCE_INTRINSICS
#define ALLOW_EXPERIMENTAL_API
#include <rte_config.h>
#include <rte_common.h>
#include <rte_spinlock.h>
#include <rte_rwlock.h>
#include <rte_ticketlock.h>
#include <rte_pflock.h>
#include <rte_seqlock.h>
#include <rte_ring.h>
#include <rte_sched_common.h>

rte_spinlock_t spin;
void spin_lock(void) { rte_spinlock_lock(&spin); }
void spin_user(void) {
    rte_spinlock_lock(&spin);
    rte_spinlock_unlock(&spin);
}
void spin_tries(void) {
    for (int i = 0; i < 10 && !rte_spinlock_trylock(&spin); i++)
        ;
}

rte_rwlock_t rw;
void read_lock(void) { rte_rwlock_read_lock(&rw); }
void write_lock(void) { rte_rwlock_write_lock(&rw); }
void read_user(void) {
    rte_rwlock_read_lock(&rw);
    rte_rwlock_read_unlock(&rw);
}
void write_user(void) {
    rte_rwlock_write_lock(&rw);
    rte_rwlock_write_unlock(&rw);
}

rte_ticketlock_t ticket;
void ticket_lock(void) { rte_ticketlock_lock(&ticket); }
void ticket_user(void) {
    rte_ticketlock_lock(&ticket);
    rte_ticketlock_unlock(&ticket);
}

rte_pflock_t phase;
void phase_read(void) { rte_pflock_read_lock(&phase); }
void phase_write(void) { rte_pflock_write_lock(&phase); }
void phase_reader(void) {
    rte_pflock_read_lock(&phase);
    rte_pflock_read_unlock(&phase);
}
void phase_writer(void) {
    rte_pflock_write_lock(&phase);
    rte_pflock_write_unlock(&phase);
}

rte_seqlock_t sequence;
int config;
int sequence_read(void) {
    int seen;
    uint32_t number;
    do {
        number = rte_seqlock_read_begin(&sequence);
        seen = config;
    } while (rte_seqlock_read_retry(&sequence, number));
    return seen;
}
void sequence_writer(void) {
    rte_seqlock_write_lock(&sequence);
    config = 1;
    rte_seqlock_write_unlock(&sequence);
}

struct rte_ring ring = {.size = 8, .mask = 7, .capacity = 7};
void ring_tail(uint32_t old) { __rte_ring_update_tail(&ring.prod, old, old + 1, 0, 1); }

uint32_t common_divisor(uint32_t a, uint32_t b) { return rte_get_gcd(a, b); }

