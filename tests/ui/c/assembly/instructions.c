// verdict: holds
// states: 46
// native
// Single instructions on memory, as libraries write them for x86-64.
#include <stdio.h>

static char byte = 5;
static short half = 500;
static int word = 70000;
static long wide = 1L << 40;

int main(void)
{
    int r, old;
    long big;
    char c, equal;
    asm volatile("movl %1, %0" : "=r"(r) : "m"(word) : "memory");
    printf("%d\n", r);
    asm volatile("movl %1, %0" : "=m"(word) : "r"(8) : "memory");
    printf("%d\n", word);
    asm volatile("movq %1, %0" : "=r"(big) : "m"(wide) : "memory");
    printf("%ld\n", big);
    r = 9;
    asm volatile("xchgl %0, %1" : "+r"(r), "+m"(word) : : "memory");
    printf("%d %d\n", r, word);
    r = 3;
    asm volatile("lock; xaddl %0, %1" : "+r"(r), "+m"(word) : : "memory", "cc");
    printf("%d %d\n", r, word);
    c = -1;
    asm volatile("lock xaddb %0, %1" : "+q"(c), "+m"(byte) : : "memory", "cc");
    printf("%d %d\n", c, byte);
    asm volatile("lock incw %0" : "+m"(half) : : "memory", "cc");
    asm volatile("lock; decl %0" : "+m"(word) : : "memory", "cc");
    asm volatile("lock addl %1, %0" : "+m"(word) : "ir"(30) : "memory", "cc");
    asm volatile("lock; subq %1, %0" : "+m"(wide) : "r"(1L) : "memory", "cc");
    asm volatile("lock orl $256, %0" : "+m"(word) : : "memory", "cc");
    asm volatile("lock; andl %1, %0" : "+m"(word) : "r"(~1) : "memory", "cc");
    asm volatile("lock xorw %1, %0" : "+m"(half) : "r"((short)3) : "memory", "cc");
    printf("%d %d %ld\n", half, word, wide);
    asm volatile("lock; cmpxchgl %2, %1" : "=a"(old), "+m"(word) : "r"(1), "0"(77) : "memory", "cc");
    printf("%d %d\n", old, word);
    asm volatile("lock; cmpxchgl %2, %1" : "=a"(old), "+m"(word) : "r"(1), "0"(old) : "memory", "cc");
    printf("%d %d\n", old, word);
    asm volatile("lock ; cmpxchgl %2, %1; sete %0" : "=a"(equal), "=m"(word) : "r"(2), "a"(1), "m"(word) : "memory");
    printf("%d %d\n", equal, word);
    asm volatile("lock ; cmpxchgl %2, %1; sete %0" : "=a"(equal), "=m"(word) : "r"(3), "a"(1), "m"(word) : "memory");
    printf("%d %d\n", equal, word);
}
