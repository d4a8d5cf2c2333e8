// Small concurrent programs that are written to be odd: wrap-around, locks of every kind, calls that hand
// structs over, jumps, atomics. Each begins with a line `//// TRUTH VERDICT NAME [OPTIONS]`: whether the
// thread `t` always ends, which the virtual machine finds out for itself, and what the prover answers.
// What stands before the first of these lines stands before each program.
#define _GNU_SOURCE
#include <exeunt.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
typedef unsigned char byte;
#define THREAD(f) void *f(void *arg)
#define START(f) pthread_create(&(pthread_t){0}, 0, f, 0)
#define MUTEX(m) pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
#define ONE int main(void) { START(t); pthread_exit(0); }
#define TWO int main(void) { START(t); START(e); pthread_exit(0); }
//// ends holds byte_wraps_to_zero
byte x = 250;
THREAD(t) { while (x != 0) x++; return arg; }
ONE
//// runs violated byte_is_below_256
int n = 256;
THREAD(t) { for (byte i = 0; i < n; i++) ; return arg; }
ONE
//// ends holds signed_char_falls_around
signed char x = 3;
THREAD(t) { while (x != 100) x--; return arg; }
ONE
//// runs violated two_byte_steps_miss
byte x = 1;
THREAD(t) { while (x != 0) x += 2; return arg; }
ONE
//// ends holds compares_minus_one_with_unsigned
int x = -1;
unsigned u = 5;
THREAD(t) { while (x < u) u = 5; return arg; }
ONE
//// runs violated short_never_gets_there
int n = 40000;
THREAD(t) { for (short i = 32760; i < n; i++) ; return arg; }
ONE
//// ends holds early_return_keeps_the_lock
MUTEX(m);
int x = 1;
THREAD(t) { for (int i = 0; i < 3; i++) { LOCK(m); if (x) return arg; UNLOCK(m); } return arg; }
THREAD(e) { LOCK(m); x = 0; UNLOCK(m); return arg; }
TWO
//// ends holds two_locks_in_two_orders
MUTEX(a);
MUTEX(b);
int x = 2;
THREAD(t) { LOCK(a); LOCK(b); while (x > 0) x--; UNLOCK(b); UNLOCK(a); return arg; }
THREAD(e) { for (;;) { LOCK(b); LOCK(a); x = 2; UNLOCK(a); UNLOCK(b); } return arg; }
TWO
//// runs violated two_locks_one_each
MUTEX(a);
MUTEX(b);
int x = 2;
THREAD(t) { LOCK(a); while (x > 0) x--; UNLOCK(a); return arg; }
THREAD(e) { for (;;) { LOCK(b); x = 2; UNLOCK(b); } return arg; }
TWO
//// ends holds recursive_lock
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int x = 2;
THREAD(t) { LOCK(m); LOCK(m); UNLOCK(m); while (x > 0) x--; UNLOCK(m); return arg; }
THREAD(e) { for (;;) { LOCK(m); x = 2; UNLOCK(m); } return arg; }
TWO
//// runs inconclusive recursive_lock_given_back_too_early
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int x = 2;
THREAD(t) { LOCK(m); LOCK(m); UNLOCK(m); UNLOCK(m); while (x > 0) x--; return arg; }
THREAD(e) { for (;;) { LOCK(m); x = 2; UNLOCK(m); } return arg; }
TWO
//// ends holds backward_goto
int x = 3;
THREAD(t) {
again:
    if (x > 0) { x--; goto again; }
    return arg;
}
ONE
//// runs violated goto_between_two_places
int x = 3;
THREAD(t) {
one:
    if (x > 0) { x--; goto two; }
    return arg;
two:
    x++;
    goto one;
}
ONE
//// ends holds continue_in_do_while
int x = 3;
THREAD(t) { do { if (x == 2) continue; } while (x-- > 0); return arg; }
ONE
//// ends holds switch_as_state_machine
int state;
THREAD(t) {
    for (;;)
        switch (state) {
        case 0: state = 1; break;
        case 1: state = 2; break;
        case 2: state = 7; break;
        default: return arg;
        }
}
ONE
//// runs violated switch_is_set_back
int state;
THREAD(t) {
    for (;;)
        switch (state) {
        case 0: state = 1; break;
        case 1: state = 2; break;
        default: return arg;
        }
}
THREAD(e) { for (;;) if (state == 1) state = 0; return arg; }
TWO
//// ends holds nested_structs
struct inner { char pad[3]; short n; };
struct outer { pthread_mutex_t lock; struct { struct inner a, b; } in; } o = { .lock = PTHREAD_MUTEX_INITIALIZER, .in.b.n = 3 };
THREAD(t) { LOCK(o.lock); while (o.in.b.n > 0) o.in.b.n--; UNLOCK(o.lock); return arg; }
THREAD(e) { for (;;) { o.in.a.n = 5; LOCK(o.lock); o.in.b.n = 2; UNLOCK(o.lock); } return arg; }
TWO
//// runs violated volatile_flag
volatile int flag;
THREAD(t) { while (!flag) ; return arg; }
THREAD(e) { flag = 1; return arg; }
TWO
//// runs inconclusive trylock_of_a_lock_that_is_kept
MUTEX(m);
THREAD(t) { while (pthread_mutex_trylock(&m)) ; return arg; }
THREAD(e) { LOCK(m); return arg; }
TWO
//// ends holds trylock_then_counts
MUTEX(m);
int x = 2;
THREAD(t) { if (pthread_mutex_trylock(&m)) return arg; while (x > 0) x--; UNLOCK(m); return arg; }
THREAD(e) { for (;;) { LOCK(m); x = 2; UNLOCK(m); } return arg; }
TWO
//// runs inconclusive trylock_forgets_to_look
MUTEX(m);
int x = 2;
THREAD(t) { pthread_mutex_trylock(&m); while (x > 0) x--; return arg; }
THREAD(e) { for (;;) { LOCK(m); x = 2; UNLOCK(m); } return arg; }
TWO
//// ends holds wait_counts_down
MUTEX(m);
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x = 2;
THREAD(t) { LOCK(m); while (x > 0) { x--; pthread_cond_wait(&c, &m); } UNLOCK(m); return arg; }
THREAD(e) { LOCK(m); pthread_cond_signal(&c); UNLOCK(m); return arg; }
TWO
//// runs violated wait_lets_others_in
MUTEX(m);
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x = 1;
THREAD(t) { LOCK(m); while (x > 0) { x--; pthread_cond_wait(&c, &m); } UNLOCK(m); return arg; }
THREAD(e) { for (;;) { LOCK(m); x = 1; pthread_cond_signal(&c); UNLOCK(m); } return arg; }
TWO
//// ends inconclusive fetch_sub_is_one_step
atomic_int x = 3;
THREAD(t) { while (atomic_fetch_sub(&x, 1) > 0) ; return arg; }
THREAD(e) { if (atomic_load(&x) > 0) atomic_fetch_sub(&x, 1); return arg; }
TWO
//// runs violated exchange_gives_it_back
atomic_int x = 1;
THREAD(t) { while (atomic_exchange(&x, 0)) ; return arg; }
THREAD(e) { for (;;) atomic_exchange(&x, 1); return arg; }
TWO
//// ends inconclusive fetch_and_clears_bits
_Atomic byte x = 7;
THREAD(t) { while (atomic_fetch_and(&x, 6) & 1) ; return arg; }
ONE
//// runs violated fetch_or_sets_a_bit
_Atomic byte x = 7;
THREAD(t) { while (atomic_fetch_or(&x, 2) & 2) ; return arg; }
ONE
//// ends holds fetch_xor_toggles_once
_Atomic byte x = 1;
THREAD(t) { while (atomic_fetch_xor(&x, 1) & 1) ; return arg; }
ONE
//// runs violated fetch_xor_by_two
_Atomic byte x = 1;
THREAD(t) { while (atomic_fetch_xor(&x, 2) & 1) ; return arg; }
ONE
//// ends inconclusive nand
byte x = 255;
THREAD(t) { while (__sync_fetch_and_nand(&x, 255)) ; return arg; }
ONE
//// ends inconclusive lock_free_increment
atomic_int x;
THREAD(t) { int old = x; while (!atomic_compare_exchange_strong(&x, &old, old + 1)) ; return arg; }
THREAD(e) { x = 5; return arg; }
TWO
//// runs violated lock_free_increment_starves
atomic_int x;
THREAD(t) { int old = x; while (!atomic_compare_exchange_strong(&x, &old, old + 1)) ; return arg; }
THREAD(e) { for (;;) x = !x; return arg; }
TWO
//// ends holds exchange_weak_of_a_lock
atomic_int lock;
int x = 2;
THREAD(t) { int no = 0; if (atomic_compare_exchange_strong(&lock, &no, 1)) { while (x > 0) x--; lock = 0; } return arg; }
ONE
//// runs violated write_lock_twice_is_refused
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
THREAD(t) { pthread_rwlock_wrlock(&l); if (pthread_rwlock_wrlock(&l)) for (;;) ; return arg; }
ONE
//// runs violated read_lock_behind_write_lock_is_refused
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
THREAD(t) { pthread_rwlock_wrlock(&l); if (pthread_rwlock_rdlock(&l)) for (;;) ; return arg; }
ONE
//// runs inconclusive unlock_is_refused
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
THREAD(t) { while (pthread_mutex_unlock(&m) != 0) ; return arg; }
ONE
//// runs violated lock_of_its_own_is_refused
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
THREAD(t) { LOCK(m); while (LOCK(m)) ; return arg; }
ONE
//// runs inconclusive owner_died
pthread_mutex_t m;
THREAD(t) { if (LOCK(m)) for (;;) ; return arg; }
THREAD(e) { LOCK(m); return arg; }
int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    pthread_create(&h, 0, e, 0);
    pthread_exit(0);
}
//// ends inconclusive rand_is_not_negative
THREAD(t) { while (rand() < 0) ; return arg; }
ONE
//// ends inconclusive it_is_itself
THREAD(t) { pthread_t me = pthread_self(); while (pthread_self() != me) ; return arg; }
ONE
//// ends holds struct_is_handed_over_and_back
struct s { long a, b, c; };
static long fall(struct s v) { v.a--; return v.a; }
THREAD(t) { struct s v = {3, 2, 1}; while (v.a > 0) v.a = fall(v); return arg; }
ONE
//// runs violated struct_is_a_copy
struct s { long a, b, c; };
static void fall(struct s v) { v.a = 0; }
THREAD(t) { struct s v = {3, 2, 1}; while (v.a > 0) fall(v); return arg; }
ONE
//// runs violated global_struct_is_a_copy
struct s { long a, b, c; } g = {3, 2, 1};
static void fall(struct s v) { v.a = 0; }
THREAD(t) { while (g.a > 0) fall(g); return arg; }
ONE
//// ends holds behind_a_parameter
struct q { pthread_mutex_t lock; int n; } q = { PTHREAD_MUTEX_INITIALIZER, 3 };
static void drain(struct q *p) { LOCK(p->lock); while (p->n > 0) p->n--; UNLOCK(p->lock); }
THREAD(t) { drain(&q); return arg; }
THREAD(e) { for (;;) { LOCK(q.lock); q.n = 2; UNLOCK(q.lock); } return arg; }
TWO
//// runs violated two_structs_behind_a_parameter
struct q { pthread_mutex_t lock; int n; } q = { PTHREAD_MUTEX_INITIALIZER, 3 }, r = { PTHREAD_MUTEX_INITIALIZER, 3 };
static void drain(struct q *p, struct q *l) { LOCK(l->lock); while (p->n > 0) p->n--; UNLOCK(l->lock); }
THREAD(t) { drain(&q, &r); return arg; }
THREAD(e) { for (;;) { LOCK(q.lock); q.n = 2; UNLOCK(q.lock); } return arg; }
TWO
//// ends holds array_by_index
int a[3] = {1, 2, 1};
THREAD(t) { for (int i = 0; i < 3; i++) while (a[i] > 0) a[i]--; return arg; }
ONE
//// runs violated array_is_filled_again
int a[3] = {1, 2, 1};
THREAD(t) { for (int i = 0; i < 3; i++) while (a[i] > 0) a[i]--; return arg; }
THREAD(e) { for (;;) a[1] = 2; return arg; }
TWO
//// runs inconclusive union_is_the_same_memory
union { int i; byte b[4]; } u = { .i = 3 };
THREAD(t) { while (u.i > 0) { u.i--; u.b[0] = 3; } return arg; }
ONE
//// runs violated bits_share_a_word
struct { unsigned a : 3, b : 5; } s = {3, 1};
THREAD(t) { while (s.b) { s.a++; } return arg; }
ONE
//// runs violated memset_fills_again
struct { int n, m; } s = {3, 0};
THREAD(t) { while (s.n != 0) { s.n--; memset(&s, 1, sizeof s); } return arg; }
ONE
//// runs inconclusive struct_is_assigned
struct s { long a, b, c; } s = {3, 2, 1}, start = {3, 2, 1};
THREAD(t) { while (s.a > 0) { s.a--; s = start; } return arg; }
ONE
//// ends holds static_counter
static int next(void) { static int n = 4; return n--; }
THREAD(t) { while (next() > 0) ; return arg; }
ONE
//// ends holds thread_local_counter
_Thread_local int n = 3;
THREAD(t) { while (n > 0) n--; return arg; }
THREAD(e) { for (;;) n = 3; return arg; }
TWO
//// ends inconclusive shifts_out
byte x = 5;
THREAD(t) { while (x) x <<= 1; return arg; }
ONE
//// ends holds clears_the_lowest_bit
byte x = 0xb5;
THREAD(t) { while (x) x &= x - 1; return arg; }
ONE
//// runs violated toggles
int x = 1;
THREAD(t) { while (x >= 0) x ^= 1; return arg; }
ONE
//// ends holds remainders_fall
byte x = 21, y = 15;
THREAD(t) { while (y) { byte r = x % y; x = y; y = r; } return arg; }
ONE
//// runs violated started_twice
int x = 1;
THREAD(t) { while (x < 5) { x++; x = 0; } return arg; }
int main(void) { START(t); START(t); pthread_exit(0); }
//// runs violated started_by_a_thread
int x = 1;
THREAD(f) { for (;;) x = 1; return arg; }
THREAD(t) { START(f); while (x > 0) x--; return arg; }
ONE
//// ends holds main_writes_before
int x = 9;
THREAD(t) { while (x > 0) x--; return arg; }
int main(void) { x = 3; START(t); pthread_exit(0); }
//// runs inconclusive main_writes_behind_a_join
int x = 3;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { return arg; }
int main(void) {
    pthread_t h;
    START(t);
    pthread_create(&h, 0, e, 0);
    pthread_join(h, 0);
    for (;;) x = 3;
}
//// ends holds semaphore_as_counter
sem_t s;
THREAD(t) { while (sem_trywait(&s) == 0) ; return arg; }
int main(void) { sem_init(&s, 0, 3); START(t); pthread_exit(0); }
//// runs violated semaphore_is_posted
sem_t s;
THREAD(t) { for (;;) { sem_wait(&s); sem_post(&s); } return arg; }
int main(void) { sem_init(&s, 0, 1); START(t); pthread_exit(0); }
//// runs violated pointer_is_swung
int a = 3, b = 3;
int *p = &a;
THREAD(t) { while (a > 0) { a--; *p = 3; } return arg; }
THREAD(e) { p = &b; return arg; }
TWO
//// runs violated two_pointers_one_variable
int a = 3;
int *volatile p = &a;
THREAD(t) { while (a > 0) { (*p)--; (*p)++; } return arg; }
ONE
//// ends holds shared_local_of_main
THREAD(t) { int *n = arg; while (*n > 0) --*n; return 0; }
int main(void) { int n = 3; pthread_t h; pthread_create(&h, 0, t, &n); pthread_join(h, 0); return 0; }
//// runs violated shared_local_of_main_is_filled
THREAD(t) { int *n = arg; while (*n > 0) --*n; return 0; }
int main(void) { int n = 3; pthread_t h; pthread_create(&h, 0, t, &n); for (;;) n = 3; }
//// ends holds argument_as_number
THREAD(t) { for (long i = 0; i < (long)arg; i++) ; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, t, (void *)3L); pthread_exit(0); }
//// ends holds comma_and_ternary
int x = 3;
THREAD(t) { for (int i = (x++, x); i > 0 ? x < 100 : 0; i = i > 2 ? i - 2 : 0) ; return arg; }
ONE
//// ends holds long_long_steps
long long x = 1LL << 40;
THREAD(t) { while (x > 0) x -= 1LL << 38; return arg; }
ONE
//// runs violated bool_wraps
bool b = true;
THREAD(t) { while (b) { b = b + 1; } return arg; }
ONE
//// ends holds enum_states
enum s { A, B, C } s = A;
THREAD(t) { while (s != C) s++; return arg; }
ONE
//// runs violated c11_mutex_not_held
mtx_t m;
int x = 2;
THREAD(t) { while (x > 0) { mtx_lock(&m); x--; mtx_unlock(&m); } return arg; }
THREAD(e) { for (;;) { mtx_lock(&m); x = 2; mtx_unlock(&m); } return arg; }
int main(void) { mtx_init(&m, mtx_plain); START(t); START(e); pthread_exit(0); }
//// runs inconclusive fair_but_main_returns --fair
THREAD(t) { for (;;) ; return arg; }
int main(void) { START(t); return 0; }
//// runs inconclusive fair_but_another_exits --fair
THREAD(t) { for (;;) ; return arg; }
THREAD(e) { exit(0); }
TWO
//// runs violated fair_and_nobody_exits --fair
THREAD(t) { for (;;) ; return arg; }
ONE
//// runs inconclusive element_on_a_stack --list-push push --list-pop pop
struct item { int n; } *head;
void push(struct item **h, struct item *i) { *h = i; }
struct item *pop(struct item **h) { return *h; }
THREAD(t) { struct item me = {2}; push(&head, &me); while (me.n > 0) me.n--; return arg; }
THREAD(e) { for (;;) { struct item *i = pop(&head); if (i) i->n = 2; } return arg; }
TWO
//// runs inconclusive lock_function_writes --lock take --unlock give
MUTEX(m);
int x = 2;
void take(pthread_mutex_t *l, int *old) { LOCK(*l); *old = 2; }
void give(pthread_mutex_t *l) { UNLOCK(*l); }
THREAD(t) { while (x > 0) { take(&m, &x); x--; give(&m); } return arg; }
ONE
//// runs inconclusive lock_function_counts --lock take --unlock give
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
void take(pthread_mutex_t *l) { LOCK(*l); }
void give(pthread_mutex_t *l) { UNLOCK(*l); }
THREAD(t) { take(&m); take(&m); for (;;) ; return arg; }
ONE
//// ends inconclusive negative_and_mask
signed char x = -5;
THREAD(t) { while ((x & 0x81) == 0x81) x &= ~1; return arg; }
ONE
//// runs violated negative_mask_keeps_sign
signed char x = -5;
THREAD(t) { while (x < 0) x |= 0x10; return arg; }
ONE
//// ends holds xor_of_negative
int x = -1;
THREAD(t) { while (x != 0) x ^= -1; return arg; }
ONE
//// runs inconclusive negative_remainder
int x = -7, y = 3;
THREAD(t) { while (x % y != 1) x = x % y - 6; return arg; }
ONE
//// ends holds shift_by_variable
unsigned x = 200;
int by = 1;
THREAD(t) { while (x) x >>= by; return arg; }
ONE
//// runs violated shift_by_nothing
unsigned x = 200;
int by = 0;
THREAD(t) { while (x) x >>= by; return arg; }
ONE
//// runs violated negative_shifted_right
int x = -8;
int by = 1;
THREAD(t) { while (x) x >>= by; return arg; }
ONE
//// ends inconclusive bit_by_bit
byte x = 0x2c;
THREAD(t) { while (x) x -= x & -x; return arg; }
ONE
//// runs violated or_of_two
byte x = 1, y = 2;
THREAD(t) { while (x) x = x | y; return arg; }
ONE
//// runs inconclusive own_variable_is_handed_out
_Thread_local int n = 2;
int *volatile p;
THREAD(t) { p = &n; while (n > 0) n--; return arg; }
THREAD(e) { for (;;) if (p) *p = 2; return arg; }
TWO
//// ends inconclusive own_variable_begins_with_two
_Thread_local int n = 2;
THREAD(t) { while (n == 0) ; return arg; }
ONE
//// ends inconclusive two_allocations_differ
THREAD(t) { char *a = malloc(1), *b = malloc(1); while (a == b) ; return arg; }
ONE
//// ends inconclusive allocation_is_not_null
THREAD(t) { while (malloc(1) == 0) ; return arg; }
ONE
//// runs inconclusive try_read_behind_write
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
THREAD(t) { pthread_rwlock_wrlock(&l); while (pthread_rwlock_tryrdlock(&l)) ; return arg; }
ONE
//// runs inconclusive recursive_by_init
mtx_t m;
THREAD(t) { mtx_lock(&m); mtx_lock(&m); for (;;) ; return arg; }
int main(void) { mtx_init(&m, mtx_plain | mtx_recursive); START(t); pthread_exit(0); }
//// runs inconclusive recursive_by_attribute
pthread_mutex_t m;
THREAD(t) { LOCK(m); LOCK(m); for (;;) ; return arg; }
int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &a);
    START(t);
    pthread_exit(0);
}
//// runs violated read_lock_shared_by_both
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x = 2;
THREAD(t) { pthread_rwlock_rdlock(&l); while (x > 0) x--; return arg; }
THREAD(e) { for (;;) { pthread_rwlock_rdlock(&l); x = 2; pthread_rwlock_unlock(&l); } return arg; }
TWO
//// runs violated unlock_in_a_helper
MUTEX(m);
int x = 2;
static void pause_here(void) { UNLOCK(m); LOCK(m); }
THREAD(t) { LOCK(m); while (x > 0) { x--; pause_here(); } UNLOCK(m); return arg; }
THREAD(e) { for (;;) { LOCK(m); x = 2; UNLOCK(m); } return arg; }
TWO
//// runs inconclusive lock_by_index
pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int i, x = 2;
THREAD(t) { LOCK(m[0]); while (x > 0) x--; UNLOCK(m[0]); return arg; }
THREAD(e) { for (;;) { int k = i; LOCK(m[k]); x = 2; UNLOCK(m[k]); i = 1; } return arg; }
TWO
//// ends holds time_is_written
#include <time.h>
time_t now = 3;
THREAD(t) { int i = 3; while (i > 0) { time(&now); i--; } return arg; }
ONE
//// runs inconclusive snprintf_writes
#include <stdio.h>
char s[4] = "a";
THREAD(t) { while (s[0]) { s[0] = 0; snprintf(s, sizeof s, "b"); } return arg; }
ONE
//// ends holds condition_flag_owns
MUTEX(m);
int own, x = 2;
THREAD(t) { LOCK(m); own = 1; UNLOCK(m); while (x > 0) x--; LOCK(m); own = 0; UNLOCK(m); return arg; }
THREAD(e) { for (;;) { LOCK(m); if (!own) x = 2; UNLOCK(m); } return arg; }
TWO
//// ends inconclusive condition_flag_asked_too_early
MUTEX(m);
int own, x = 2;
THREAD(t) { LOCK(m); own = 1; UNLOCK(m); while (x > 0) x--; return arg; }
THREAD(e) { for (;;) { if (!own) x = 2; } return arg; }
TWO
//// runs violated condition_flag_given_back
MUTEX(m);
int own, x = 2;
THREAD(t) { LOCK(m); own = 1; own = 0; UNLOCK(m); while (x > 0) x--; return arg; }
THREAD(e) { for (;;) { LOCK(m); if (!own) x = 2; UNLOCK(m); } return arg; }
TWO
//// runs violated condition_flag_taken_away
MUTEX(m);
int own, x = 2;
THREAD(t) { LOCK(m); own = 1; UNLOCK(m); while (x > 0) x--; return arg; }
THREAD(e) { for (;;) { LOCK(m); if (!own) x = 2; own = 0; UNLOCK(m); } return arg; }
TWO
//// runs violated condition_flag_of_another_lock
MUTEX(m);
MUTEX(n);
int own, x = 2;
THREAD(t) { for (;;) { LOCK(m); own = 1; UNLOCK(m); while (x > 0) x--; LOCK(m); own = 0; UNLOCK(m); } return arg; }
THREAD(e) { for (;;) { LOCK(n); if (!own) x = 2; UNLOCK(n); } return arg; }
TWO
//// ends holds condition_number_owns
_Atomic int who, x = 2;
THREAD(t) { int no = 0; if (atomic_compare_exchange_strong(&who, &no, 1)) { while (x > 0) x--; who = 0; } return arg; }
THREAD(e) { for (;;) { int no = 0; if (atomic_compare_exchange_strong(&who, &no, 2)) { x = 2; who = 0; } } return arg; }
TWO
//// runs violated condition_number_given_back_too_early
_Atomic int who, x = 2;
THREAD(t) { int no = 0; if (atomic_compare_exchange_strong(&who, &no, 1)) { while (x > 0) x--; } return arg; }
THREAD(e) { for (;;) { int no = 0; if (atomic_compare_exchange_strong(&who, &no, 2)) who = 0; x = 2; } return arg; }
TWO
//// runs violated condition_number_of_both
_Atomic int who, x = 2;
THREAD(t) { who = 1; while (x > 0) x--; return arg; }
THREAD(e) { for (;;) { if (who != 2) { who = 2; x = 2; } who = 1; } return arg; }
TWO
//// ends holds condition_phase_is_left_for_good
_Atomic signed char n = 120;
static void up(void) { signed char c = n; do { if (c < 0) return; } while (!atomic_compare_exchange_strong(&n, &c, (signed char)(c + 1))); }
THREAD(t) { up(); return arg; }
THREAD(e) { for (;;) up(); return arg; }
TWO
//// runs violated condition_phase_comes_again
_Atomic signed char n = 120;
static void up(void) { signed char c = n; do { if (c < 0) return; } while (!atomic_compare_exchange_strong(&n, &c, (signed char)(c + 1))); }
THREAD(t) { up(); return arg; }
THREAD(e) { for (;;) { up(); if (n < 0) n = 120; } return arg; }
TWO
//// ends holds law_of_two_counters
_Atomic int begun, done;
THREAD(t) { int d, b; do { d = done; b = begun; } while (d > b); return arg; }
THREAD(e) { for (;;) { int s = begun; if (s < 3) begun = s + 1; done = begun; } return arg; }
TWO
//// runs violated law_is_broken
_Atomic int begun, done;
THREAD(t) { int d, b; do { d = done; b = begun; } while (d > b); return arg; }
THREAD(e) { for (;;) { int s = begun; begun = s < 3 ? s + 1 : 0; done = begun; } return arg; }
TWO
//// runs violated law_is_read_the_other_way
_Atomic int begun, done;
THREAD(t) { int d, b; do { b = begun; d = done; } while (d >= b); return arg; }
THREAD(e) { for (;;) { int s = begun; if (s < 3) begun = s + 1; done = begun; } return arg; }
TWO
//// ends holds started_before_main
int x = 2;
MUTEX(m);
THREAD(t) { LOCK(m); while (x > 0) x--; UNLOCK(m); return arg; }
__attribute__((constructor)) static void begin(void) { START(t); }
int main(void) { LOCK(m); x = 3; UNLOCK(m); pthread_exit(0); }
//// runs violated started_before_main_writes
int x = 2;
THREAD(t) { while (x > 0) ; return arg; }
__attribute__((constructor)) static void begin(void) { x = 0; START(t); x = 1; }
int main(void) { pthread_exit(0); }
//// ends holds main_writes_what_it_started_before
int x = 2;
THREAD(t) { int seen = x; while (seen > 0) seen--; return arg; }
THREAD(e) { for (;;) x = 5; return arg; }
__attribute__((constructor(101))) static void begin(void) { START(t); }
__attribute__((constructor(102))) static void then(void) { START(e); }
int main(void) { x = 4; pthread_exit(0); }
//// runs violated one_before_main_and_one_behind
int x = 1;
THREAD(t) { while (x > 0) x = 0; return arg; }
THREAD(e) { for (;;) x = 1; return arg; }
__attribute__((constructor)) static void begin(void) { START(t); }
int main(void) { START(e); pthread_exit(0); }
//// ends holds both_begin_behind_the_write_of_main
MUTEX(m);
int x;
THREAD(t) { for (;;) { LOCK(m); if (x <= 0) break; x--; UNLOCK(m); } return arg; }
THREAD(e) { LOCK(m); if (x > 0) x--; UNLOCK(m); return arg; }
int main(void) { x = 3; START(t); START(e); pthread_exit(0); }
//// runs violated one_begins_before_the_write_of_main
MUTEX(m);
int x;
THREAD(t) { for (;;) { LOCK(m); if (x <= 0) break; x--; UNLOCK(m); } return arg; }
THREAD(e) { for (;;) { LOCK(m); int seen = x; if (seen < 3) x = seen + 1; UNLOCK(m); } return arg; }
int main(void) { START(e); x = 3; START(t); pthread_exit(0); }
