/* One part of the thread library for each value of PART; all are used right,
 * so whatever is reported is wrong. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#if PART == 1 /* recursive and error-checking mutexes */
static pthread_mutex_t r, e;
static void *work(void *arg) {
    assert(pthread_mutex_lock(&r) == 0);
    assert(pthread_mutex_lock(&r) == 0);
    assert(pthread_mutex_trylock(&r) == 0);
    for (int i = 0; i < 3; i++) assert(pthread_mutex_unlock(&r) == 0);
    assert(pthread_mutex_unlock(&e) == EPERM);
    assert(pthread_mutex_lock(&e) == 0);
    assert(pthread_mutex_lock(&e) == EDEADLK);
    assert(pthread_mutex_unlock(&e) == 0);
    return arg;
}
int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&r, &a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&e, &a);
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
#elif PART == 2 /* semaphores: a try fails without waiting */
static sem_t s;
static int got;
static void *work(void *arg) {
    if (sem_trywait(&s) == 0) __atomic_fetch_add(&got, 1, __ATOMIC_SEQ_CST);
    else assert(errno == EAGAIN);
    return arg;
}
int main(void) {
    int value;
    sem_init(&s, 0, 1);
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(got == 1);
    assert(sem_getvalue(&s, &value) == 0 && value == 0);
    sem_post(&s);
    sem_wait(&s);
    return 0;
}
#elif PART == 3 /* barriers: exactly one serial thread in each round */
static pthread_barrier_t b;
static int serial;
static void *work(void *arg) {
    for (int i = 0; i < 2; i++)
        if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
    return arg;
}
int main(void) {
    pthread_barrier_init(&b, 0, 2);
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(serial == 2);
    return 0;
}
#elif PART == 4 /* readers and writers */
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int data, copies[2];
static void *reader(void *arg) {
    pthread_rwlock_rdlock(&l);
    copies[(long)arg] = data;
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, reader, (void *)0);
    pthread_create(&u, 0, reader, (void *)1);
    pthread_rwlock_wrlock(&l);
    data = 1;
    data = 2;
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(copies[0] != 1 && copies[1] != 1);
    return 0;
}
#elif PART == 5 /* once, keys and pthread_exit with handlers */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int made, destroyed, cleaned;
static void destroy(void *value) { destroyed += *(int *)value; }
static void make(void) { made++; pthread_key_create(&key, destroy); }
static void clean(void *arg) { cleaned += *(int *)arg; }
static void *work(void *arg) {
    static int one = 1;
    pthread_once(&once, make);
    pthread_setspecific(key, &one);
    pthread_cleanup_push(clean, &one);
    pthread_exit(arg);
    pthread_cleanup_pop(0);
    return 0;
}
int main(void) {
    pthread_t t, u;
    void *result;
    pthread_create(&t, 0, work, (void *)7);
    pthread_create(&u, 0, work, (void *)8);
    pthread_join(t, &result);
    assert(result == (void *)7);
    pthread_join(u, &result);
    assert(result == (void *)8);
    assert(made == 1 && destroyed == 2 && cleaned == 2);
    return 0;
}
#elif PART == 6 /* spin locks and timed waits */
static pthread_spinlock_t s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int n;
static void *work(void *arg) {
    pthread_spin_lock(&s);
    n++;
    pthread_spin_unlock(&s);
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    struct timespec until;
    pthread_spin_init(&s, 0);
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    pthread_mutex_lock(&m);
    int code = pthread_cond_timedwait(&c, &m, &until);
    assert(code == 0 || code == ETIMEDOUT);
    pthread_mutex_unlock(&m);
    pthread_spin_lock(&s);
    n++;
    pthread_spin_unlock(&s);
    pthread_join(t, 0);
    assert(n == 2);
    return 0;
}
#elif PART == 7 /* C11 */
static mtx_t m;
static cnd_t c;
static int ready;
static int work(void *arg) {
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    return 5 + (arg != 0);
}
int main(void) {
    thrd_t t;
    int result;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, work, 0);
    mtx_lock(&m);
    while (!ready) cnd_wait(&c, &m);
    mtx_unlock(&m);
    thrd_join(t, &result);
    assert(result == 5);
    return 0;
}
#elif PART == 8 /* a futex by hand */
static int word;
static long futex(int op, int value) { return syscall(SYS_futex, &word, op, value, 0, 0, 0); }
static void *work(void *arg) {
    __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
    futex(FUTEX_WAKE, 1);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    while (__atomic_load_n(&word, __ATOMIC_SEQ_CST) == 0) futex(FUTEX_WAIT, 0);
    pthread_join(t, 0);
    return 0;
}
#elif PART == 9 /* the main thread leaves first; a detached thread */
static sem_t s;
static void *work(void *arg) {
    sem_post(&s);
    return arg;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, work, 0);
    pthread_detach(t);
    sem_wait(&s);
    pthread_exit(0);
}
#elif PART == 10 /* time, random numbers and process numbers: the same again */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    unsigned seed = (unsigned)time(0) ^ (unsigned)getpid();
    if (rand_r(&seed) & 1) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
#endif
