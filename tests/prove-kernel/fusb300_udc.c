// Whether the queue is empty is asked without the lock, which is taken for each request and given
// back in the middle.
// verdict: violated
// options: --thread disable --env 'queue*'
// verdict: holds
// options: --thread disable --env 'disable*'
#include "kernel.h"
#include "list.h"

struct usb_request {
    int status;
    unsigned actual;
};
struct usb_ep {
    void *desc;
};
struct fusb300_request {
    struct usb_request req;
    struct list_head queue;
};
struct fusb300 {
    spinlock_t lock;
    struct { int speed; } gadget;
};
struct fusb300_ep {
    struct usb_ep ep;
    struct fusb300 *fusb300;
    struct list_head queue;
    unsigned stall;
    u8 epnum;
};
enum { USB_SPEED_UNKNOWN };
static inline void usb_gadget_giveback_request(struct usb_ep *ep, struct usb_request *request) {}
static inline void enable_fifo_int(struct fusb300_ep *ep) {}
static inline void disable_fifo_int(struct fusb300_ep *ep) {}
static inline void ep0_queue(struct fusb300_ep *ep, struct fusb300_request *request) {}
static inline void fusb300_set_cxdone(struct fusb300 *controller) {}
static inline int fusb300_ep_release(struct fusb300_ep *ep) { return 0; }
#include "drivers/usb/gadget/udc/fusb300_udc.c/done"
#include "drivers/usb/gadget/udc/fusb300_udc.c/fusb300_queue"
#include "drivers/usb/gadget/udc/fusb300_udc.c/fusb300_disable"

struct fusb300 controller = {.gadget.speed = 2};
struct fusb300_ep endpoint = {.fusb300 = &controller, .queue = LIST_HEAD_INIT(endpoint.queue), .epnum = 1};
void disable(void) { fusb300_disable(&endpoint.ep); }
void queue(void) {
    struct fusb300_request *request = malloc(sizeof *request);
    if (request)
        fusb300_queue(&endpoint.ep, &request->req, 0);
}
