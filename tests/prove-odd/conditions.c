// Small programs that wait for conditions: who waits makes no step until somebody signals. The lines `////` are those of
// programs.c; the virtual machine, too, runs them without spurious wake-ups.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>
#define THREAD(f) void *f(void *arg)
#define START(f) pthread_create(&(pthread_t){0}, 0, f, 0)
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
#define WAIT(c) pthread_cond_wait(&c, &m)
#define SIGNAL(c) pthread_cond_signal(&c)
#define BROADCAST(c) pthread_cond_broadcast(&c)
#define ONE int main(void) { START(t); pthread_exit(0); }
#define TWO int main(void) { START(t); START(e); pthread_exit(0); }
#define THREE int main(void) { START(t); START(e); START(e); pthread_exit(0); }
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER, d = PTHREAD_COND_INITIALIZER;
int ready, stop, x;
//// ends holds nobody_signals
THREAD(t) { LOCK; while (!ready) WAIT(c); UNLOCK; return arg; }
ONE
//// ends holds signalled_under_the_lock
THREAD(t) { LOCK; while (!ready) WAIT(c); UNLOCK; return arg; }
THREAD(e) { LOCK; ready = 1; SIGNAL(c); UNLOCK; return arg; }
TWO
//// ends holds signalled_behind_the_lock
THREAD(t) { LOCK; while (!ready) WAIT(c); UNLOCK; return arg; }
THREAD(e) { LOCK; ready = 1; UNLOCK; SIGNAL(c); return arg; }
THREE
//// runs violated signalled_for_nothing
THREAD(t) { LOCK; while (!ready) WAIT(c); UNLOCK; return arg; }
THREAD(e) { for (;;) { LOCK; SIGNAL(c); UNLOCK; } return arg; }
TWO
//// runs violated signalled_before_it_is_ready
THREAD(t) { LOCK; while (!ready) WAIT(c); UNLOCK; return arg; }
THREAD(e) { for (;;) { LOCK; SIGNAL(c); UNLOCK; LOCK; ready = 1; ready = 0; UNLOCK; } return arg; }
TWO
//// runs violated taken_away_again
THREAD(t) { LOCK; while (!ready) WAIT(c); UNLOCK; return arg; }
THREAD(e) { for (;;) { LOCK; ready = 1; SIGNAL(c); UNLOCK; LOCK; ready = 0; UNLOCK; } return arg; }
TWO
//// ends holds another_condition_is_signalled
THREAD(t) { LOCK; while (!ready) WAIT(c); UNLOCK; return arg; }
THREAD(e) { for (;;) { LOCK; SIGNAL(d); UNLOCK; } return arg; }
TWO
//// runs violated one_of_two_conditions
THREAD(t) { LOCK; while (!ready) { if (x) WAIT(c); else WAIT(d); } UNLOCK; return arg; }
THREAD(e) { for (;;) { LOCK; SIGNAL(d); UNLOCK; } return arg; }
TWO
//// runs violated signalled_through_a_pointer
pthread_cond_t *volatile p = &c;
THREAD(t) { LOCK; while (!ready) WAIT(c); UNLOCK; return arg; }
THREAD(e) { for (;;) { LOCK; pthread_cond_signal(p); UNLOCK; } return arg; }
TWO
//// runs violated waits_through_a_pointer
pthread_cond_t *volatile p = &c;
THREAD(t) { LOCK; while (!ready) pthread_cond_wait(p, &m); UNLOCK; return arg; }
THREAD(e) { for (;;) { LOCK; SIGNAL(c); UNLOCK; } return arg; }
TWO
//// runs violated broadcast_for_nothing
THREAD(t) { LOCK; while (!ready) WAIT(c); UNLOCK; return arg; }
THREAD(e) { for (;;) BROADCAST(c); return arg; }
TWO
//// ends holds stop_or_work
THREAD(t) { LOCK; while (!stop && !x) WAIT(c); UNLOCK; return arg; }
THREAD(e) { LOCK; x = 1; SIGNAL(c); UNLOCK; LOCK; stop = 1; BROADCAST(c); UNLOCK; return arg; }
TWO
//// runs violated two_wait_and_one_takes
THREAD(t) { LOCK; while (!x) WAIT(c); x--; UNLOCK; return arg; }
THREAD(e) { for (;;) { LOCK; if (x < 1) { x++; BROADCAST(c); } UNLOCK; LOCK; if (x > 0) x--; UNLOCK; } return arg; }
TWO
//// runs inconclusive wakes_each_other
THREAD(t) { LOCK; for (;;) { x = 1; SIGNAL(d); while (x) WAIT(c); } return arg; }
THREAD(e) { LOCK; for (;;) { while (!x) WAIT(d); x = 0; SIGNAL(c); } return arg; }
TWO
//// ends holds waits_three_times
THREAD(t) { LOCK; for (int i = 0; i < 3; i++) WAIT(c); UNLOCK; return arg; }
THREAD(e) { for (;;) SIGNAL(c); return arg; }
TWO
//// ends inconclusive as_often_as_it_is_signalled
THREAD(t) { LOCK; for (;;) WAIT(c); return arg; }
THREAD(e) { SIGNAL(c); SIGNAL(c); return arg; }
TWO
//// runs inconclusive waits_for_some_time
THREAD(t) { struct timespec at = {1, 0}; LOCK; while (!ready) pthread_cond_timedwait(&c, &m, &at); UNLOCK; return arg; }
ONE
//// ends holds condition_of_c11
mtx_t k; cnd_t w;
THREAD(t) { mtx_lock(&k); while (!ready) cnd_wait(&w, &k); mtx_unlock(&k); return arg; }
THREAD(e) { mtx_lock(&k); ready = 1; cnd_signal(&w); mtx_unlock(&k); return arg; }
int main(void) { mtx_init(&k, mtx_plain); cnd_init(&w); START(t); START(e); pthread_exit(0); }
//// runs inconclusive of_two_that_wait_one_signals_on
THREAD(t) { LOCK; while (!ready) { SIGNAL(c); WAIT(c); } UNLOCK; return arg; }
int main(void) { START(t); START(t); pthread_exit(0); }
//// ends holds signals_only_itself
THREAD(t) { LOCK; while (!ready) { SIGNAL(c); WAIT(c); } UNLOCK; return arg; }
ONE
//// ends holds falls_while_it_waits
THREAD(t) { LOCK; while (x > 0) { x--; WAIT(c); } UNLOCK; return arg; }
THREAD(e) { for (;;) { LOCK; if (x > 0) x--; SIGNAL(c); UNLOCK; } return arg; }
int main(void) { x = 3; START(t); START(e); pthread_exit(0); }
//// runs violated lock_is_not_the_one_of_the_flag
THREAD(t) { LOCK; while (!ready) WAIT(c); UNLOCK; return arg; }
THREAD(e) { for (;;) { pthread_mutex_lock(&n); ready = 1; SIGNAL(c); ready = 0; pthread_mutex_unlock(&n); } return arg; }
TWO
//// ends holds gate_opens_once
int waiting;
THREAD(t) { LOCK; waiting++; while (!ready) WAIT(c); waiting--; UNLOCK; return arg; }
THREAD(e) { LOCK; ready = 1; BROADCAST(c); UNLOCK; return arg; }
int main(void) { START(t); START(t); START(e); pthread_exit(0); }
