// Small programs of a second attack on proofs that a thread ends: signals, jumps, functions that run later, callbacks, unions,
// bit-fields, packed structs, objects of a thread, locks by pointer and by index, semaphores as locks, atomics of every order,
// static initialisers, recursion through pointers. The lines `////` are those of programs.c.
#define _GNU_SOURCE
#include <errno.h>
#include <exeunt.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#define THREAD(f) void *f(void *arg)
#define START(f) pthread_create(&(pthread_t){0}, 0, f, 0)
#define GIVE(f, a) pthread_create(&(pthread_t){0}, 0, f, a)
#define MUTEX(m) pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
#define ONE int main(void) { START(t); pthread_exit(0); }
#define TWO int main(void) { START(t); START(e); pthread_exit(0); }

//// runs refused jump_back_for_ever
static jmp_buf b;
THREAD(t) { if (setjmp(b) < 5) longjmp(b, 1); return arg; }
ONE
//// runs refused jump_back_from_a_function
static jmp_buf b;
static void again(void) { longjmp(b, 1); }
THREAD(t) { volatile int n = 0; setjmp(b); n = 1; if (n) again(); return arg; }
ONE
//// runs refused handler_of_a_signal
static volatile int x = 2;
static void refill(int s) { x = 2; }
THREAD(t) { while (x > 0) { x--; raise(SIGUSR1); } return arg; }
int main(void) { signal(SIGUSR1, refill); START(t); pthread_exit(0); }
//// runs refused handler_in_a_struct
static volatile int x = 2;
static void refill(int s) { x = 2; }
THREAD(t) { while (x > 0) { x--; raise(SIGUSR1); } return arg; }
int main(void) { struct sigaction a = {.sa_handler = refill}; sigaction(SIGUSR1, &a, 0); START(t); pthread_exit(0); }
//// runs refused handler_in_a_constant_struct
static volatile int x = 2;
static void refill(int s) { x = 2; }
static const struct sigaction how = {.sa_handler = refill};
THREAD(t) { while (x > 0) { x--; raise(SIGUSR1); } return arg; }
int main(void) { sigaction(SIGUSR1, &how, 0); START(t); pthread_exit(0); }
//// runs refused at_exit_writes
static volatile int x = 2;
static void late(void) { for (;;) x = 2; }
THREAD(t) { while (x > 0) x--; return arg; }
int main(void) { atexit(late); START(t); return 0; }
//// runs refused destructor_of_the_program
static volatile int x = 2;
__attribute__((destructor)) static void late(void) { for (;;) x = 2; }
THREAD(t) { while (x > 0) x--; return arg; }
int main(void) { START(t); return 0; }
//// runs refused destructor_of_a_key
static volatile int x = 2; static pthread_key_t k;
static void late(void *a) { for (;;) x = 2; }
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { pthread_setspecific(k, &k); return arg; }
int main(void) { pthread_key_create(&k, late); START(t); START(e); pthread_exit(0); }
//// runs refused cleanup_of_another
static volatile int x = 2;
static void late(void *a) { for (;;) x = 2; }
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { pthread_cleanup_push(late, 0); pthread_exit(0); pthread_cleanup_pop(0); return arg; }
TWO
//// runs violated cleanup_attribute_loops
static volatile int x = 2;
static void late(int *a) { for (;;) x = 2; }
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { { int k __attribute__((cleanup(late))) = 1; } return arg; }
TWO
//// runs violated once_runs_it
static volatile int x = 2; static pthread_once_t once = PTHREAD_ONCE_INIT;
static void fill(void) { for (;;) x = 2; }
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { pthread_once(&once, fill); return arg; }
TWO
//// runs refused comparison_writes
static volatile int x = 2; static int a[2] = {1, 2};
static int compare(const void *p, const void *q) { for (;;) x = 2; return 0; }
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { qsort(a, 2, sizeof *a, compare); return arg; }
TWO
//// runs refused recursion_through_a_pointer
static volatile int x = 2; static void (*again)(void);
static void fill(void) { x = 2; again(); }
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { fill(); return arg; }
int main(void) { again = fill; START(t); START(e); pthread_exit(0); }
//// runs refused recursion_of_itself
static int (*again)(int);
static int f(int n) { return again(n); }
THREAD(t) { f(1); return arg; }
int main(void) { again = f; START(t); pthread_exit(0); }
//// runs inconclusive union_of_two_fields
static union { long all; struct { int low, high; } part; } u = {2};
THREAD(t) { while (u.all > 0) u.all--; return arg; }
THREAD(e) { for (;;) u.part.low = 2; return arg; }
TWO
//// runs violated bit_fields_of_one_word
static struct { unsigned a : 4, b : 4; } s = {2, 2};
THREAD(t) { while (s.a > 0) s.a--; return arg; }
THREAD(e) { for (;;) s.b++; return arg; }
TWO
//// ends inconclusive bit_field_wraps
static struct { unsigned a : 3; int b : 3; } s = {5, 0};
THREAD(t) { while (s.a != 0) s.a++; return arg; }
ONE
//// runs violated signed_bit_field_is_negative
static struct { int b : 1; } s = {0};
THREAD(t) { s.b = 1; while (s.b != 1) ; return arg; }
ONE
//// runs violated packed_number_over_a_word
static struct __attribute__((packed)) { char c[3]; int n; } s = {{0}, 2};
THREAD(t) { while (s.n > 0) s.n--; return arg; }
THREAD(e) { for (;;) s.n = 2; return arg; }
TWO
//// runs inconclusive packed_number_by_bytes
static struct __attribute__((packed)) { char c[3]; int n; } s = {{0}, 2};
THREAD(t) { while (s.n > 0) s.n--; return arg; }
THREAD(e) { char *p = (char *)&s; for (;;) p[3] = 2; return arg; }
TWO
//// runs inconclusive object_of_a_thread_is_shared
static _Thread_local int n = 2; int *_Atomic p;
THREAD(t) { p = &n; while (n > 0) n--; return arg; }
THREAD(e) { for (;;) { int *q = p; if (q) *q = 2; } return arg; }
TWO
//// runs inconclusive object_of_a_thread_begins_with_two
static _Thread_local int n = 2;
THREAD(t) { while (n == 2) ; return arg; }
ONE
//// ends holds semaphore_as_a_lock
static sem_t s; static int x = 2;
THREAD(t) { sem_wait(&s); while (x > 0) x--; sem_post(&s); return arg; }
THREAD(e) { for (;;) { sem_wait(&s); x = 2; sem_post(&s); } return arg; }
int main(void) { sem_init(&s, 0, 1); START(t); START(e); pthread_exit(0); }
//// runs violated semaphore_of_two_as_a_lock
static sem_t s; static int x = 2;
THREAD(t) { sem_wait(&s); while (x > 0) x--; sem_post(&s); return arg; }
THREAD(e) { for (;;) { sem_wait(&s); x = 2; sem_post(&s); } return arg; }
int main(void) { sem_init(&s, 0, 2); START(t); START(e); pthread_exit(0); }
//// runs violated semaphore_that_is_posted_too_often
static sem_t s; static int x = 2;
THREAD(t) { sem_wait(&s); while (x > 0) x--; sem_post(&s); return arg; }
THREAD(e) { sem_post(&s); for (;;) { sem_wait(&s); x = 2; sem_post(&s); } return arg; }
int main(void) { sem_init(&s, 0, 1); START(t); START(e); pthread_exit(0); }
//// runs inconclusive lock_by_index
static pthread_mutex_t l[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}; static int x = 2; static volatile int i;
THREAD(t) { LOCK(l[0]); while (x > 0) x--; UNLOCK(l[0]); return arg; }
THREAD(e) { for (;;) { LOCK(l[i]); x = 2; UNLOCK(l[i]); } return arg; }
THREAD(c) { i = 1; return arg; }
int main(void) { START(t); START(e); START(c); pthread_exit(0); }
//// runs inconclusive lock_by_pointer_that_changes
MUTEX(m); MUTEX(n); static int x = 2; static pthread_mutex_t *_Atomic p = &m;
THREAD(t) { LOCK(m); while (x > 0) x--; UNLOCK(m); return arg; }
THREAD(e) { for (;;) { pthread_mutex_t *q = p; pthread_mutex_lock(q); x = 2; pthread_mutex_unlock(q); } return arg; }
THREAD(c) { p = &n; return arg; }
int main(void) { START(t); START(e); START(c); pthread_exit(0); }
//// runs violated lock_of_the_subject_by_pointer
MUTEX(m); MUTEX(n); static int x = 2; static pthread_mutex_t *_Atomic p = &m;
THREAD(t) { pthread_mutex_t *q = p; pthread_mutex_lock(q); while (x > 0) x--; pthread_mutex_unlock(q); return arg; }
THREAD(e) { for (;;) { LOCK(n); x = 2; UNLOCK(n); } return arg; }
TWO
//// ends holds lock_handed_to_a_function
MUTEX(m); static int x = 2;
static void drain(pthread_mutex_t *l, int *n) { pthread_mutex_lock(l); while (*n > 0) --*n; pthread_mutex_unlock(l); }
THREAD(t) { drain(&m, &x); return arg; }
THREAD(e) { for (;;) { LOCK(m); x = 2; UNLOCK(m); } return arg; }
TWO
//// runs inconclusive lock_made_anew_while_held
MUTEX(m); static int x = 2;
THREAD(t) { LOCK(m); while (x > 0) x--; UNLOCK(m); return arg; }
THREAD(e) { m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; for (;;) { LOCK(m); x = 2; UNLOCK(m); } return arg; }
TWO
//// runs inconclusive lock_filled_with_zeros
MUTEX(m); static int x = 2;
THREAD(t) { LOCK(m); while (x > 0) x--; UNLOCK(m); return arg; }
THREAD(e) { memset(&m, 0, sizeof m); for (;;) { LOCK(m); x = 2; UNLOCK(m); } return arg; }
TWO
//// runs violated spin_lock_of_ones
static atomic_int l; static int x = 2;
THREAD(t) { while (atomic_exchange(&l, 1)) ; while (x > 0) x--; l = 0; return arg; }
THREAD(e) { for (;;) { if (!atomic_exchange(&l, 1)) { x = 2; l = 0; } } return arg; }
TWO
//// ends inconclusive spin_lock_tried_once
static atomic_int l; static int x = 2;
THREAD(t) { if (!atomic_exchange(&l, 1)) { while (x > 0) x--; l = 0; } return arg; }
THREAD(e) { for (;;) { if (!atomic_exchange(&l, 1)) { x = 2; l = 0; } } return arg; }
TWO
//// ends inconclusive flag_tried_once
static atomic_flag l = ATOMIC_FLAG_INIT; static int x = 2;
THREAD(t) { if (!atomic_flag_test_and_set_explicit(&l, memory_order_acquire)) { while (x > 0) x--; atomic_flag_clear_explicit(&l, memory_order_release); } return arg; }
THREAD(e) { for (;;) { if (!atomic_flag_test_and_set(&l)) { x = 2; atomic_flag_clear(&l); } } return arg; }
TWO
//// runs violated flag_cleared_by_others
static atomic_flag l = ATOMIC_FLAG_INIT; static int x = 2;
THREAD(t) { if (!atomic_flag_test_and_set(&l)) { while (x > 0) x--; atomic_flag_clear(&l); } return arg; }
THREAD(e) { for (;;) { atomic_flag_clear(&l); if (!atomic_flag_test_and_set(&l)) { x = 2; } } return arg; }
TWO
//// runs inconclusive timed_lock_gives_up
MUTEX(m); static int x = 2;
THREAD(t) { struct timespec w = {1, 0}; if (pthread_mutex_timedlock(&m, &w) == ETIMEDOUT) ; while (x > 0) x--; return arg; }
THREAD(e) { for (;;) { LOCK(m); x = 2; UNLOCK(m); } return arg; }
TWO
//// ends inconclusive trylock_busy_is_not_zero
MUTEX(m); static int x = 2;
THREAD(t) { int r = pthread_mutex_trylock(&m); if (r != EBUSY) { while (x > 0) x--; if (!r) UNLOCK(m); } return arg; }
THREAD(e) { for (;;) { LOCK(m); x = 2; UNLOCK(m); } return arg; }
TWO
//// runs violated lock_kept_on_one_way
MUTEX(m); static int x = 2; static volatile int k;
THREAD(t) { LOCK(m); if (k) UNLOCK(m); while (x > 0) x--; return arg; }
THREAD(e) { k = 1; for (;;) { LOCK(m); x = 2; UNLOCK(m); } return arg; }
TWO
//// ends holds returns_early_with_the_lock_in_a_loop
MUTEX(m); static int x = 3;
THREAD(t) { for (;;) { LOCK(m); if (x == 0) return arg; x--; UNLOCK(m); } }
THREAD(e) { LOCK(m); if (x > 0) x--; UNLOCK(m); return arg; }
TWO
//// runs inconclusive two_halves_are_exchanged_at_once
struct pair { short a, b; }; static _Atomic(struct pair) p;
THREAD(t) { struct pair old = p; while (!atomic_compare_exchange_strong(&p, &old, ((struct pair){0, 0}))) ; return arg; }
THREAD(e) { for (;;) { struct pair n = p; n.b ^= 1; p = n; } return arg; }
int main(void) { p = (struct pair){2, 0}; START(t); START(e); pthread_exit(0); }
//// runs inconclusive float_never_gets_there
THREAD(t) { float f = 16777216; while (f < 16777220) f += 1; return arg; }
ONE
//// ends inconclusive float_counts
THREAD(t) { float f = 0; while (f < 3) f += 1; return arg; }
ONE
//// ends inconclusive wide_counts
THREAD(t) { __int128 k = 3; while (k > 0) k--; return arg; }
ONE
//// runs inconclusive main_behind_a_join_of_another
static int x = 2;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { return arg; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, e, 0); pthread_join(b, 0); for (;;) x = 2; }
//// ends holds main_behind_its_join
static int x = 2;
THREAD(t) { while (x > 0) x--; return arg; }
int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); pthread_join(a, 0); for (;;) x = 2; }
//// runs inconclusive main_behind_a_join_that_is_overwritten
static int x = 2;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { return arg; }
int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); pthread_create(&a, 0, e, 0); pthread_join(a, 0); for (;;) x = 2; }
//// runs violated main_behind_a_join_on_one_way
static int x = 2;
THREAD(t) { while (x > 0) x--; return arg; }
int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); if (exeunt_choose(2)) pthread_join(a, 0); for (;;) x = 2; }
//// runs violated static_local_is_shared
static int *at(void) { static int n = 2; return &n; }
THREAD(t) { while (*at() > 0) --*at(); return arg; }
THREAD(e) { for (;;) *at() = 2; return arg; }
TWO
//// ends holds initialisers_with_addresses
static int a = 2, b; static struct { int *p; int k; } s[2] = {{&b, 1}, {.p = &a}};
THREAD(t) { while (*s[1].p > 0) --*s[1].p; return arg; }
THREAD(e) { for (;;) *s[0].p = 2; return arg; }
TWO
//// runs violated initialiser_with_an_offset
static int a[3] = {0, 0, 2}; static int *p = &a[1] + 1;
THREAD(t) { while (a[2] > 0) a[2]--; return arg; }
THREAD(e) { for (;;) *p = 2; return arg; }
TWO
//// runs violated callback_with_context
static int x = 2;
struct op { void (*run)(void *); void *with; };
static void fill(void *at) { *(int *)at = 2; }
static struct op op = {fill, &x};
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { for (;;) op.run(op.with); return arg; }
TWO
//// runs refused callback_of_a_table
static int x = 2;
static void fill(void) { x = 2; } static void none(void) {}
static void (*const table[2])(void) = {none, fill}; static volatile int i;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { for (;;) { table[i](); i = 1; } return arg; }
TWO
//// runs violated fences_do_nothing
static atomic_int x = 2;
THREAD(t) { while (atomic_load_explicit(&x, memory_order_relaxed) > 0) { atomic_thread_fence(memory_order_seq_cst); atomic_fetch_sub_explicit(&x, 1, memory_order_relaxed); } return arg; }
THREAD(e) { for (;;) { atomic_signal_fence(memory_order_release); atomic_store_explicit(&x, 2, memory_order_release); } return arg; }
TWO
//// runs violated fetch_of_every_order
static atomic_int x = 1;
THREAD(t) { while (atomic_fetch_add_explicit(&x, -1, memory_order_acq_rel) > 0) atomic_fetch_add_explicit(&x, 1, memory_order_consume); return arg; }
ONE
//// ends holds exchange_that_grows
static atomic_int x;
THREAD(t) { int old = atomic_load_explicit(&x, memory_order_relaxed); while (old < 3 && !atomic_compare_exchange_strong_explicit(&x, &old, old + 1, memory_order_acq_rel, memory_order_acquire)) ; return arg; }
THREAD(e) { for (;;) { int k = x; if (k < 3) atomic_compare_exchange_strong(&x, &k, k + 1); } return arg; }
TWO
//// runs violated exchange_that_comes_back
static atomic_int x;
THREAD(t) { int old = x; while (old < 3 && !atomic_compare_exchange_strong(&x, &old, old + 1)) ; return arg; }
THREAD(e) { for (;;) { x = 1; x = 2; } return arg; }
TWO
//// runs inconclusive copies_of_further_arguments
static int x = 2;
static void put(int n, ...) { va_list a; va_start(a, n); while (n--) *va_arg(a, int *) = 2; va_end(a); }
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { int k; for (;;) put(3, &k, &k, &x); return arg; }
TWO
//// runs inconclusive output_into_a_variable
static char x[4] = "ab";
THREAD(t) { while (x[0]) x[0] = 0; return arg; }
THREAD(e) { for (;;) snprintf(x, sizeof x, "%s", "a"); return arg; }
TWO
//// runs inconclusive copied_string
static char x[4] = "ab";
THREAD(t) { while (x[0]) x[0] = 0; return arg; }
THREAD(e) { for (;;) strcpy(x, "a"); return arg; }
TWO
//// runs violated starter_of_starters
static int x = 2;
THREAD(f) { for (;;) x = 2; return arg; }
THREAD(e) { START(f); return arg; }
THREAD(t) { while (x > 0) x--; return arg; }
TWO
//// runs inconclusive thread_that_starts_itself
static int x = 2;
THREAD(e) { x = 2; START(e); return arg; }
THREAD(t) { while (x > 0) x--; return arg; }
TWO
//// runs violated reader_counts_as_lock
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; static int x = 2;
THREAD(t) { pthread_rwlock_rdlock(&l); while (x > 0) x--; pthread_rwlock_unlock(&l); return arg; }
THREAD(e) { for (;;) { pthread_rwlock_rdlock(&l); x = 2; pthread_rwlock_unlock(&l); } return arg; }
TWO
//// runs violated condition_with_another_mutex
MUTEX(m); MUTEX(n); static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static int x = 1;
THREAD(t) { LOCK(m); LOCK(n); while (x > 0) { x--; pthread_cond_wait(&c, &n); } return arg; }
THREAD(e) { for (;;) { LOCK(n); x = 1; pthread_cond_signal(&c); UNLOCK(n); } return arg; }
TWO
//// runs inconclusive barrier_says_who_is_last
static pthread_barrier_t b;
THREAD(t) { while (pthread_barrier_wait(&b)) ; return arg; }
int main(void) { pthread_barrier_init(&b, 0, 1); START(t); pthread_exit(0); }
//// ends holds c11_call_once
static once_flag f = ONCE_FLAG_INIT; static int x;
static void fill(void) { x = 2; }
THREAD(t) { call_once(&f, fill); while (x > 0) x--; return arg; }
ONE
//// runs violated alternates_by_select
static int x = 2;
THREAD(t) { while (x > 0) x = x == 1 ? 2 : x - 1; return arg; }
ONE
//// runs violated negative_step
static short x = 3;
THREAD(t) { for (short i = 0; i != x; i += -2) ; return arg; }
ONE
//// ends inconclusive product_overflows
static unsigned char x = 3;
THREAD(t) { while (x) x *= 2; return arg; }
ONE
//// runs violated product_never_zero
static unsigned char x = 3;
THREAD(t) { while (x) x *= 3; return arg; }
ONE
//// runs violated division_of_negative
static int x = -3;
THREAD(t) { while (x < 1) x /= 2; return arg; }
ONE
//// ends holds remainder_of_negative
static int x = -3;
THREAD(t) { while (x % 2) x--; return arg; }
ONE
//// runs inconclusive remainder_of_negative_is_not_one
static int x = -3;
THREAD(t) { while (x % 2 != 1) x -= 2; return arg; }
ONE
//// runs inconclusive compares_unsigned
static int x = 1;
THREAD(t) { for (unsigned i = x; i >= 0; i--) if (i == 0x80000000) i = 1; return arg; }
ONE
//// runs violated detached_thread_writes
static int x = 2;
THREAD(e) { for (;;) x = 2; return arg; }
THREAD(t) { while (x > 0) x--; return arg; }
int main(void) { pthread_t a; START(t); pthread_create(&a, 0, e, 0); pthread_detach(a); pthread_exit(0); }
//// runs inconclusive value_of_a_joined_thread
static int x = 2;
THREAD(e) { return &x; }
THREAD(f) { for (;;) *(int *)arg = 2; return arg; }
THREAD(t) { while (x > 0) x--; return arg; }
int main(void) { pthread_t a; void *r; START(t); pthread_create(&a, 0, e, 0); pthread_join(a, &r); GIVE(f, r); pthread_exit(0); }
//// runs inconclusive copied_by_exchange
static int *_Atomic p; static int x = 2, k;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { int *q = atomic_exchange(&p, &k); for (;;) *q = 2; return arg; }
int main(void) { p = &x; START(t); START(e); pthread_exit(0); }
//// runs inconclusive pointer_of_an_exchange_that_fails
static int *_Atomic p; static int x = 2, k;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { int *q = &k; atomic_compare_exchange_strong(&p, &q, &k); for (;;) *q = 2; return arg; }
int main(void) { p = &x; START(t); START(e); pthread_exit(0); }
//// runs violated element_freed_and_made_again
static int *_Atomic p;
THREAD(t) { int *q = malloc(4); *q = 2; p = q; while (*q > 0) --*q; return arg; }
THREAD(e) { for (;;) { int *q = p; if (q) *q = 2; } return arg; }
TWO
//// runs inconclusive grown_by_realloc
THREAD(e) { int **at = arg; *at = realloc(*at, 64); for (;;) (*at)[0] = 2; return arg; }
THREAD(t) { int **at = arg; while ((*at)[0] > 0) (*at)[0]--; return arg; }
int main(void) { static int *q; q = malloc(4); *q = 2; GIVE(t, &q); GIVE(e, &q); pthread_exit(0); }
//// runs inconclusive flexible_array
static struct s { int n; int a[]; } s = {1, {0, 2}};
THREAD(t) { while (s.a[1] > 0) s.a[1]--; return arg; }
THREAD(e) { for (;;) s.a[s.n] = 2; return arg; }
TWO
//// runs refused assembler_writes
static int x = 2;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { for (;;) __asm__ volatile("movl $2, %0" : "=m"(x)); return arg; }
TWO
//// runs violated container_of
struct inner { int k; }; static struct outer { int n; struct inner in; } o = {2, {0}};
static void fill(struct inner *i) { ((struct outer *)((char *)i - __builtin_offsetof(struct outer, in)))->n = 2; }
THREAD(t) { while (o.n > 0) o.n--; return arg; }
THREAD(e) { for (;;) fill(&o.in); return arg; }
TWO
//// ends holds yields_and_sleeps
static int x = 2;
THREAD(t) { while (x > 0) { sched_yield(); x--; } return arg; }
ONE
//// runs inconclusive helper_is_cancelled --fair
static volatile int flag; static pthread_t h;
THREAD(t) { while (!flag) ; return arg; }
THREAD(e) { sched_yield(); pthread_testcancel(); flag = 1; return arg; }
int main(void) { START(t); pthread_create(&h, 0, e, 0); pthread_cancel(h); pthread_exit(0); }
//// ends holds main_behind_a_join_by_pointer
static int x = 2;
static void end(pthread_t *p) { pthread_join(*p, 0); }
THREAD(t) { while (x > 0) x--; return arg; }
int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); end(&a); for (;;) x = 2; }
//// runs inconclusive main_behind_a_join_of_one_of_two
static int x = 2;
THREAD(t) { while (x > 0) x--; return arg; }
int main(void) { pthread_t a; for (int i = 0; i < 2; i++) pthread_create(&a, 0, t, 0); pthread_join(a, 0); for (;;) x = 2; }
//// runs inconclusive semaphore_is_posted_by_who_did_not_wait
static sem_t s; static int x = 2;
THREAD(t) { sem_wait(&s); while (x > 0) x--; sem_post(&s); return arg; }
THREAD(e) { for (;;) { if (sem_trywait(&s)) ; x = 2; sem_post(&s); } return arg; }
int main(void) { sem_init(&s, 0, 1); START(t); START(e); pthread_exit(0); }
//// ends inconclusive semaphore_given_back_before_the_write
static sem_t s; static int x = 2;
THREAD(t) { sem_wait(&s); while (x > 0) x--; sem_post(&s); return arg; }
THREAD(e) { for (;;) { sem_wait(&s); sem_post(&s); x = 2; } return arg; }
int main(void) { sem_init(&s, 0, 1); START(t); START(e); pthread_exit(0); }
