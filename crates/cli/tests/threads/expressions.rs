//! Random programs whose loops compute with bits: expressions of any form over variables of every narrow type, bit fields
//! among them.

use std::fmt::Write;

use exeunt_random::Random;

/// The threads `t`, which loops, and perhaps `e`.
pub(crate) fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x005e_ed0f_b175);
    let types = ["uint8_t", "int8_t", "uint16_t", "int16_t", "unsigned", "uint64_t", "bool"];
    let mut text = String::from(
        "#include <exeunt.h>\n#include <pthread.h>\n#include <stdbool.h>\n#include <stdint.h>\n",
    );
    for name in ["x", "y"] {
        let atomic = random.one_of(&["", "", "_Atomic "]);
        let ty = random.one_of(&types);
        let first = random.one_of(&["0", "1", "3", "6", "-1", "0x80"]);
        let _ = writeln!(text, "{atomic}{ty} {name} = {first};");
    }
    let sign = random.one_of(&["unsigned", "signed"]);
    let width = 1 + random.below(5);
    let _ = writeln!(text, "struct {{ {sign} a : {width}; unsigned b : 3; }} s = {{1, 2}};\n");
    text.push_str("void *t(void *arg) {\n");
    let ty = random.one_of(&types);
    let _ = writeln!(text, "    {ty} l = exeunt_choose({});", random.one_of(&["1", "2", "5"]));
    let condition = condition(&mut random);
    let loops = random.below(4) != 0;
    let _ = writeln!(
        text,
        "    {}",
        if loops { format!("while ({condition}) {{") } else { "do {".into() }
    );
    for _ in 0..=random.below(2) {
        let change = change(&mut random);
        let _ = writeln!(text, "        {change}");
    }
    let _ = writeln!(
        text,
        "    }}{}",
        if loops { "".into() } else { format!(" while ({condition});") }
    );
    text.push_str("    return arg;\n}\n\n");
    let two = random.below(2) == 0;
    if two {
        let change = change(&mut random);
        let again = random.one_of(&["", "for (;;) "]);
        let _ = writeln!(
            text,
            "void *e(void *arg) {{\n    uint8_t l = 2;\n    {again}{{ {change} }}\n    return arg;\n}}\n"
        );
    }
    text.push_str(
        "int main(void) {\n    pthread_t one, two;\n    pthread_create(&one, 0, t, 0);\n",
    );
    if two {
        text.push_str("    pthread_create(&two, 0, e, 0);\n");
    }
    text.push_str("    pthread_exit(0);\n}\n");
    text
}

const VARIABLES: [&str; 6] = ["x", "y", "l", "l", "s.a", "s.b"];

/// Of forms that often become false.
fn condition(random: &mut Random) -> String {
    let (left, right) = (expression(random, 1), expression(random, 1));
    match random.below(5) {
        0 => random.one_of(&VARIABLES).to_string(),
        1 => format!("{left} {} {right}", random.one_of(&["<", ">", "<=", ">=", "!="])),
        2 => format!("{} & {right}", random.one_of(&VARIABLES)),
        3 => format!("{} > {}", random.one_of(&VARIABLES), random.below(3)),
        _ => left,
    }
}

fn change(random: &mut Random) -> String {
    let to = random.one_of(&VARIABLES);
    let other = expression(random, 2);
    match random.below(8) {
        0 => format!("{to} &= {to} - 1;"),
        1 => format!("{to} >>= 1 + ({other} & 1);"),
        2 => format!("{to} <<= ({other}) & 3;"),
        3 => format!("{to} &= {other};"),
        4 => format!("if ({to} > 0) {to}--;"),
        5 => format!("if ({}) {to} ^= {other};", condition(random)),
        6 => format!("{to} /= 2;"),
        _ => format!("{to} = {other};"),
    }
}

fn expression(random: &mut Random, depth: u64) -> String {
    if depth == 0 || random.below(5) == 0 {
        return match random.below(3) {
            0 => random.one_of(&["0", "1", "2", "5", "7", "0x80", "0xffu", "-1", "0x55"]).into(),
            _ => random.one_of(&VARIABLES).to_string(),
        };
    }
    let (a, b) = (expression(random, depth - 1), expression(random, depth - 1));
    match random.below(18) {
        0 => format!("~({a})"),
        1 => format!("-({a})"),
        2 => format!(
            "({})({a})",
            random.one_of(&["uint8_t", "int8_t", "int16_t", "uint32_t", "int64_t", "bool"])
        ),
        3 => format!("__builtin_popcount({a})"),
        4 => format!("__builtin_ctz(({a}) | 8)"),
        5 => format!("__builtin_clz(({a}) | 1)"),
        6 => format!("((uint32_t)({a}) << (({b}) & 31))"),
        7 => format!("((uint8_t)({a}) >> (({b}) & 7))"),
        8 => format!("((int8_t)({a}) >> (({b}) & 7))"),
        9 => format!("((int64_t)({a}) >> (({b}) & 63))"),
        10 => format!("(uint8_t)((uint8_t)({a}) << 1 | (uint8_t)({a}) >> 7)"),
        11 => format!("({a} {} {b})", random.one_of(&["==", "<", ">"])),
        12 => format!("((uint16_t)({a}) % {})", random.one_of(&["3", "8", "5"])),
        13 => format!("({a} ? {b} : 1)"),
        14 => format!("(uint8_t)({a} + {b})"),
        _ => format!("({a} {} {b})", random.one_of(&["&", "|", "^"])),
    }
}
