// Small programs whose loops depend on single bits: narrow types, signs, shifts by variables, bit fields, rotations,
// counts, masks that others change. The lines `////` are those of programs.c.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
typedef unsigned char byte;
#define THREAD(f) void *f(void *arg)
#define START(f) pthread_create(&(pthread_t){0}, 0, f, 0)
#define MUTEX(m) pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
#define ONE int main(void) { START(t); pthread_exit(0); }
#define TWO int main(void) { START(t); START(e); pthread_exit(0); }
#define ANY(n) exeunt_choose(n)
//// runs violated arithmetic_shift_stays_minus_one
signed char x = -128;
THREAD(t) { for (signed char c = x; c; c >>= 1) ; return arg; }
ONE
//// ends holds logical_shift_of_a_negative_number
signed char x = -128;
THREAD(t) { for (byte c = x; c; c >>= 1) ; return arg; }
ONE
//// runs violated promoted_before_the_shift
THREAD(t) { byte c = 0x80; while ((c << 1) != 0) c = c << 1 | 0x80; return arg; }
ONE
//// ends holds cast_after_the_shift
THREAD(t) { byte c = ANY(256); while ((byte)(c << 1) != 0) c = c << 1; return arg; }
ONE
//// runs violated shift_leaves_bits_of_the_int
THREAD(t) { byte c = 0x80; while (c << 1) ; return arg; }
ONE
//// runs inconclusive shift_by_zero_when_even
THREAD(t) { byte c = ANY(16); while (c) c >>= c & 1; return arg; }
ONE
//// ends inconclusive shift_by_one_or_two
THREAD(t) { byte c = ANY(256); while (c) c >>= 1 + (c & 1); return arg; }
ONE
//// runs violated shift_by_what_another_writes
byte by = 1;
THREAD(t) { byte c = 8; while (c) c >>= by; return arg; }
THREAD(e) { by = 0; return arg; }
TWO
//// ends inconclusive shift_by_what_another_keeps_positive
byte by = 1;
THREAD(t) { byte c = 8; while (c) c >>= by; return arg; }
THREAD(e) { by = 2; return arg; }
TWO
//// runs violated complement_of_a_byte_is_an_int
THREAD(t) { byte c = 0xff; while (~c) ; return arg; }
ONE
//// ends inconclusive complement_cut_to_a_byte
THREAD(t) { byte c = ANY(256); while ((byte)~c) c |= c + 1; return arg; }
ONE
//// runs violated minus_one_is_all_ones
int x = -1;
THREAD(t) { while (x & 4) x |= x >> 1; return arg; }
ONE
//// ends inconclusive lowest_one_of_a_negative_number
THREAD(t) { signed char c = ANY(256); while (c) c &= c - 1; return arg; }
ONE
//// runs violated lowest_one_is_set_again
THREAD(t) { byte c = ANY(8); while (c) { c &= c - 1; c |= 4; } return arg; }
ONE
//// runs violated two_field_bits_wrap
struct { unsigned n : 2; } s;
THREAD(t) { for (s.n = 0; s.n < 4; s.n++) ; return arg; }
ONE
//// ends holds two_field_bits_reach_three
struct { unsigned n : 2; unsigned m : 6; } s;
THREAD(t) { for (s.n = 0; s.n != 3; s.n++) ; return arg; }
ONE
//// runs violated signed_field_is_never_two
struct { signed n : 2; } s;
THREAD(t) { for (s.n = 0; s.n != 2; s.n++) ; return arg; }
ONE
//// runs violated one_signed_bit_is_minus_one
struct { signed b : 1; } s;
THREAD(t) { s.b = 1; while (s.b != 1) ; return arg; }
ONE
//// ends holds one_bit_is_one
struct { unsigned b : 1; } s;
THREAD(t) { s.b = 3; while (s.b != 1) ; return arg; }
ONE
//// runs violated field_beside_is_written_back
struct { byte a : 4, b : 4; } s = {1, 0};
THREAD(t) { while (s.a) s.a = 0; return arg; }
THREAD(e) { for (;;) { s.b++; } return arg; }
TWO
//// runs violated field_overlaps_through_a_union
union { struct { byte low : 4, high : 4; }; byte all; } u = {{3, 0}};
THREAD(t) { while (u.low) u.all ^= 0; return arg; }
ONE
//// ends holds field_seen_through_a_union
union { struct { byte low : 4, high : 4; }; byte all; } u = {{3, 0}};
THREAD(t) { while (u.low) u.all &= u.all - 1; return arg; }
ONE
//// runs violated rotation_never_is_zero
THREAD(t) { byte c = 1; while (c) c = c << 1 | c >> 7; return arg; }
ONE
//// ends inconclusive rotation_comes_back
THREAD(t) { byte c = 1; do c = c << 3 | c >> 5; while (c != 1); return arg; }
ONE
//// runs violated rotation_of_a_wider_number
THREAD(t) { unsigned c = 1; do c = (c << 1 | c >> 7) & 0xff; while (c != 3); return arg; }
ONE
//// runs violated rotation_by_a_multiple_of_the_width
int by = 32;
THREAD(t) { unsigned c = 1; do c = c << (by & 31) | c >> (-by & 31); while (c != 2); return arg; }
ONE
//// runs violated count_of_ones_is_kept_by_rotation
THREAD(t) { byte c = ANY(256); while (__builtin_popcount(c)) c = c << 1 | c >> 7; return arg; }
ONE
//// ends holds count_of_ones_falls
THREAD(t) { byte c = ANY(256); while (__builtin_popcount(c) > 1) c &= c - 1; return arg; }
ONE
//// runs violated count_of_ones_of_a_negative_char
THREAD(t) { signed char c = -1; while (__builtin_popcount(c) != 8) ; return arg; }
ONE
//// ends holds count_of_ones_of_a_byte
THREAD(t) { byte c = -1; while (__builtin_popcount(c) != 8) ; return arg; }
ONE
//// ends holds leading_zeros_of_an_int
THREAD(t) { byte c = 1 + ANY(255); while (__builtin_clz(c) < 24) ; return arg; }
ONE
//// runs violated leading_zeros_of_a_short
THREAD(t) { uint16_t c = 1; while (__builtin_clz(c) != 15) ; return arg; }
ONE
//// ends holds trailing_zeros_grow
THREAD(t) { unsigned c = 1 + ANY(7); while (__builtin_ctz(c) < 5) c <<= 1; return arg; }
ONE
//// runs violated trailing_zeros_of_an_odd_number
THREAD(t) { unsigned c = 1 + ANY(7); while (__builtin_ctz(c) < 2) c |= 1; return arg; }
ONE
//// runs violated parity_flips
THREAD(t) { byte c = ANY(4); while (__builtin_parity(c) == 0) c ^= 3; return arg; }
ONE
//// ends inconclusive parity_flips_with_one_bit
THREAD(t) { byte c = ANY(4); while (__builtin_parity(c) == 0) c ^= 1; return arg; }
ONE
//// runs violated mask_set_by_another
_Atomic byte x = 1;
THREAD(t) { while (x & 1) x &= ~1; return arg; }
THREAD(e) { for (;;) x |= 1; return arg; }
TWO
//// ends inconclusive mask_only_cleared_by_another
_Atomic byte x = 3;
THREAD(t) { while (x & 1) x &= ~1; return arg; }
THREAD(e) { for (;;) x &= 2; return arg; }
TWO
//// runs violated plain_write_brings_a_bit_back
byte x = 3;
THREAD(t) { while (x & 1) x &= ~1; return arg; }
THREAD(e) { for (;;) x &= ~2; return arg; }
TWO
//// ends holds another_takes_bits_from_a_bitmap
_Atomic byte x = 7;
THREAD(t) { byte c; while ((c = x)) atomic_fetch_and(&x, ~(c & -c)); return arg; }
THREAD(e) { for (;;) atomic_fetch_and(&x, 6); return arg; }
TWO
//// runs violated another_moves_bits
_Atomic byte x = 7;
THREAD(t) { byte c; while ((c = x)) atomic_fetch_and(&x, ~(c & -c)); return arg; }
THREAD(e) { for (;;) { byte c = x; atomic_compare_exchange_strong(&x, &c, (byte)(c << 1 | 1)); } return arg; }
TWO
//// runs violated xor_by_another
_Atomic byte x = 1;
THREAD(t) { while (x & 1) ; return arg; }
THREAD(e) { for (;;) atomic_fetch_xor(&x, 2); return arg; }
TWO
//// ends inconclusive toggled_twice_at_most
THREAD(t) { byte c = ANY(2), d = 2; while (d) { c ^= 1; if (c) d >>= 1; } return arg; }
ONE
//// runs violated all_ones_plus_one
THREAD(t) { byte c = 1; while (c) { c = c * 2 + 1; if (c == 0xff) c = 1; } return arg; }
ONE
//// runs inconclusive nand_with_itself
byte x = 5;
THREAD(t) { while (x != 1) __atomic_fetch_nand(&x, x, 5); return arg; }
ONE
//// runs violated sign_extension_sets_high_bits
signed char x = -2;
THREAD(t) { unsigned u = x; while (u > 255) u = (u | 0xff00) - 0; return arg; }
ONE
//// ends holds zero_extension_does_not
byte x = -2;
THREAD(t) { unsigned u = x; while (u > 255) ; return arg; }
ONE
//// runs violated sign_of_a_narrowed_number
int x = 0x180;
THREAD(t) { while ((signed char)x < 0) ; return arg; }
ONE
//// ends inconclusive sign_of_a_narrowed_number_is_cleared
int x = 0x180;
THREAD(t) { while ((signed char)x < 0) x &= 0x17f; return arg; }
ONE
//// runs violated upper_half_is_forgotten
uint64_t x = 1ull << 40;
THREAD(t) { while (x) { if ((uint32_t)x == 0) x ^= 0; x &= ~(uint64_t)(uint32_t)-1 | x; } return arg; }
ONE
//// ends holds sixty_four_bits_leave
THREAD(t) { for (uint64_t x = 1ull << 60; x; x <<= 1) ; return arg; }
ONE
//// runs violated mask_without_suffix_is_extended
uint64_t x = 1ull << 35;
THREAD(t) { while (x & ~0x0f) x &= ~0x0f; return arg; }
ONE
//// ends inconclusive mask_without_sign_is_not_extended
uint64_t x = 1ull << 35;
THREAD(t) { while (x & ~0x0fu) x &= ~0x0fu; while (x >> 32) x &= 0xffffffffu; return arg; }
ONE
//// runs violated bool_of_a_mask
byte x = 4;
THREAD(t) { while ((bool)(x & 4) == 1) x = x | x << 1; return arg; }
ONE
//// runs violated bool_of_a_cut_mask
int x = 0x100;
THREAD(t) { bool b = x & 0x100; byte c = x & 0x100; while (b) { if (c) return arg; } return arg; }
ONE
//// runs violated gray_code_goes_on
THREAD(t) { byte c = 0; byte g; do { c = (c + 1) & 7; g = c ^ c >> 1; } while (g != 8); return arg; }
ONE
//// ends inconclusive gray_code_comes_there
THREAD(t) { byte c = 0; byte g; do { c = (c + 1) & 7; g = c ^ c >> 1; } while (g != 5); return arg; }
ONE
//// runs violated shift_register_has_a_cycle
THREAD(t) { byte c = 1; do c = c >> 1 ^ (-(c & 1) & 12); while (c); return arg; }
ONE
//// runs violated swapped_halves
THREAD(t) { byte c = 0x12; while (c != 0x20) c = c << 4 | c >> 4; return arg; }
ONE
//// runs inconclusive reversed_bytes
THREAD(t) { uint32_t c = 1; while (__builtin_bswap32(c) != c) ; return arg; }
ONE
//// runs violated negative_remainder
int x = -3;
THREAD(t) { while (x % 2 != 1) x += 2 - 2; return arg; }
ONE
//// ends holds negative_number_and_one
int x = -3;
THREAD(t) { while ((x & 1) != 1) ; return arg; }
ONE
//// runs violated halving_minus_one
int x = -1;
THREAD(t) { while (x >> 1 != x / 2) ; return arg; }
ONE
//// ends inconclusive quotient_goes_to_zero
THREAD(t) { signed char c = ANY(256); while (c) c /= 2; return arg; }
ONE
//// runs violated quotient_rounds_down
THREAD(t) { signed char c = ANY(256); while (c) c = c >> 1; return arg; }
ONE
//// ends inconclusive carry_add_of_masks
THREAD(t) { byte a = ANY(8), b = ANY(8); while (b) { byte c = a & b; a ^= b; b = c << 1; } return arg; }
ONE
//// runs violated carry_is_lost_again
THREAD(t) { byte a = 3, b = 5; while (b) { byte c = a & b; a ^= b; b = c << 1 | 1; } return arg; }
ONE
//// ends holds lock_owns_the_mask
MUTEX(m);
byte x = 6;
THREAD(t) { LOCK(m); while (x) x &= x - 1; UNLOCK(m); return arg; }
THREAD(e) { for (;;) { LOCK(m); x |= 3; UNLOCK(m); } return arg; }
TWO
//// runs violated lock_is_given_back_between
MUTEX(m);
byte x = 6;
THREAD(t) { byte c; do { LOCK(m); x &= x - 1; c = x; UNLOCK(m); } while (c); return arg; }
THREAD(e) { for (;;) { LOCK(m); x |= 3; UNLOCK(m); } return arg; }
TWO
//// runs violated bit_is_taken_from_another_word
_Atomic byte x = 2, y = 1;
THREAD(t) { while (x & y) x &= ~y; return arg; }
THREAD(e) { for (;;) { x |= 2; y = 2; y = 1; } return arg; }
TWO
