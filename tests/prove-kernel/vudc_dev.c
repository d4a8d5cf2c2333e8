// A virtual device controller gives its lock back for every request that it ends.
// verdict: violated
// options: --thread stop --env 'queue*'
// verdict: holds
// options: --thread stop --env 'stop*'
#include "kernel.h"
#include "list.h"

struct usb_request {
    int status;
    unsigned actual;
};
struct usb_ep {
    int address;
};
struct vep {
    struct usb_ep ep;
    struct list_head req_queue;
};
#include "drivers/usb/usbip/vudc.h/struct vrequest"
struct vudc {
    spinlock_t lock;
    struct vep first;
} device = {.first.req_queue = LIST_HEAD_INIT(device.first.req_queue)};
#define to_vep(e) container_of(e, struct vep, ep)
#define to_vrequest(r) container_of(r, struct vrequest, req)
#define ep_to_vudc(e) (&device)
static inline void usb_gadget_giveback_request(struct usb_ep *ep, struct usb_request *request) {}
#include "drivers/usb/usbip/vudc_dev.c/vep_queue"
#include "drivers/usb/usbip/vudc_dev.c/nuke"

void stop(void) {
    spin_lock(&device.lock);
    nuke(&device, &device.first);
    spin_unlock(&device.lock);
}
void queue(void) {
    struct vrequest *request = malloc(sizeof *request);
    if (request)
        vep_queue(&device.first.ep, &request->req, 0);
}
