//! Random programs whose threads have little to do with each other: what stubborn sets
//! leave out. Data come in groups, and each thread works with one or two of them.

use std::fmt::Write;

use exeunt_random::Random;

const PROLOGUE: &str = r#"#include <assert.h>
#include <exeunt.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static struct group {
    volatile int plain, flag;
    _Atomic int atomic;
    int guarded;
    int *volatile node;
    pthread_mutex_t lock;
    sem_t sem;
} g[4];
"#;

struct Writer {
    random: Random,
    chooses: bool,
}

impl Writer {
    /// One or a few statements about a group.
    fn statement(&mut self, group: u64, other: u64) -> String {
        let value = self.random.below(3u64);
        let lock = format!("pthread_mutex_lock(&g[{group}].lock);");
        let unlock = format!("pthread_mutex_unlock(&g[{group}].lock);");
        match self.random.below(20u64) {
            0 => format!("g[{group}].plain = {value};"),
            1 => format!("g[{group}].plain++;"),
            2 => format!("assert(g[{group}].plain != {});", value + 2),
            3 | 4 => format!("{lock} g[{group}].guarded++; {unlock}"),
            5 => format!("{lock} assert(g[{group}].guarded < {}); {unlock}", value + 2),
            6 => format!("g[{group}].atomic++;"),
            7 => format!("if (g[{group}].atomic == {value}) g[{other}].plain = 1;"),
            8 => format!("sem_post(&g[{group}].sem);"),
            9 => format!("sem_wait(&g[{group}].sem);"),
            10 => format!("while (g[{group}].flag == 0) ;"),
            11 | 12 => format!("g[{group}].flag = {value};"),
            13 => format!(
                "{lock} pthread_mutex_lock(&g[{other}].lock); g[{other}].guarded++; \
                 pthread_mutex_unlock(&g[{other}].lock); {unlock}"
            ),
            14 => format!("{{ int *p = malloc(4); *p = {value}; g[{group}].node = p; }}"),
            15 => format!("if (g[{group}].node) assert(*g[{group}].node != {});", value + 1),
            16 => format!("{{ int *p = g[{group}].node; g[{group}].node = 0; free(p); }}"),
            17 => format!("for (int i = 0; i < 2; i++) g[{group}].atomic += i;"),
            18 if self.chooses => format!("if (exeunt_choose(2)) g[{group}].flag = {value};"),
            19 if self.chooses => format!("while (exeunt_choose(2)) g[{group}].plain ^= 1;"),
            18 => format!("while (g[{group}].atomic == 1) g[{group}].flag ^= 1;"),
            _ => format!("while (pthread_mutex_trylock(&g[{group}].lock)) ; {unlock}"),
        }
    }

    fn thread(&mut self, number: u64) -> String {
        let home = if self.random.one_in(3) { 0 } else { number % 4 };
        let away = self.random.below(4u64);
        let mut text = format!("static void *thread{number}(void *unused) {{\n");
        for _ in 0..1 + self.random.below(4u64) {
            let group = if self.random.one_in(4) { away } else { home };
            let statement = self.statement(group, away);
            writeln!(text, "    {statement}").expect("writing to a string");
        }
        text + "    return 0;\n}\n"
    }
}

pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x5eed_a9a7);
    let chooses = random.one_in(3);
    let threads = 2 + random.below(3u64);
    let joins = !random.one_in(5);
    let mut writer = Writer { random, chooses };
    let mut text = PROLOGUE.to_string();
    (0..threads).for_each(|number| text += &writer.thread(number));
    text += "int main(void) {\n    pthread_t t[4];\n    for (int i = 0; i < 4; i++) {\n        \
             pthread_mutex_init(&g[i].lock, 0);\n        sem_init(&g[i].sem, 0, i & 1);\n    }\n";
    for number in 0..threads {
        writeln!(text, "    pthread_create(&t[{number}], 0, thread{number}, 0);")
            .expect("writing to a string");
    }
    let own = writer.statement(0, 1);
    writeln!(text, "    {own}").expect("writing to a string");
    for number in 0..threads {
        let end = if joins { "pthread_join(t[{}], 0);" } else { "pthread_detach(t[{}]);" };
        writeln!(text, "    {}", end.replace("{}", &number.to_string())).expect("as above");
    }
    text + "    assert(g[0].guarded < 4);\n}\n"
}
