// Loops of network drivers: rings, counters and queues of packets. The indices of the first ring wrap
// around, so how far one is from the other ranks the loop.
// verdict: holds
// options: --thread clear_ring --env 'transmit*'
// verdict: violated
// options: --thread wait_for_abort --env 'command*'
// verdict: holds
// options: --thread free_dev --env 'hold*'
// verdict: violated
// options: --thread receive --env 'receive_packet*' --list-push skb_queue_tail --list-pop skb_dequeue
// verdict: violated
// options: --thread deferred --env 'defer*' --list-push skb_queue_tail --list-pop __skb_dequeue
// verdict: holds
// options: --thread pending --env 'add_pending*' --list-push skb_queue_tail --list-pop __skb_dequeue
#include "kernel.h"

struct sk_buff {
    int cb;
};
struct sk_buff_head {
    struct sk_buff *next, *prev;
    spinlock_t lock;
};
void skb_queue_tail(struct sk_buff_head *, struct sk_buff *);
struct sk_buff *skb_dequeue(struct sk_buff_head *);
struct sk_buff *__skb_dequeue(struct sk_buff_head *);

// The ring of sc92031.
struct sc92031_priv {
    spinlock_t lock;
    unsigned tx_head, tx_tail;
} sc;
struct net_device {
    struct { unsigned long tx_dropped; } stats;
} netdev;
#define netdev_priv(dev) (&sc)
#include "drivers/net/ethernet/silan/sc92031.c/_sc92031_tx_clear"
void clear_ring(void) {
    spin_lock(&sc.lock);
    _sc92031_tx_clear(&netdev);
    spin_unlock(&sc.lock);
}
void transmit(void) {
    spin_lock(&sc.lock);
    sc.tx_head++;
    spin_unlock(&sc.lock);
}

// Commands of the administration queue of ena.
struct ena_com_admin_queue {
    spinlock_t q_lock;
    atomic_t outstanding_cmds;
};
struct ena_com_dev {
    struct ena_com_admin_queue admin_queue;
    u32 ena_min_poll_delay_us;
} ena;
static inline void ena_delay_exponential_backoff_us(u32 exp, u32 delay) {}
#include "drivers/net/ethernet/amazon/ena/ena_com.c/ena_com_wait_for_abort_completion"
void wait_for_abort(void) { ena_com_wait_for_abort_completion(&ena); }
void command(void) {
    atomic_inc(&ena.admin_queue.outstanding_cmds);
    atomic_dec(&ena.admin_queue.outstanding_cmds);
}

// References to a device of cnic.
struct cnic_dev {
    atomic_t ref_count;
    struct net_device *netdev;
} cnic;
#define netdev_err(...) ((void)0)
#define netdev_info(...) ((void)0)
static inline void dev_put(struct net_device *dev) {}
#include "drivers/net/ethernet/broadcom/cnic.c/cnic_free_dev"
void free_dev(void) { cnic_free_dev(&cnic); }
void hold(void) {
    atomic_inc(&cnic.ref_count);
    atomic_dec(&cnic.ref_count);
}

// Queues of packets: of sfc, of chtls (which gives its lock back), of cxgb4.
struct sk_buff_head queue;
static inline void local_bh_disable(void) {}
static inline void local_bh_enable(void) {}
static inline void netif_receive_skb(struct sk_buff *skb) {}
#include "drivers/net/ethernet/sfc/ptp.c/efx_ptp_deliver_rx_queue"
void receive(void) { efx_ptp_deliver_rx_queue(&queue); }
void receive_packet(void) { skb_queue_tail(&queue, malloc(sizeof(struct sk_buff))); }

struct work_struct {
    int pending;
};
struct chtls_dev {
    struct sk_buff_head deferq;
    struct work_struct deferq_task;
} chtls;
struct deferred {
    void (*handler)(struct chtls_dev *, struct sk_buff *);
};
static void handle(struct chtls_dev *device, struct sk_buff *skb) {}
static struct deferred deferred_cb = {handle};
#define DEFERRED_SKB_CB(skb) (&deferred_cb)
#include "drivers/net/ethernet/chelsio/inline_crypto/chtls/chtls_main.c/process_deferq"
void deferred(void) { process_deferq(&chtls.deferq_task); }
void defer(void) {
    spin_lock_bh(&chtls.deferq.lock);
    skb_queue_tail(&chtls.deferq, malloc(sizeof(struct sk_buff)));
    spin_unlock_bh(&chtls.deferq.lock);
}

struct adapter {
    int id;
} adapter;
struct l2t_entry {
    spinlock_t lock;
    struct sk_buff_head arpq;
} l2t;
static inline void t4_ofld_send(struct adapter *adap, struct sk_buff *skb) {}
#include "drivers/net/ethernet/chelsio/cxgb4/l2t.c/send_pending"
void pending(void) {
    spin_lock_bh(&l2t.lock);
    send_pending(&adapter, &l2t);
    spin_unlock_bh(&l2t.lock);
}
void add_pending(void) {
    spin_lock_bh(&l2t.lock);
    skb_queue_tail(&l2t.arpq, malloc(sizeof(struct sk_buff)));
    spin_unlock_bh(&l2t.lock);
}
