// verdict: holds
/* <threads.h>: call_once, tss with a destructor, and a result. */
#include <assert.h>
#include <threads.h>
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int made, destroyed;
static void make(void) {
    made++;
    tss_create(&key, (tss_dtor_t)0);
}
static int work(void *a) {
    call_once(&flag, make);
    tss_set(key, a);
    return tss_get(key) == a ? 7 : 8;
}
int main(void) {
    thrd_t t;
    int result;
    thrd_create(&t, work, &key);
    call_once(&flag, make);
    thrd_join(t, &result);
    assert(result == 7 && made == 1 && destroyed == 0);
    return 0;
}
