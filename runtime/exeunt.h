/* exeunt.h: what a program can tell Exeunt, and ask of it.
 *
 * Under `exeunt check` these functions are known to the machine. Under
 * `exeunt live` every choice is tried, atomic blocks happen at once, and
 * assumptions end a run. Compiled by
 * any other compiler they do nothing (or the one obvious thing), so that an
 * annotated program still builds and runs. C and C++.
 */
#ifndef EXEUNT_H
#define EXEUNT_H

#include <stddef.h>

/* Every call of a function marked with this must come to its end. */
#if defined(__clang__)
#define EXEUNT_MUST_RETURN __attribute__((annotate("exeunt_must_return"), noinline))
#else
#define EXEUNT_MUST_RETURN
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __EXEUNT__

/* One of 0 to n - 1; the environment chooses, and it may choose badly. */
int exeunt_choose(int n);
/* Drops the path unless the condition holds. */
void exeunt_assume(int condition);
/* Fails with the text unless the condition holds. */
void exeunt_assert(int condition, const char *text);
/* What is between begin and end happens at once. */
void exeunt_atomic_begin(void);
void exeunt_atomic_end(void);
/* From here on these bytes are not compared when states are: what is found is
 * real, but "holds" is relative to that. */
void exeunt_ignore(const void *ptr, size_t size);
/* For a function that is named by `--abstract`: of all data only what it gives
 * to these is compared. It runs on a copy; what it changes is forgotten. */
void exeunt_match(const void *ptr, size_t size);
void exeunt_match_value(long value);
/* A section that is entered and must be left. `resource` may be NULL; sections
 * of one thread with the same resource (or, without one, name) must not nest. */
void exeunt_section_begin(const char *name, const void *resource);
void exeunt_section_end(const char *name, const void *resource);
/* Gives a global variable a name in formulas: `--ltl 'G F name'`. */
void exeunt_proposition(const char *name, const volatile void *variable);
/* Waiting for something that must happen. */
void exeunt_wait_begin(const char *name);
void exeunt_wait_end(const char *name);

#else

#include <stdio.h>
#include <stdlib.h>

/* Defined by what `exeunt live` loads into the program, otherwise absent. */
__attribute__((weak)) int exeunt_live_choose(int n);
__attribute__((weak)) void exeunt_live_atomic_begin(void);
__attribute__((weak)) void exeunt_live_atomic_end(void);

static inline int exeunt_choose(int n) {
    if (exeunt_live_choose)
        return exeunt_live_choose(n);
    return n > 0 ? rand() % n : 0;
}
static inline void exeunt_assume(int condition) {
    if (!condition)
        exit(0);
}
static inline void exeunt_assert(int condition, const char *text) {
    if (!condition) {
        fprintf(stderr, "assertion failed: %s\n", text);
        abort();
    }
}
static inline void exeunt_atomic_begin(void) {
    if (exeunt_live_atomic_begin)
        exeunt_live_atomic_begin();
}
static inline void exeunt_atomic_end(void) {
    if (exeunt_live_atomic_end)
        exeunt_live_atomic_end();
}
static inline void exeunt_ignore(const void *ptr, size_t size) {
    (void)ptr;
    (void)size;
}
static inline void exeunt_match(const void *ptr, size_t size) {
    (void)ptr;
    (void)size;
}
static inline void exeunt_match_value(long value) { (void)value; }
static inline void exeunt_section_begin(const char *name, const void *resource) {
    (void)name;
    (void)resource;
}
static inline void exeunt_section_end(const char *name, const void *resource) {
    (void)name;
    (void)resource;
}
static inline void exeunt_proposition(const char *name, const volatile void *variable) {
    (void)name;
    (void)variable;
}
static inline void exeunt_wait_begin(const char *name) { (void)name; }
static inline void exeunt_wait_end(const char *name) { (void)name; }

#endif

#ifdef EXEUNT_NONDET
/* Inputs as other tools name them: nondet_int() and its kin. Define EXEUNT_NONDET,
   for instance with `exeunt check prog.c -DEXEUNT_NONDET -include exeunt.h`. */
#define EXEUNT_INPUT(type, name)                                                                   \
    type __VERIFIER_nondet_##name(void);                                                           \
    static inline type nondet_##name(void) { return __VERIFIER_nondet_##name(); }
EXEUNT_INPUT(char, char)
EXEUNT_INPUT(signed char, schar)
EXEUNT_INPUT(unsigned char, uchar)
EXEUNT_INPUT(short, short)
EXEUNT_INPUT(unsigned short, ushort)
EXEUNT_INPUT(int, int)
EXEUNT_INPUT(unsigned, uint)
EXEUNT_INPUT(unsigned, unsigned)
EXEUNT_INPUT(long, long)
EXEUNT_INPUT(unsigned long, ulong)
EXEUNT_INPUT(long long, longlong)
EXEUNT_INPUT(unsigned long long, ulonglong)
EXEUNT_INPUT(size_t, size_t)
EXEUNT_INPUT(float, float)
EXEUNT_INPUT(double, double)
EXEUNT_INPUT(void *, pointer)
#ifdef __cplusplus
EXEUNT_INPUT(bool, bool)
#else
EXEUNT_INPUT(_Bool, bool)
#endif
#undef EXEUNT_INPUT
#endif

#ifdef __cplusplus
}

namespace exeunt {

/* Enters a section for the life of the object. */
class section {
  public:
    explicit section(const char *name, const void *resource = nullptr)
        : name_(name), resource_(resource) {
        exeunt_section_begin(name_, resource_);
    }
    ~section() { exeunt_section_end(name_, resource_); }
    section(const section &) = delete;
    section &operator=(const section &) = delete;

  private:
    const char *name_;
    const void *resource_;
};

} /* namespace exeunt */
#endif

#endif /* EXEUNT_H */
