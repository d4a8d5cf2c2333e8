// Requests that a driver has anchored. Scuttling takes them off under one lock; unlinking takes the
// lock anew for each; that the address of an element is not null is not known, so no run is shown.
// verdict: holds
// options: --thread scuttle --env 'submit*'
// verdict: violated
// options: --thread scuttle --env 'submit*,suspend*,resume*'
// verdict: inconclusive
// options: --thread unlink --env 'submit*'
// verdict: holds
// options: --thread unlink --env 'take*'
#include "kernel.h"
#include "list.h"

struct urb {
    struct list_head anchor_list;
    struct usb_anchor *anchor;
    atomic_t reject;
};
#include "include/linux/usb.h/struct usb_anchor"
static inline void usb_get_urb(struct urb *urb) {}
static inline void usb_put_urb(struct urb *urb) {}
static inline void usb_unlink_urb(struct urb *urb) {}
#include "drivers/usb/core/urb.c/usb_anchor_urb"
#include "drivers/usb/core/urb.c/usb_anchor_check_wakeup"
#include "drivers/usb/core/urb.c/__usb_unanchor_urb"
#include "drivers/usb/core/urb.c/usb_get_from_anchor"
#include "drivers/usb/core/urb.c/usb_scuttle_anchored_urbs"
#include "drivers/usb/core/urb.c/usb_unlink_anchored_urbs"
#include "drivers/usb/core/urb.c/usb_anchor_suspend_wakeups"
#include "drivers/usb/core/urb.c/usb_anchor_resume_wakeups"

struct usb_anchor anchor = {LIST_HEAD_INIT(anchor.urb_list)};
void scuttle(void) { usb_scuttle_anchored_urbs(&anchor); }
void unlink(void) { usb_unlink_anchored_urbs(&anchor); }
void submit(void) {
    struct urb *urb = malloc(sizeof *urb);
    if (urb)
        usb_anchor_urb(urb, &anchor);
}
void take(void) { usb_get_from_anchor(&anchor); }
void suspend(void) { usb_anchor_suspend_wakeups(&anchor); }
void resume(void) { usb_anchor_resume_wakeups(&anchor); }
