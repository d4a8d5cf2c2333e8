// Packets of a receiver: one loop under the lock, one (ours) that takes it for each packet. That the
// address of an element is not null is not known, so no run is shown.
// verdict: holds
// options: --thread clear --env 'add*'
// verdict: inconclusive
// options: --thread pop_all --env 'add*'
// verdict: holds
// options: --thread pop_all --env 'clear*'
#include "kernel.h"
#include "list.h"

struct usb_serial_port {
    int dev;
};
#include "drivers/usb/serial/garmin_gps.c/struct garmin_packet"
struct garmin_data {
    u8 state;
    u16 flags;
    struct usb_serial_port *port;
    int seq_counter;
    spinlock_t lock;
    struct list_head pktlist;
};
#include "drivers/usb/serial/garmin_gps.c/FLAGS_QUEUING"
#include "drivers/usb/serial/garmin_gps.c/STATE_GSP_WAIT_DATA"
static inline void gsp_next_packet(struct garmin_data *data) {}
#include "drivers/usb/serial/garmin_gps.c/pkt_add"
#include "drivers/usb/serial/garmin_gps.c/pkt_pop"
#include "drivers/usb/serial/garmin_gps.c/pkt_clear"

struct garmin_data gps = {.pktlist = LIST_HEAD_INIT(gps.pktlist)};
void clear(void) { pkt_clear(&gps); }
void pop_all(void) {
    while (pkt_pop(&gps))
        ;
}
void add(unsigned char *data, unsigned length) { pkt_add(&gps, data, length); }
