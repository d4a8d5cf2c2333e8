// Small programs that hide what they do: addresses in packed structs, in bytes and in numbers, comparisons of addresses,
// writes by output functions, runs that end in the middle, blocks that overlap, threads before `main`. The lines `////` are
// those of programs.c.
#define _GNU_SOURCE
#include <exeunt.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define THREAD(f) void *f(void *arg)
#define START(f) pthread_create(&(pthread_t){0}, 0, f, 0)
#define MUTEX(m) pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
#define ONE int main(void) { START(t); pthread_exit(0); }
#define TWO int main(void) { START(t); START(e); pthread_exit(0); }
//// runs violated packed_pointer_in_initial_data
static int x = 2;
struct __attribute__((packed)) { char c; int *p; } s = {1, &x};
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { for (;;) *s.p = 2; return arg; }
TWO
//// runs violated packed_pointers_in_an_array
static int x = 2;
struct __attribute__((packed)) { char c; int *p; } s[2] = {{1, 0}, {1, &x}};
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { for (;;) *s[1].p = 2; return arg; }
TWO
//// runs violated pointer_beside_a_number
static int x = 2;
struct __attribute__((packed)) { int c; int *p; } s = {1, &x};
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { for (;;) *s.p = 2; return arg; }
TWO
//// runs violated pointer_copied_from_a_packed_struct
static int x = 2;
struct __attribute__((packed)) P { char c; int *p; }; const struct P s = {1, &x};
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { struct P k = s; for (;;) *k.p = 2; return arg; }
TWO
//// runs inconclusive pointer_byte_by_byte
static int x = 2;
int *p = &x;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { int *q; for (unsigned i = 0; i < sizeof p; i++) ((char *)&q)[i] = ((char *)&p)[i]; for (;;) *q = 2; return arg; }
TWO
//// runs violated pointer_through_an_integer
static int x = 2; uintptr_t p;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { for (;;) *(int *)p = 2; return arg; }
int main(void) { p = (uintptr_t)&x; START(t); START(e); pthread_exit(0); }
//// runs inconclusive pointer_in_two_halves
static int x = 2; uint32_t lo, hi;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { int *p = (int *)((uintptr_t)hi << 32 | lo); for (;;) *p = 2; return arg; }
int main(void) { lo = (uintptr_t)&x; hi = (uintptr_t)&x >> 32; START(t); START(e); pthread_exit(0); }
//// runs inconclusive pointer_with_a_tag
static int x = 2; uintptr_t p;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { for (;;) *(int *)(p & ~(uintptr_t)3) = 2; return arg; }
int main(void) { p = (uintptr_t)&x | 1; START(t); START(e); pthread_exit(0); }
//// runs violated pointer_before_the_object
static int a[4] = {0, 0, 2, 0};
THREAD(t) { while (a[2] > 0) a[2]--; return arg; }
THREAD(e) { int *p = a + 4; for (;;) p[-2] = 2; return arg; }
TWO
//// runs inconclusive element_by_two_types
static union { int i[2]; short s[4]; } u = {{0, 2}};
THREAD(t) { while (u.i[1] > 0) u.i[1]--; return arg; }
THREAD(e) { for (;;) u.s[2] = 2; return arg; }
TWO
//// runs inconclusive array_of_long_read_as_int
static long a[2] = {0, 2};
THREAD(t) { while (a[1] > 0) a[1]--; return arg; }
THREAD(e) { int *p = (int *)a; for (;;) p[2] = 2; return arg; }
TWO
//// runs inconclusive memcpy_of_a_pointer
static int x = 2; int *p = &x, *q;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { memcpy(&q, &p, sizeof q); for (;;) *q = 2; return arg; }
TWO
//// runs inconclusive memcpy_of_half_a_pointer
static int x = 2; int *p = &x, *q;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { memcpy(&q, &p, 4); memcpy((char *)&q + 4, (char *)&p + 4, 4); for (;;) *q = 2; return arg; }
TWO
//// runs inconclusive pointer_in_a_further_argument_struct
static int x = 2; struct s { int *p; long k; };
static void put(int n, ...) { va_list a; va_start(a, n); struct s s = va_arg(a, struct s); *s.p = 2; va_end(a); }
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { struct s s = {&x, 0}; for (;;) put(1, s); return arg; }
TWO
//// runs inconclusive pointer_in_a_list_of_arguments
static int x = 2;
static void vput(va_list a) { *va_arg(a, int *) = 2; }
static void put(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); vput(b); va_end(b); va_end(a); }
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { for (;;) put(1, &x); return arg; }
TWO
//// runs violated local_in_a_struct_of_another
struct s { int *p; } *_Atomic g;
THREAD(t) { int l = 2; struct s s = {&l}; g = &s; while (l > 0) l--; for (;;) ; return arg; }
THREAD(e) { for (;;) { struct s *q = g; if (q) *q->p = 2; } return arg; }
TWO
//// runs violated compound_literal
int *_Atomic p;
THREAD(t) { int *l = (int[]){2, 2}; p = l; while (l[0] > 0) l[0]--; return arg; }
THREAD(e) { for (;;) { int *q = p; if (q) q[0] = 2; } return arg; }
TWO
//// runs violated variable_length_array
int *_Atomic p; volatile int n = 2;
THREAD(t) { int l[n]; l[1] = 2; p = l; while (l[1] > 0) l[1]--; return arg; }
THREAD(e) { for (;;) { int *q = p; if (q) q[1] = 2; } return arg; }
TWO
//// runs violated alias_of_a_variable
int x = 2;
extern int y __attribute__((alias("x")));
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { for (;;) y = 2; return arg; }
TWO
//// runs violated assumption_behind_a_write_in_main
int x = 0;
THREAD(t) { while (x == 1) ; return arg; }
int main(void) { START(t); int k = exeunt_choose(2); x = 1; exeunt_assume(k == 7); pthread_exit(0); }
//// runs violated constructor_of_lower_priority_writes
int x = 2;
THREAD(t) { while (x > 0) x--; return arg; }
__attribute__((constructor(201))) static void late(void) { for (;;) x = 2; }
__attribute__((constructor(101))) static void early(void) { START(t); }
int main(void) { pthread_exit(0); }
//// runs violated constructor_sets_it_negative
int x = 2;
THREAD(t) { while (x != 0) { if (x > 0) x--; } return arg; }
__attribute__((constructor(101))) static void early(void) { x = -1; }
__attribute__((constructor(201))) static void late(void) { START(t); }
int main(void) { pthread_exit(0); }
//// runs violated constructor_hands_an_address
static int x = 2; int *_Atomic p;
THREAD(t) { while (x > 0) x--; return arg; }
THREAD(e) { int *q = p; for (;;) *q = 2; return arg; }
__attribute__((constructor)) static void early(void) { p = &x; START(e); }
ONE
//// runs violated constructor_with_a_lock_that_it_gives_back
int x = 2; MUTEX(m);
THREAD(t) { LOCK(m); while (x > 0) x--; UNLOCK(m); return arg; }
__attribute__((constructor)) static void early(void) { LOCK(m); START(t); UNLOCK(m); for (;;) x = 2; }
int main(void) { pthread_exit(0); }
//// runs refused constructor_with_arguments
static int x = 2;
THREAD(t) { while (x > 0) x--; return arg; }
__attribute__((constructor)) static void early(int count, char **words) { START(t); if (count != 0) for (;;) x = 2; }
int main(void) { pthread_exit(0); }
//// runs inconclusive large_array_by_index
static int a[40] = {[20] = 2}; volatile int i = 20;
THREAD(t) { while (a[20] > 0) a[20]--; return arg; }
THREAD(e) { for (;;) a[i] = 2; return arg; }
TWO
//// runs violated array_in_two_dimensions
static int a[2][2] = {{0, 0}, {2, 0}}; volatile int i = 1, j = 0;
THREAD(t) { while (a[1][0] > 0) a[1][0]--; return arg; }
THREAD(e) { for (;;) a[i][j] = 2; return arg; }
TWO
//// runs violated large_struct_by_value
struct big { int a[10]; };
struct big g = {{2}};
__attribute__((noinline)) static int f(struct big s) { s.a[0] = 0; return s.a[0]; }
THREAD(t) { while (g.a[0]) f(g); return arg; }
ONE
//// runs inconclusive thread_argument_by_value_sret
struct big { int a[10]; };
static struct big g = {{2}};
static struct big less(struct big s) { s.a[0]--; return s; }
THREAD(t) { struct big k; while (g.a[0] > 0) k = less(g); return arg; }
ONE
//// runs inconclusive printf_counts_into_a_variable
int x = 2;
THREAD(t) { while (x > 0) { x--; printf("ab%n", &x); } return arg; }
ONE
//// ends inconclusive alignment_of_a_local
THREAD(t) { int a; while ((uintptr_t)&a & 3) ; return arg; }
ONE
//// ends inconclusive alignment_of_an_allocation
THREAD(t) { int *a = malloc(4); while ((uintptr_t)a & 7) ; return arg; }
ONE
//// ends inconclusive two_locals_differ
THREAD(t) { int a, b; int *p = &a, *q = &b; while (p == q) ; return arg; }
ONE
//// ends inconclusive two_locals_differ_in_a_function
__attribute__((noinline)) static int same(int *a, int *b) { return a == b; }
THREAD(t) { int a, b; while (same(&a, &b)) ; return arg; }
ONE
//// ends inconclusive two_allocations_differ_in_a_function
static int same(int *a, int *b) { return a == b; }
THREAD(t) { int *a = malloc(4), *b = malloc(4); while (a && same(a, b)) ; return arg; }
ONE
//// ends inconclusive two_allocations_differ_in_memory
int *p, *q;
THREAD(t) { p = malloc(4); q = malloc(4); while (p && p == q) ; return arg; }
ONE
//// ends inconclusive address_of_allocation_is_even
THREAD(t) { char *a = malloc(4); for (uintptr_t i = (uintptr_t)a; i & 1; ) ; return arg; }
ONE
//// ends holds failed_assertion_ends_it
int x = 1;
THREAD(t) { while (x) exeunt_assert(x == 0, ""); return arg; }
ONE
//// ends inconclusive blocks_overlap_forwards
THREAD(t) { int a[3] = {2, 0, 5}; memmove(a + 1, a, 8); while (a[2]) ; return arg; }
ONE
//// runs inconclusive blocks_overlap_and_keep_a_one
THREAD(t) { int a[3] = {0, 1, 0}; memmove(a + 1, a, 8); while (a[2] == 1) ; return arg; }
ONE
//// ends holds percent_is_written
int x = 2;
THREAD(t) { while (x > 0) { x--; printf("%d%%n", x); } return arg; }
ONE
//// runs inconclusive format_is_not_known
int x = 2;
const char *volatile format = "ab%n";
THREAD(t) { while (x > 0) { x--; printf(format, &x); } return arg; }
ONE
//// ends holds address_is_a_number
static int x;
THREAD(t) { while (((uintptr_t)&x >> 4) % 7 == 9) ; return arg; }
ONE
//// ends holds walks_along_an_array
THREAD(t) { int a[3] = {1, 2, 3}; for (int *p = a; p != a + 3; p++) ; return arg; }
ONE
//// runs violated walks_past_an_end
THREAD(t) { int a[3] = {1, 2, 3}; for (int *p = a; p != a + 3; p++) p--; return arg; }
ONE
//// runs violated null_test_of_a_local
static int set(int *p) { return p != 0; }
THREAD(t) { int a; while (set(&a)) ; return arg; }
ONE
//// ends holds index_behind_another
unsigned head, tail = -3;
MUTEX(m);
THREAD(t) { LOCK(m); while (tail != head) tail++; UNLOCK(m); return arg; }
THREAD(e) { for (;;) { LOCK(m); head++; UNLOCK(m); } return arg; }
TWO
//// runs violated index_behind_one_that_runs
unsigned head, tail = -3;
MUTEX(m);
THREAD(t) { while (tail != head) { LOCK(m); tail++; UNLOCK(m); } return arg; }
THREAD(e) { for (;;) { LOCK(m); head++; UNLOCK(m); } return arg; }
TWO
//// ends holds index_runs_by_difference
uint16_t head, tail = -3;
MUTEX(m);
THREAD(t) { LOCK(m); while ((uint16_t)(head - tail) > 0) tail++; UNLOCK(m); return arg; }
ONE
//// runs violated index_goes_away_by_two
uint8_t head, tail = 3;
MUTEX(m);
THREAD(t) { LOCK(m); while (head != tail) tail += 2; UNLOCK(m); return arg; }
ONE
//// ends holds runs_around_downwards
signed char x = 3;
THREAD(t) { while (x != 100) x--; return arg; }
ONE
