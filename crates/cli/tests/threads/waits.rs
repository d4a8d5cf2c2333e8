//! Random programs that wait for conditions and signal them, under one lock.

use std::fmt::Write;

use exeunt_random::Random;

/// The threads `t`, which loops, and one or two `e`.
pub(crate) fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x00c0_4d17);
    let mut text = String::from("#include <exeunt.h>\n#include <pthread.h>\n");
    text.push_str("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n");
    text.push_str("pthread_cond_t c = PTHREAD_COND_INITIALIZER, d = PTHREAD_COND_INITIALIZER;\n");
    let _ = writeln!(text, "int x = {}, y = {};\n", random.below(2), random.below(2));
    for (name, loops) in [("t", true), ("e", random.below(2) == 0)] {
        let _ = writeln!(text, "void *{name}(void *arg) {{\n    pthread_mutex_lock(&m);");
        let head = match random.below(6) {
            0 => "while (!x)",
            1 => "while (!x && !y)",
            2 => "while (x == y)",
            3 => "while (x > 0)",
            4 => "for (int i = 0; i < 2; i++)",
            _ => "for (;;)",
        };
        let _ = writeln!(text, "    {}{{", if loops { head } else { "" });
        for _ in 0..=random.below(3) {
            let statement = statement(&mut random, name == "t");
            let _ = writeln!(text, "        {statement}");
        }
        text.push_str("    }\n    pthread_mutex_unlock(&m);\n");
        if random.below(3) == 0 {
            text.push_str("    pthread_cond_signal(&c);\n");
        }
        text.push_str("    return arg;\n}\n\n");
    }
    text.push_str(
        "int main(void) {\n    pthread_t one, two;\n    pthread_create(&one, 0, t, 0);\n",
    );
    for _ in 0..=random.below(2) {
        text.push_str("    pthread_create(&two, 0, e, 0);\n");
    }
    text.push_str("    pthread_exit(0);\n}\n");
    text
}

fn statement(random: &mut Random, subject: bool) -> String {
    let var = random.one_of(&["x", "y"]);
    let condition = random.one_of(&["c", "c", "d"]);
    match random.below(if subject { 9 } else { 8 }) {
        0 => format!("if ({var} < 2) {var}++;"),
        1 => format!("if ({var} > 0) {var}--;"),
        2 => format!("{var} = {};", random.below(2)),
        3 => format!("pthread_cond_signal(&{condition});"),
        4 => format!("{var} = 1; pthread_cond_signal(&{condition});"),
        5 => format!("if (!{var}) pthread_cond_broadcast(&{condition});"),
        6 => "pthread_mutex_unlock(&m); pthread_mutex_lock(&m);".to_string(),
        _ => format!("pthread_cond_wait(&{condition}, &m);"),
    }
}
