// Lists of the kernel: its own functions and macros.
#define WRITE_ONCE(x, value) (*(volatile typeof(x) *)&(x) = (value))
#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, value) __atomic_store_n(p, value, __ATOMIC_RELEASE)
#define LIST_POISON1 NULL
#define LIST_POISON2 NULL
struct list_head {
    struct list_head *next, *prev;
};
#include "include/linux/list.h/LIST_HEAD_INIT"
#include "include/linux/list.h/INIT_LIST_HEAD"
static inline bool __list_add_valid(struct list_head *a, struct list_head *b, struct list_head *c) {
    return true;
}
static inline bool __list_del_entry_valid(struct list_head *a) { return true; }
#include "include/linux/list.h/__list_add"
#include "include/linux/list.h/list_add"
#include "include/linux/list.h/list_add_tail"
#include "include/linux/list.h/__list_del"
#include "include/linux/list.h/__list_del_entry"
#include "include/linux/list.h/list_del"
#include "include/linux/list.h/list_del_init"
#include "include/linux/list.h/list_empty"
#include "include/linux/list.h/list_entry"
#include "include/linux/list.h/list_first_entry"
