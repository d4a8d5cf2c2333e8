// The loops of Figures 1 and 8 of the paper, with lists and locks as Windows declares them.
// verdict: holds
// options: --thread cancel_all --env 'read_request*'
// verdict: violated
// options: --thread io_control --env 'read_request*'
// verdict: violated
// options: --thread cancel_all --env 'careless*'
#include <stdlib.h>

typedef struct _LIST_ENTRY {
    struct _LIST_ENTRY *Flink, *Blink;
} LIST_ENTRY;
typedef unsigned char KIRQL;
typedef unsigned long KSPIN_LOCK;
void InitializeListHead(LIST_ENTRY *);
void InsertTailList(LIST_ENTRY *, LIST_ENTRY *);
LIST_ENTRY *RemoveHeadList(LIST_ENTRY *);
int IsListEmpty(const LIST_ENTRY *);
void KeAcquireSpinLock(KSPIN_LOCK *, KIRQL *);
void KeReleaseSpinLock(KSPIN_LOCK *, KIRQL);
long InterlockedIncrement(long volatile *);

struct irp {
    int status;
    LIST_ENTRY link;
};
struct extension {
    KSPIN_LOCK spin;
    LIST_ENTRY reads, cancelled;
    long completed;
} ext;

void cancel_all(void) {
    KIRQL irql;
    KeAcquireSpinLock(&ext.spin, &irql);
    while (!IsListEmpty(&ext.reads)) {
        LIST_ENTRY *entry = RemoveHeadList(&ext.reads);
        InsertTailList(&ext.cancelled, entry);
    }
    KeReleaseSpinLock(&ext.spin, irql);
}

void io_control(void) {
    KIRQL irql;
    KeAcquireSpinLock(&ext.spin, &irql);
    while (!IsListEmpty(&ext.reads)) {
        RemoveHeadList(&ext.reads);
        KeReleaseSpinLock(&ext.spin, irql);
        InterlockedIncrement(&ext.completed);
        KeAcquireSpinLock(&ext.spin, &irql);
    }
    KeReleaseSpinLock(&ext.spin, irql);
}

void read_request(void) {
    KIRQL irql;
    struct irp *irp = malloc(sizeof *irp);
    KeAcquireSpinLock(&ext.spin, &irql);
    InsertTailList(&ext.reads, &irp->link);
    KeReleaseSpinLock(&ext.spin, irql);
}

void careless(void) {
    struct irp *irp = malloc(sizeof *irp);
    InsertTailList(&ext.reads, &irp->link);
}
