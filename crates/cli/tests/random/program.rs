//! A random small program with threads: everything that reductions have to
//! be right about, in tiny doses.

use std::fmt::Write;

use exeunt_random::Random;

const PROLOGUE: &str = r#"#define _GNU_SOURCE
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int x, y, z;
static volatile int slots[4];
static int *volatile cell;
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t sem;
static pthread_t handle[3];
static volatile int guarded[2], own[4], ready;

static void shared_sum(int *a) { x = a[0] + a[1]; }
static void initialise(void) { z = x; y = 1; }
static void *child(void *unused) {
    own[3] = x;
    ready = 1;
    own[3]++;
    return 0;
}
static void __VERIFIER_atomic_both(void) { x = 1; y = 1; }
static void __VERIFIER_atomic_swap(void) { int k = x; x = y; y = k; }
static void (*volatile atomics[2])(void) = {__VERIFIER_atomic_both, __VERIFIER_atomic_swap};

struct pair { int a, b; };
struct three { long a, b, c; };
struct __attribute__((packed)) tight { char tag; int *volatile p; };
union word { unsigned u; unsigned short h[2]; unsigned char c[4]; };
struct bits { unsigned a : 3, b : 5; };
static volatile struct pair block;
static struct three wide;
static struct tight packed;
static volatile union word word;
static volatile struct bits bits;
static volatile uintptr_t masked, stale;
static pthread_key_t keys[2];
static char text[8];
static long first(int n, ...) {
    va_list list;
    va_start(list, n);
    struct three v = va_arg(list, struct three);
    va_end(list);
    return v.a + n;
}
static int second(int n, ...) {
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    int v = va_arg(copy, int) + va_arg(list, int);
    va_end(copy);
    va_end(list);
    return v;
}
static void destroy(void *p) { y += *(int *)p; }
__attribute__((unused)) static void handle_signal(int number) { z = number & 1; }
EXEUNT_MUST_RETURN static int until(volatile int *flag) {
    while (*flag == 0) ;
    return *flag;
}

"#;

/// One thread while it is being written.
struct Thread<'r> {
    random: &'r mut Random,
    number: u64,
    held: Vec<u64>,
    /// What most statements are about: some of those of `exotic`.
    topic: Option<std::ops::Range<u64>>,
    text: String,
}

/// Blocks, unions, packed pointers, masked ones, varargs, bit-fields, keys,
/// locks of files, atomic calls and signals, addresses that come again.
const TOPICS: [std::ops::Range<u64>; 9] =
    [0..4, 4..7, 7..9, 9..11, 11..13, 13..15, 15..18, 18..21, 21..23];

impl Thread<'_> {
    fn line(&mut self, line: String) {
        let _ = writeln!(self.text, "    {line}");
    }

    fn variable(&mut self) -> String {
        match self.random.below(6) {
            0 | 1 => "x".to_string(),
            2 | 3 => "y".to_string(),
            4 => "z".to_string(),
            _ => format!("slots[{}]", self.random.below(4)),
        }
    }

    fn statement(&mut self) {
        if self.topic.is_some() && !self.random.one_in(3) {
            return self.exotic();
        }
        match self.random.below(13) {
            10..=12 => self.exotic(),
            8 | 9 => self.disciplined(),
            0..=2 => self.access(),
            3 => self.atomic(),
            4 => self.heap(),
            5 => self.lock_or_unlock(),
            6 => self.wait(),
            _ => self.rare(),
        }
    }

    fn access(&mut self) {
        let (variable, other) = (self.variable(), self.variable());
        let value = self.random.below(3);
        let line = match self.random.below(7) {
            0 | 1 => format!("{variable} = {value};"),
            2 => format!("{variable} = {other} + 1;"),
            3 => format!("local += {variable};"),
            4 => format!("if ({variable} == {value}) {other} = local & 3;"),
            5 => format!("assert({variable} != {});", 2 + self.random.below(3)),
            _ => format!("slots[local & 3] = {value};"),
        };
        self.line(line);
    }

    fn atomic(&mut self) {
        let (variable, value) = (self.variable(), self.random.below(3));
        let order = "__ATOMIC_SEQ_CST";
        let line = match self.random.below(4) {
            0 | 1 => format!("__atomic_fetch_xor(&{variable}, {value}, {order});"),
            2 => format!(
                "{{ int e = {value}; __atomic_compare_exchange_n(&{variable}, &e, 1, 0, {order}, \
                 {order}); local += e; }}"
            ),
            _ => format!(
                "{{ int e = {value}; if (__atomic_compare_exchange_n(&{variable}, &e, 2, 1, \
                 {order}, {order})) local++; }}"
            ),
        };
        self.line(line);
    }

    fn heap(&mut self) {
        let value = self.random.below(3);
        let line = match self.random.below(6) {
            0 => format!("{{ int *p = malloc(4); *p = {value}; cell = p; x = *p; }}"),
            1 => "if (cell) local += *cell;".to_string(),
            2 => "if (cell) { free(cell); cell = 0; }".to_string(),
            3 => "{ int a[2] = {local, 1}; shared_sum(a); }".to_string(),
            4 => format!("{{ int on_stack = {value}; cell = &on_stack; y = on_stack; cell = 0; }}"),
            _ => format!("{{ int *p = malloc(8); p[0] = {value}; local += p[0]; free(p); }}"),
        };
        self.line(line);
    }

    /// What most programs do: data with a lock or an owner. Seldom without.
    fn disciplined(&mut self) {
        let (mutex, number) = (self.random.below(2), self.number);
        let locked = !self.held.contains(&mutex) && !self.random.one_in(6);
        let (lock, unlock) = match locked {
            true => (
                format!("pthread_mutex_lock(&m[{mutex}]);"),
                format!("pthread_mutex_unlock(&m[{mutex}]);"),
            ),
            false => (String::new(), String::new()),
        };
        let line = match self.random.below(12) {
            10 => format!("{lock} exeunt_assume(guarded[{mutex}] != 1); {unlock}"),
            11 => format!("ready = 1; local += own[{number}]; exeunt_assume(local != 1);"),
            0 | 1 => format!("{lock} guarded[{mutex}]++; {unlock}"),
            2 => format!("{lock} local += guarded[{mutex}]; {unlock}"),
            3 => format!("{lock} assert(guarded[{mutex}]++ < 2); {unlock}"),
            4 => format!("own[{number}]++; ready = 1; own[{number}]++;"),
            5 => format!("if (ready) own[{}] = 4;", self.random.below(4)),
            6 => format!("assert(own[{}] != 2);", self.random.below(4)),
            7 => "{ pthread_t h; pthread_create(&h, 0, child, 0); pthread_detach(h); }".to_string(),
            8 => "{ pthread_t h; pthread_create(&h, 0, child, 0); if (ready) own[3]++; \
                  pthread_join(h, 0); assert(own[3] != 3); }"
                .to_string(),
            _ => format!("while (!ready) ; local += own[{}];", self.random.below(4)),
        };
        self.line(line);
    }

    fn lock_or_unlock(&mut self) {
        let mutex = self.random.below(2);
        if let Some(at) = self.held.iter().position(|&held| held == mutex) {
            self.held.remove(at);
            self.line(format!("pthread_mutex_unlock(&m[{mutex}]);"));
        } else if self.random.one_in(5) {
            self.line(format!(
                "if (!pthread_mutex_trylock(&m[{mutex}])) {{ z++; \
                 pthread_mutex_unlock(&m[{mutex}]); }}"
            ));
        } else {
            self.held.push(mutex);
            self.line(format!("pthread_mutex_lock(&m[{mutex}]);"));
        }
    }

    /// Waits, and what ends them.
    fn wait(&mut self) {
        let variable = self.variable();
        let line = match self.random.below(12) {
            0 if self.held.is_empty() => format!(
                "pthread_mutex_lock(&m[0]); while ({variable} == 0) pthread_cond_wait(&c, &m[0]); \
                 pthread_mutex_unlock(&m[0]);"
            ),
            1 if self.held.is_empty() => {
                "pthread_mutex_lock(&m[0]); pthread_cond_wait(&c, &m[0]); \
                 pthread_mutex_unlock(&m[0]);"
                    .to_string()
            }
            2 | 3 => "pthread_cond_signal(&c);".to_string(),
            4 => "pthread_cond_broadcast(&c);".to_string(),
            5 => "sem_wait(&sem);".to_string(),
            6 | 7 => "sem_post(&sem);".to_string(),
            8 => "pthread_rwlock_rdlock(&rw); local += x; pthread_rwlock_unlock(&rw);".to_string(),
            9 => "pthread_rwlock_wrlock(&rw); x = 2; pthread_rwlock_unlock(&rw);".to_string(),
            10 => "pthread_spin_lock(&spin); z++; pthread_spin_unlock(&spin);".to_string(),
            _ => "pthread_barrier_wait(&barrier);".to_string(),
        };
        self.line(line);
    }

    /// What reductions have been wrong about: memory that is touched in other
    /// ways than by plain loads and stores, pointers that hide, and calls that
    /// touch more than their arguments.
    fn exotic(&mut self) {
        let (variable, value) = (self.variable(), self.random.below(3));
        let number = self.number;
        let topic = self.topic.clone().filter(|_| !self.random.one_in(5)).unwrap_or(0..24);
        let line = match topic.start + self.random.below(topic.end - topic.start) {
            0 => format!("{{ struct pair p = {{{value}, {value}}}; block = p; }}"),
            1 => "{ struct pair p = block; local += p.a - p.b; assert(local < 9); }".to_string(),
            2 => format!("wide = (struct three){{{value}, 2, {variable}}};"),
            3 => "{ struct three w; memcpy(&w, &wide, sizeof w); assert(w.a == w.c || w.a > 1); }"
                .to_string(),
            4 => format!("word.u = {value}u << 8;"),
            5 => format!("word.h[{}] = {value}; local += word.c[{value}];", value & 1),
            6 => format!("if (word.c[1] == {value}) y = word.h[0] & 3;"),
            7 => format!(
                "{{ int *p = malloc(4); *p = {value}; packed = (struct tight){{1, p}}; *p = 2; }}"
            ),
            8 => "{ struct tight k = packed; if (k.tag && k.p) assert(*k.p != 1); }".to_string(),
            9 => format!(
                "{{ int *p = malloc(4); *p = {value}; masked = (uintptr_t)p ^ 0x5a5a; *p += 1; }}"
            ),
            10 => "if (masked) { int *p = (int *)(masked ^ 0x5a5a); assert(*p != 1); }".to_string(),
            11 => "assert(first(1, wide) != 2);".to_string(),
            12 => format!("{variable} = second(1, {value}, 2.5, 7) & 3;"),
            13 => format!("bits.a = {value}; bits.b++;"),
            14 => format!("if (bits.a == {value}) {variable} = bits.b;"),
            15 => format!(
                "{{ static int mine[3]; mine[{number}] = 1; pthread_setspecific(keys[0], &mine[{number}]); }}"
            ),
            16 => "if (pthread_getspecific(keys[0])) x ^= 1;".to_string(),
            17 => "if (ready) { ready = 0; pthread_key_delete(keys[1]); }".to_string(),
            18 => "flockfile(stdout); x++; y++; funlockfile(stdout);".to_string(),
            19 => {
                let call = self.random.one_of(&["atomics[local & 1]();", "atomics[x & 1]();"]);
                call.to_string()
            }
            20 => "raise(SIGUSR1); local += z;".to_string(),
            21 => "{ int *p = malloc(4); *p = local; stale = (uintptr_t)p; free(p); }".to_string(),
            22 => "{ int *p = malloc(4); *p = 1; if ((uintptr_t)p == stale) x = 3; free(p); }"
                .to_string(),
            _ => format!(
                "snprintf(text, sizeof text, \"%d\", {variable} & 7); if (text[0] == '{value}') z = 1;"
            ),
        };
        self.line(line);
    }

    fn rare(&mut self) {
        let (variable, value) = (self.variable(), self.random.below(3));
        let other = (self.number + 1) % 2;
        let line = match self.random.below(16) {
            0 => format!("while ({variable} == {value}) ;"),
            1 => format!("while (1) {{ {variable} ^= 1; }}"),
            2 | 3 => format!("{variable} = exeunt_choose(2);"),
            4 => "while (exeunt_choose(2)) x ^= 1;".to_string(),
            5 => format!("exeunt_assume({variable} != {value});"),
            6 => format!("exeunt_assume(exeunt_choose(3) != {value});"),
            7 => "exeunt_atomic_begin(); x++; y++; exeunt_atomic_end();".to_string(),
            8 => "__VERIFIER_atomic_both();".to_string(),
            9 => format!("local += until(&{variable});"),
            10 => format!(
                "exeunt_section_begin(\"s\", 0); while ({variable} == {value}) ; \
                 exeunt_section_end(\"s\", 0);"
            ),
            11 => "pthread_once(&once, initialise);".to_string(),
            12 => format!("if ({variable} == {value}) pthread_exit(0);"),
            13 if self.number == 0 => {
                format!("if (y == 1 && pthread_tryjoin_np(handle[{other}], 0)) assert(x != 1);")
            }
            14 => format!("if ({variable} == {value}) pthread_cancel(handle[{other}]);"),
            15 => format!("for (int i = 0; i < 3; i++) slots[i] = {value};"),
            _ => format!("if (local == {value}) exit(0);"),
        };
        self.line(line);
    }

    fn finish(&mut self) {
        // Most threads give back what they hold.
        if !self.random.one_in(5) {
            for mutex in std::mem::take(&mut self.held) {
                self.line(format!("pthread_mutex_unlock(&m[{mutex}]);"));
            }
        }
    }
}

/// The program with this number.
pub(crate) fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let threads = if random.one_in(4) { 3 } else { 2 };
    // The first programs are about everything; later ones have a topic, so that
    // their threads meet in it.
    let topic = (seed >= 1000).then(|| TOPICS[(seed % TOPICS.len() as u64) as usize].clone());
    let mut text = String::from(PROLOGUE);
    for number in 0..threads {
        let _ =
            writeln!(text, "static void *t{number}(void *unused) {{\n    int local = {number};");
        let most = if threads == 3 { 2 } else { 4 };
        let statements = 2 + random.below(most);
        let mut thread = Thread {
            random: &mut random,
            number,
            held: Vec::new(),
            topic: topic.clone(),
            text: String::new(),
        };
        (0..statements).for_each(|_| thread.statement());
        thread.finish();
        text.push_str(&thread.text);
        text.push_str("    return (void *)(long)local;\n}\n\n");
    }
    text.push_str(
        "int main(void) {\n    sem_init(&sem, 0, 0);\n    pthread_barrier_init(&barrier, 0, 2);\n    \
         pthread_spin_init(&spin, 0);\n    pthread_key_create(&keys[0], destroy);\n    \
         pthread_key_create(&keys[1], 0);\n",
    );
    // Signals switch movers off, so they are only there where one is raised.
    if text.contains("raise(") {
        text.push_str("    signal(SIGUSR1, handle_signal);\n");
    }
    for number in 0..threads {
        let _ = writeln!(text, "    pthread_create(&handle[{number}], 0, t{number}, 0);");
    }
    if random.one_in(4) {
        text.push_str("    y = 1;\n    pthread_cond_signal(&c);\n");
    }
    let joined = if random.one_in(8) { threads - 1 } else { threads };
    for number in 0..joined {
        let _ = writeln!(text, "    pthread_join(handle[{number}], 0);");
    }
    text.push_str("    if (ready) assert(own[3] != 4);\n    assert(x != 7);\n    return 0;\n}\n");
    text
}
