// verdict: holds
// states: 5278
// native
// optimised
// Structs among variadic arguments: in integer and vector registers, several
// floats in one, on the stack with every alignment, and when registers run out.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

struct floats { float x, y; };
struct three { float x, y, z; };
struct mixed { double d; long l; };
struct extended { long double v; };
struct wide { __int128 v; };
struct aligned { _Alignas(16) int v; };
struct aligned_big { _Alignas(32) long v[5]; };
struct big { long a, b, c; };
struct small { char c[3]; };
struct pair { long a, b; };
struct empty {};

static void take(const char *types, ...)
{
    va_list list, again;
    va_start(list, types);
    va_copy(again, list);
    for (int round = 0; round < 2; round++) {
        va_list *l = round ? &again : &list;
        for (const char *t = types; *t; t++) {
            switch (*t) {
            case 'i': printf("%d ", va_arg(*l, int)); break;
            case 'l': printf("%ld ", va_arg(*l, long)); break;
            case 'd': printf("%g ", va_arg(*l, double)); break;
            case 'L': printf("%Lg ", va_arg(*l, long double)); break;
            case 's': printf("%s ", va_arg(*l, char *)); break;
            case 'w': printf("%lx ", (long)(va_arg(*l, __int128) >> 64)); break;
            case 'F': { struct floats v = va_arg(*l, struct floats); printf("%g,%g ", v.x, v.y); break; }
            case 'T': { struct three v = va_arg(*l, struct three); printf("%g,%g,%g ", v.x, v.y, v.z); break; }
            case 'M': { struct mixed v = va_arg(*l, struct mixed); printf("%g,%ld ", v.d, v.l); break; }
            case 'E': { struct extended v = va_arg(*l, struct extended); printf("%Lg ", v.v); break; }
            case 'W': { struct wide v = va_arg(*l, struct wide); printf("%lx,%lx ", (long)(v.v >> 64), (long)v.v); break; }
            case 'A': { struct aligned v = va_arg(*l, struct aligned); printf("%d ", v.v); break; }
            case 'X': { struct aligned_big v = va_arg(*l, struct aligned_big); printf("%ld,%ld ", v.v[0], v.v[4]); break; }
            case 'B': { struct big v = va_arg(*l, struct big); printf("%ld,%ld,%ld ", v.a, v.b, v.c); break; }
            case 'S': { struct small v = va_arg(*l, struct small); printf("%d,%d,%d ", v.c[0], v.c[1], v.c[2]); break; }
            case 'P': { struct pair v = va_arg(*l, struct pair); printf("%ld,%ld ", v.a, v.b); break; }
            case '0': (void)va_arg(*l, struct empty); break;
            }
        }
        printf("\n");
    }
    va_end(again);
    va_end(list);
}

/* Fixed arguments take registers and stack, too. */
static double fixed(struct big on_stack, int a, double b, struct extended e, const char *format, ...)
{
    va_list list;
    char text[100];
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    puts(text);
    return on_stack.c + a + b + (double)e.v;
}

int main(void)
{
    struct floats f = {1, 2};
    struct three t = {3, 4, 5};
    struct mixed m = {6.5, 7};
    struct extended e = {8.25L};
    struct wide w = {(__int128)9 << 64 | 10};
    struct aligned a = {11};
    struct aligned_big x = {{12, 0, 0, 0, 13}};
    struct big b = {14, 15, 16};
    struct small s = {{17, 18, 19}};
    struct pair p = {20, 21};
    struct empty n;
    take("F", f);
    take("iFi", 1, f, 2);
    take("T", t);
    take("M", m);
    take("iE", 1, e);
    take("iWi", 1, w, 2);
    take("iAi", 1, a, 2);
    take("iXi", 1, x, 2);
    take("BiB", b, 3, b);
    take("SSi", s, s, 4);
    take("i0i", 5, n, 6);
    take("PPPPi", p, p, p, p, 7);
    take("iiiiWiw", 1, 2, 3, 4, w, 5, (__int128)9 << 64);
    take("ddddddddFdM", 1., 2., 3., 4., 5., 6., 7., 8., f, 9., m);
    take("ddddddddTEiL", 1., 2., 3., 4., 5., 6., 7., 8., t, e, 1, 0.5L);
    take("iiiiiLiLAXs", 1, 2, 3, 4, 5, 1.5L, 6, 2.5L, a, x, "end");
    take("MMMMMMMMM", m, m, m, m, m, m, m, m, m);
    assert(fixed(b, 1, 2.5, e, "%d %s %g %ld %Lg %c %d %d %d %g", 1, "two", 3.5, 4L, 5.5L, '6', 7, 8, 9, 10.5) == 16 + 1 + 2.5 + 8.25);
    return 0;
}
