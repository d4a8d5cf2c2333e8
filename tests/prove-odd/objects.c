// Odd programs about structs behind parameters, on the heap and in arrays, in the form of `programs.c`.
#define _GNU_SOURCE
#include <exeunt.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct dev { int count; int other; pthread_mutex_t m; struct dev *next; void (*step)(struct dev *); };
#define THREAD(f) void *f(void *arg)
#define GIVE(f, a) pthread_create(&(pthread_t){0}, 0, f, a)
#define LOCK(d) pthread_mutex_lock(&(d)->m)
#define UNLOCK(d) pthread_mutex_unlock(&(d)->m)
#define INIT(d) pthread_mutex_init(&(d)->m, 0)
#define LEAVE pthread_exit(0)
static inline struct dev *made(int count) {
    struct dev *d = malloc(sizeof *d);
    d->count = count;
    d->other = 0;
    pthread_mutex_init(&d->m, 0);
    return d;
}
//// ends holds heap_struct_is_handed_over
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
int main(void) { struct dev *d = malloc(sizeof *d); d->count = 3; GIVE(t, d); LEAVE; }
//// runs violated heap_struct_is_filled_again
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
THREAD(e) { struct dev *d = arg; for (;;) d->count = 2; return 0; }
int main(void) { struct dev *d = malloc(sizeof *d); d->count = 3; GIVE(t, d); GIVE(e, d); LEAVE; }
//// ends holds lock_in_heap_struct
THREAD(t) { struct dev *d = arg; LOCK(d); while (d->count > 0) d->count--; UNLOCK(d); return 0; }
THREAD(e) { struct dev *d = arg; for (;;) { LOCK(d); d->count = 2; UNLOCK(d); } return 0; }
int main(void) { struct dev *d = made(3); GIVE(t, d); GIVE(e, d); LEAVE; }
//// runs violated lock_of_another_heap_struct
struct dev *b;
THREAD(t) { struct dev *d = arg; LOCK(d); while (d->count > 0) d->count--; UNLOCK(d); return 0; }
THREAD(e) { struct dev *d = arg; for (;;) { LOCK(b); d->count = 2; UNLOCK(b); } return 0; }
int main(void) { struct dev *d = made(3); b = made(0); GIVE(t, d); GIVE(e, d); LEAVE; }
//// ends holds two_structs_of_one_function
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
THREAD(e) { struct dev *d = arg; for (;;) d->count = 2; return 0; }
int main(void) { struct dev *a = made(3), *b = made(3); GIVE(t, a); GIVE(e, b); LEAVE; }
//// runs inconclusive two_structs_of_a_loop
struct dev *all[2];
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
THREAD(e) { struct dev *d = arg; for (;;) d->count = 2; return 0; }
int main(void) {
    for (int i = 0; i < 2; i++) all[i] = made(1);
    GIVE(t, all[0]); GIVE(e, all[0]); LEAVE;
}
//// ends inconclusive each_its_own_of_a_loop
struct dev *all[2];
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
int main(void) { for (int i = 0; i < 2; i++) { struct dev *d = made(1); GIVE(t, d); } LEAVE; }
//// ends holds one_function_two_structs
struct dev a = {3}, b = {2};
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
int main(void) { GIVE(t, &a); GIVE(t, &b); LEAVE; }
//// ends inconclusive one_function_one_struct_twice
struct dev a = {2};
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
int main(void) { GIVE(t, &a); GIVE(t, &a); LEAVE; }
//// ends holds one_function_one_struct_twice_locked
struct dev a = {2, 0, PTHREAD_MUTEX_INITIALIZER};
THREAD(t) { struct dev *d = arg; LOCK(d); while (d->count > 0) d->count--; UNLOCK(d); return 0; }
int main(void) { GIVE(t, &a); GIVE(t, &a); LEAVE; }
//// runs violated two_structs_and_a_disturber
struct dev a = {2}, b = {2};
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
THREAD(e) { for (;;) a.count = 1; return 0; }
int main(void) { GIVE(t, &a); GIVE(t, &b); GIVE(e, 0); LEAVE; }
//// ends holds elements_of_an_array_of_structs
struct dev devs[2] = {{2}, {2}};
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
THREAD(e) { struct dev *d = arg; for (;;) d->count = 2; return 0; }
int main(void) { GIVE(t, &devs[0]); GIVE(e, &devs[1]); LEAVE; }
//// runs violated same_element_of_an_array_of_structs
struct dev devs[2] = {{2}, {2}};
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
THREAD(e) { struct dev *d = arg; for (;;) d[-1].count = 2; return 0; }
int main(void) { GIVE(t, &devs[0]); GIVE(e, &devs[1]); LEAVE; }
//// runs inconclusive elements_in_a_loop
struct dev devs[2] = {{1}, {1}};
THREAD(t) { struct dev *d = arg; while (d->count > 0) { d->count--; devs[1].count = 1; } return 0; }
int main(void) { for (int i = 1; i >= 0; i--) GIVE(t, &devs[i]); LEAVE; }
//// ends holds struct_behind_a_field
struct dev a, b = {2};
THREAD(t) { struct dev *d = arg; while (d->next->count > 0) d->next->count--; return 0; }
int main(void) { a.next = &b; GIVE(t, &a); LEAVE; }
//// runs inconclusive field_is_set_to_another_struct
struct dev a, b = {2}, c = {2};
THREAD(t) { struct dev *d = arg; while (d->next->count > 0) d->next->count--; return 0; }
THREAD(e) { for (;;) { c.count = 1; a.next = &c; c.count = 1; a.next = &b; } return 0; }
int main(void) { a.next = &b; GIVE(t, &a); GIVE(e, 0); LEAVE; }
//// ends holds local_struct_of_main
THREAD(t) { struct dev *d = arg; LOCK(d); while (d->count > 0) d->count--; UNLOCK(d); return 0; }
THREAD(e) { struct dev *d = arg; for (;;) { LOCK(d); d->count = 1; UNLOCK(d); } return 0; }
int main(void) { struct dev d; d.count = 2; INIT(&d); GIVE(t, &d); GIVE(e, &d); LEAVE; }
//// ends holds local_struct_of_a_function_called_once
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
static void go(void) { struct dev d; d.count = 2; GIVE(t, &d); LEAVE; }
int main(void) { go(); return 0; }
//// ends inconclusive two_calls_of_a_starter
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
static void go(int n) { struct dev *d = made(n); GIVE(t, d); }
int main(void) { go(1); go(2); LEAVE; }
//// ends inconclusive zeros_by_memset
THREAD(t) { struct dev *d = arg; while (d->count != 0) ; return 0; }
int main(void) { struct dev *d = malloc(sizeof *d); memset(d, 0, sizeof *d); GIVE(t, d); LEAVE; }
//// runs violated ones_by_memset
THREAD(t) { struct dev *d = arg; while (d->count == 0x01010101) ; return 0; }
int main(void) { struct dev *d = malloc(sizeof *d); memset(d, 1, sizeof *d); GIVE(t, d); LEAVE; }
//// runs violated zeros_by_calloc
THREAD(t) { struct dev *d = arg; while (d->count == 0) ; return 0; }
int main(void) { struct dev *d = calloc(1, sizeof *d); GIVE(t, d); LEAVE; }
//// ends holds zeros_by_calloc_end_it
THREAD(t) { struct dev *d = arg; while (d->count != 0) ; return 0; }
int main(void) { struct dev *d = calloc(1, sizeof *d); GIVE(t, d); LEAVE; }
//// runs violated half_of_it_by_memset
struct dev a = {1, 1};
THREAD(t) { while (a.count != 0 || a.other != 0) ; return 0; }
THREAD(e) { memset(&a.count, 0, sizeof a.count); return 0; }
int main(void) { GIVE(t, 0); GIVE(e, 0); LEAVE; }
//// ends inconclusive struct_is_copied_from_a_constant
THREAD(t) { struct dev *d = arg; while (d->count == 0) ; return 0; }
int main(void) { struct dev d = {7, 8}; GIVE(t, &d); LEAVE; }
//// ends holds struct_is_assigned
struct dev a = {0, 0}, b = {2, 0};
THREAD(t) { while (a.count > 0) a.count--; return 0; }
int main(void) { a = b; GIVE(t, 0); LEAVE; }
//// runs violated struct_is_assigned_again
struct pair { int x, y; } a = {1, 0}, b = {1, 0};
THREAD(t) { while (a.x > 0) a.x = 0; return 0; }
THREAD(e) { for (;;) a.x = b.x; return 0; }
int main(void) { GIVE(t, 0); GIVE(e, 0); LEAVE; }
//// runs violated pointer_is_published_late
struct dev *volatile g;
THREAD(t) { while (!g) ; return 0; }
int main(void) { GIVE(t, 0); g = made(1); LEAVE; }
//// ends inconclusive pointer_is_published_late_and_used
struct dev *volatile g;
THREAD(t) { struct dev *d = g; if (d) while (d->count > 0) d->count--; return 0; }
int main(void) { GIVE(t, 0); g = made(2); LEAVE; }
//// ends holds null_is_not_followed
struct dev a, *volatile g;
THREAD(t) { struct dev *d = g; while (d->count == 0) ; return 0; }
int main(void) { GIVE(t, 0); if (exeunt_choose(1)) g = &a; LEAVE; }
//// runs violated null_is_followed_no_more
struct dev a, *volatile g;
THREAD(t) { struct dev *d = g; while (d->count == 0) ; return 0; }
int main(void) { GIVE(t, 0); if (exeunt_choose(2)) g = &a; LEAVE; }
//// ends holds step_behind_a_function_pointer
static void less(struct dev *d) { d->count--; }
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->step(d); return 0; }
int main(void) { struct dev *d = made(2); d->step = less; GIVE(t, d); LEAVE; }
//// runs refused step_is_one_of_two
static void less(struct dev *d) { d->count--; }
static void more(struct dev *d) { d->count = 2; }
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->step(d); return 0; }
THREAD(e) { struct dev *d = arg; for (;;) { d->step = more; d->step = less; } return 0; }
int main(void) { struct dev *d = made(2); d->step = less; GIVE(t, d); GIVE(e, d); LEAVE; }
//// ends holds step_of_a_constant_table
static void less(struct dev *d) { d->count--; }
static const struct ops { void (*start)(struct dev *), (*step)(struct dev *); } ops = {0, less};
struct dev a = {2};
THREAD(t) { while (a.count > 0) ops.step(&a); return 0; }
int main(void) { GIVE(t, 0); LEAVE; }
//// ends holds other_field_behind_a_pointer
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
THREAD(e) { int *p = arg; for (;;) *p = 2; return 0; }
int main(void) { struct dev *d = made(2); GIVE(t, d); GIVE(e, &d->other); LEAVE; }
//// runs violated same_field_behind_a_pointer
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
THREAD(e) { int *p = arg; for (;;) *p = 2; return 0; }
int main(void) { struct dev *d = made(2); GIVE(t, d); GIVE(e, &d->count); LEAVE; }
//// ends holds struct_around_its_lock
THREAD(t) { struct dev *d = arg; LOCK(d); while (d->count > 0) d->count--; UNLOCK(d); return 0; }
THREAD(e) {
    struct dev *d = (struct dev *)((char *)arg - offsetof(struct dev, m));
    for (;;) { LOCK(d); d->count = 1; UNLOCK(d); }
}
int main(void) { struct dev *d = made(2); GIVE(t, d); GIVE(e, &d->m); LEAVE; }
//// runs inconclusive fields_overlap
union { int all; char first; } *u;
THREAD(t) { while (u->all > 0) u->all = 0; return 0; }
THREAD(e) { for (;;) u->first = 1; return 0; }
int main(void) { u = malloc(sizeof *u); u->all = 1; GIVE(t, 0); GIVE(e, 0); LEAVE; }
//// ends holds heap_behind_heap
struct box { int *n; };
THREAD(t) { struct box *b = arg; while (*b->n > 0) --*b->n; return 0; }
int main(void) { struct box *b = malloc(sizeof *b); b->n = malloc(4); *b->n = 2; GIVE(t, b); LEAVE; }
//// runs violated heap_behind_heap_is_shared
struct box { int *n; };
THREAD(t) { struct box *b = arg; while (*b->n > 0) --*b->n; return 0; }
THREAD(e) { int *n = arg; for (;;) *n = 1; return 0; }
int main(void) {
    struct box *b = malloc(sizeof *b);
    b->n = malloc(4); *b->n = 2;
    GIVE(t, b); GIVE(e, b->n); LEAVE;
}
//// runs violated index_in_memory_is_not_its_last_value
long n;
int a[2] = {5, 0};
THREAD(t) { while (a[n] > 0) ; return 0; }
THREAD(e) { n = 1; return 0; }
int main(void) { GIVE(t, 0); GIVE(e, 0); LEAVE; }
//// runs violated pointer_in_memory_is_not_its_last_value
int a[2] = {5, 0}, *volatile p = &a[0];
THREAD(t) { while (*p > 0) ; return 0; }
THREAD(e) { p = &a[1]; return 0; }
int main(void) { GIVE(t, 0); GIVE(e, 0); LEAVE; }
//// ends holds freed_and_made_again
THREAD(t) { struct dev *d = arg; while (d->count > 0) d->count--; return 0; }
int main(void) { struct dev *a = made(5); free(a); struct dev *b = made(2); GIVE(t, b); LEAVE; }
//// ends holds local_heap_of_the_thread
THREAD(t) { int *n = malloc(sizeof *n); for (*n = 0; *n < 3; ++*n) ; free(n); return 0; }
THREAD(e) { int *n = malloc(sizeof *n); for (;;) *n = 0; return 0; }
int main(void) { GIVE(t, 0); GIVE(e, 0); LEAVE; }
//// runs violated two_heap_objects_of_a_loop
THREAD(t) {
    int *old = malloc(sizeof *old);
    *old = 1;
    for (int i = 0;; i = 0) { int *new = malloc(sizeof *new); *new = 0; if (*old == 0) break; free(new); }
    return 0;
}
int main(void) { GIVE(t, 0); LEAVE; }
//// runs violated number_as_argument
int a[2] = {1, 1};
THREAD(t) { while (a[0] > 0) a[1] = (int)(long)arg; return 0; }
int main(void) { GIVE(t, (void *)1); GIVE(t, (void *)2); LEAVE; }
//// runs inconclusive address_is_a_further_argument
int x = 2;
static void put(int n, ...) { va_list a; va_start(a, n); int *p = va_arg(a, int *); va_end(a); *p = 2; }
THREAD(t) { while (x > 0) { x--; put(1, &x); } return 0; }
int main(void) { GIVE(t, 0); LEAVE; }
//// runs inconclusive address_is_a_further_argument_of_another
int x = 2;
static void put(int n, ...) { va_list a; va_start(a, n); int *p = va_arg(a, int *); for (;;) *p = 2; }
THREAD(t) { while (x > 0) x--; return 0; }
THREAD(e) { put(1, &x); return 0; }
int main(void) { GIVE(t, 0); GIVE(e, 0); LEAVE; }
//// runs inconclusive thread_gets_a_further_argument
int x = 2;
THREAD(e) { int *p = arg; for (;;) *p = 2; return 0; }
static void go(int n, ...) { va_list a; va_start(a, n); void *p = va_arg(a, void *); va_end(a); GIVE(e, p); }
THREAD(t) { while (x > 0) x--; return 0; }
int main(void) { GIVE(t, 0); go(1, &x); LEAVE; }
//// runs inconclusive lock_is_a_further_argument
struct dev d = { .count = 2, .m = PTHREAD_MUTEX_INITIALIZER };
static void un(int n, ...) { va_list a; va_start(a, n); pthread_mutex_t *p = va_arg(a, pthread_mutex_t *); va_end(a); pthread_mutex_unlock(p); }
THREAD(t) { LOCK(&d); un(1, &d.m); while (d.count > 0) d.count--; return 0; }
THREAD(e) { for (;;) { LOCK(&d); d.count = 2; UNLOCK(&d); } return 0; }
int main(void) { GIVE(t, 0); GIVE(e, 0); LEAVE; }
//// runs refused destructor_runs_behind_main
int x = 2;
__attribute__((destructor)) void late(void) { for (;;) x = 2; }
THREAD(t) { while (x > 0) x--; return 0; }
int main(void) { GIVE(t, 0); return 0; }
//// runs refused starts_a_thread_that_is_not_named --env s
int x = 1;
THREAD(e) { for (;;) x = 1; return 0; }
THREAD(s) { return 0; }
THREAD(t) { GIVE(e, 0); while (x > 0) x = 0; return 0; }
int main(void) { GIVE(t, 0); GIVE(s, 0); LEAVE; }
//// runs refused environment_starts_more --env s*
int x = 1;
THREAD(t) { while (x > 0) x = 0; x = 1; return 0; }
THREAD(s) { for (;;) GIVE(t, 0); return 0; }
int main(void) { GIVE(t, 0); GIVE(s, 0); LEAVE; }
