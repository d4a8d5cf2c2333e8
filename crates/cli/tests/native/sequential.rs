//! Programs with one thread: arithmetic on all types, structs by value and
//! through `...`, control flow, the C library. Nothing in them is undefined.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::{compiled, exeunt, run};
use exeunt_random::{Random, seeds};

const PROLOGUE: &str = r#"#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned __int128 u128;
typedef unsigned _BitInt(100) b100;
struct fp { float x, y; };
struct mix { double d; long l; };
struct ext { long double v; };
struct big { long a, b, c; };
struct chr { char c[3]; };
struct bits { unsigned a : 5, b : 12, c : 15; unsigned long d : 40; };
union both { unsigned u; unsigned char c[4]; unsigned short s[2]; };
struct __attribute__((packed)) tight { char t; long l; short s; };

static void show(const char *name, u128 v) {
    printf("%s %016lx%016lx\n", name, (unsigned long)(v >> 64), (unsigned long)v);
}
static void show_real(const char *name, long double v) { printf("%s %.12Lg\n", name, v); }

static void take(const char *types, ...) {
    va_list list;
    va_start(list, types);
    for (; *types; types++) {
        switch (*types) {
        case 'i': printf("%d ", va_arg(list, int)); break;
        case 'l': printf("%ld ", va_arg(list, long)); break;
        case 'd': printf("%g ", va_arg(list, double)); break;
        case 'L': printf("%Lg ", va_arg(list, long double)); break;
        case 'w': printf("%lx ", (long)(va_arg(list, u128) >> 64)); break;
        case 'F': { struct fp v = va_arg(list, struct fp); printf("%g,%g ", v.x, v.y); break; }
        case 'M': { struct mix v = va_arg(list, struct mix); printf("%g,%ld ", v.d, v.l); break; }
        case 'E': { struct ext v = va_arg(list, struct ext); printf("%Lg ", v.v); break; }
        case 'B': { struct big v = va_arg(list, struct big); printf("%ld,%ld ", v.a, v.c); break; }
        case 'C': { struct chr v = va_arg(list, struct chr); printf("%d,%d ", v.c[0], v.c[2]); break; }
        }
    }
    va_end(list);
    printf("\n");
}
static int ascending(const void *a, const void *b) { return *(int *)a < *(int *)b ? -1 : *(int *)a > *(int *)b; }
"#;

/// The variables of each type; all unsigned, so that nothing overflows.
const NUMBERS: [(&str, &str); 6] = [
    ("uint8_t", "c"),
    ("uint16_t", "h"),
    ("uint32_t", "u"),
    ("uint64_t", "l"),
    ("u128", "w"),
    ("b100", "b"),
];

struct Writer {
    random: Random,
    text: String,
    loops: u32,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    /// An integer expression.
    fn number(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(5) {
            let variable = NUMBERS[self.random.below(6) as usize].1;
            return match self.random.below(3) {
                0 => format!("{}u", self.random.below(300)),
                _ => format!("{variable}{}", self.random.below(2)),
            };
        }
        let (a, b) = (self.number(depth - 1), self.number(depth - 1));
        let ty = NUMBERS[self.random.below(6) as usize].0;
        let places = self.random.below(8);
        match self.random.below(14) {
            0 | 1 => format!("((u128){a} + ({ty}){b})"),
            2 => format!("((u128){a} - {b})"),
            3 => format!("((uint64_t){a} * (u128){b})"),
            4 => format!("({a} / (u128)(({ty}){b} | 1u))"),
            5 => format!("({a} % (u128)((uint32_t){b} | 1u))"),
            6 => format!("((u128){a} << {})", self.random.below(127)),
            7 => format!("((u128){a} >> {})", self.random.below(127)),
            8 => format!("(({ty}){a} ^ {b})"),
            9 => format!("({a} & ~(u128){b})"),
            10 => format!("({a} < {b} ? (u128){b} : (u128)({ty}){a})"),
            11 => format!(
                "(u128)((uint64_t){a} {} (uint64_t){b})",
                self.random.one_of(&["<", "==", "!=", ">="])
            ),
            12 => format!("(u128)(({ty}){a} && {b} || !{a})"),
            _ => format!("(u128)__builtin_popcountll((uint64_t){a} >> {places})"),
        }
    }

    /// An expression of floating-point type, small enough to be exact in some
    /// places and rounded in others.
    fn real(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(5) {
            return match self.random.below(4) {
                0 => format!("{}.25L", self.random.below(50)),
                1 => format!("(long double)(uint32_t){}", self.number(0)),
                2 => format!("x{}", self.random.below(2)),
                _ => format!("(long double)f{}", self.random.below(2)),
            };
        }
        let (a, b) = (self.real(depth - 1), self.real(depth - 1));
        match self.random.below(7) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("({a} * 0.5L * (long double)(float)1.5)"),
            4 => format!("({a} / ({b} * {b} + 1))"),
            5 => format!("({a} < {b} ? {a} : {b})"),
            _ => format!("(long double)(double){a}"),
        }
    }

    fn variable(&mut self) -> String {
        format!("{}{}", NUMBERS[self.random.below(6) as usize].1, self.random.below(2))
    }

    fn statement(&mut self, depth: u32) {
        let at = self.random.below(if depth == 0 { 9 } else { 13 });
        let (target, value) = (self.variable(), self.number(3));
        match at {
            0 | 1 => self.line(&format!("{target} = {value};")),
            2 => {
                let value = self.real(3);
                let name = self.random.one_of(&["x0", "x1", "f0", "f1"]);
                self.line(&format!("{name} = {value};"));
            }
            3 => self.struct_values(),
            4 => self.variadic(),
            5 | 6 => self.library(),
            7 => self.line(&format!("show(\"v\", {value});")),
            8 => {
                let value = self.real(3);
                self.line(&format!("show_real(\"r\", {value});"));
            }
            9 => {
                self.line(&format!("if ({value}) {{"));
                self.statement(depth - 1);
                self.line("} else {");
                self.statement(depth - 1);
                self.line("}");
            }
            10 => {
                let number = self.loops;
                self.loops += 1;
                let count = 1 + self.random.below(5);
                self.line(&format!("for (int i{number} = 0; i{number} < {count}; i{number}++) {{"));
                self.statement(depth - 1);
                self.statement(depth - 1);
                let leave = self.random.one_of(&["break", "continue"]);
                self.line(&format!("    if (({target} & 7) == 3) {leave};"));
                self.line("}");
            }
            11 => {
                self.line(&format!("switch ((unsigned){value} & 3) {{"));
                for case in 0..3 {
                    self.line(&format!("case {case}:"));
                    self.statement(depth - 1);
                    if !self.random.one_in(3) {
                        self.line("    break;");
                    }
                }
                self.line(&format!("default: {target}++; }}"));
            }
            _ => {
                let number = self.loops;
                self.loops += 1;
                self.line(&format!(
                    "{{ int n{number} = 0; long double s{number} = 0; u128 p{number} = {value};"
                ));
                let count = 2 + self.random.below(6);
                self.line(&format!("do {{ s{number} += x0 / 3; p{number} = p{number} * 3 + 1; }}"));
                self.line(&format!("while ((p{number} & 15) != 5 && n{number}++ < {count});"));
                self.line(&format!("show_real(\"s\", s{number}); show(\"p\", p{number}); }}"));
            }
        }
    }

    fn struct_values(&mut self) {
        let value = self.number(2);
        let line = match self.random.below(5) {
            0 => format!(
                "q.a = {value}; q.b += q.a; q.c = {value}; q.d ^= {value}; show(\"q\", q.a + q.b + q.c + (u128)q.d);"
            ),
            1 => format!("o.u = {value}; o.c[1] ^= 7; o.s[1] += o.c[0]; show(\"o\", o.u);"),
            2 => format!(
                "t.l = {value}; t.s = (short)t.l; {{ struct tight k = t; show(\"t\", (uint64_t)k.l + (uint16_t)k.s); }}"
            ),
            3 => format!(
                "g = (struct big){{(long)(uint32_t){value}, 2, 3}}; {{ struct big k; memcpy(&k, &g, sizeof k); g.c += k.a; }} show(\"g\", g.c);"
            ),
            _ => format!(
                "{{ struct mix a[2] = {{{{1.5, 2}}, {{x0 > 1, (long)(uint8_t){value}}}}}; a[0] = a[1]; show(\"m\", a[0].l); }}"
            ),
        };
        self.line(&line);
    }

    fn variadic(&mut self) {
        let (mut types, mut values) = (String::new(), String::new());
        for _ in 0..1 + self.random.below(12) {
            let (letter, value) = match self.random.below(10) {
                0 => ('i', "(int)(uint16_t)u0".to_string()),
                1 => ('l', "(long)(uint32_t)l0".to_string()),
                2 => ('d', format!("{}.5", self.random.below(9))),
                3 => ('L', "x0".to_string()),
                4 => ('w', "w0".to_string()),
                5 => ('F', "((struct fp){1.5f, (float)(uint8_t)c0})".to_string()),
                6 => ('M', "((struct mix){2.5, (long)(uint16_t)h0})".to_string()),
                7 => ('E', "((struct ext){x1})".to_string()),
                8 => ('B', "g".to_string()),
                _ => ('C', "((struct chr){{1, 2, (char)(c1 & 63)}})".to_string()),
            };
            types.push(letter);
            let _ = write!(values, ", {value}");
        }
        self.line(&format!("take(\"{types}\"{values});"));
    }

    fn library(&mut self) {
        let value = self.number(2);
        let line = match self.random.below(8) {
            0 => format!(
                "{{ char b[40]; snprintf(b, sizeof b, \"%lu|%x|%c\", (unsigned long)(uint32_t){value}, (unsigned){value}, 'a' + (int)({value} % 26u)); puts(b); }}"
            ),
            1 => format!(
                "{{ int a[6]; for (int i = 0; i < 6; i++) a[i] = (int)(({value} >> i) & 255u); qsort(a, 6, sizeof *a, ascending); show(\"a\", a[0] + 10 * a[5]); }}"
            ),
            2 => format!(
                "{{ char b[30]; sprintf(b, \"%ux\", (unsigned)(uint16_t){value}); char *e; show(\"n\", strtoul(b, &e, 0)); show(\"e\", *e); }}"
            ),
            3 => format!(
                "{{ char b[8] = \"abcdefg\"; memmove(b + 1, b, (size_t)({value} % 6u)); puts(b); show(\"c\", strchr(b, 'a') != 0); }}"
            ),
            4 => format!(
                "{{ unsigned *p = calloc(4, 4); p[({value}) & 3u] = 5; unsigned *k = realloc(p, 32); show(\"k\", k[0] + k[1] + k[2] + k[3]); free(k); }}"
            ),
            5 => format!(
                "printf(\"%.*f %5d|%-5d|%05u %e\\n\", (int)({value} % 5u), (double)x1, (int)(uint8_t){value}, 7, (unsigned)(uint16_t){value}, (double)f0);"
            ),
            6 => format!(
                "{{ int n; unsigned v; char b[20]; sprintf(b, \"%u z\", (unsigned)(uint16_t){value}); n = sscanf(b, \"%u %s\", &v, b); show(\"f\", n + v + (unsigned)b[0]); }}"
            ),
            _ => format!(
                "show(\"d\", strtod(\"1.25e1\", 0) == 12.5 && strtold(\"0x1p-3\", 0) == 0.125L); show(\"m\", (u128)memcmp(\"ab\", \"ac\", 2 + 0 * (int)(uint8_t){value}) >> 127);"
            ),
        };
        self.line(&line);
    }
}

fn program(seed: u64) -> String {
    let mut writer = Writer { random: Random::new(seed), text: String::from(PROLOGUE), loops: 0 };
    writer.text.push_str("int main(void) {\n");
    for (ty, name) in NUMBERS {
        let value = writer.random.below(1u64 << 31);
        writer.line(&format!("volatile {ty} {name}0 = ({ty}){value}u * 2654435761u, {name}1 = 3;"));
    }
    writer.line("volatile long double x0 = 1.75L, x1 = -3.5L; volatile float f0 = 0.5f; volatile double f1 = 2.25;");
    writer.line("struct bits q = {1, 2, 3, 4}; union both o = {5}; struct tight t = {1, 2, 3}; struct big g = {1, 2, 3};");
    // Registers instead of memory: this is where values meet at joins.
    if seed.is_multiple_of(2) {
        writer.text = writer.text.replace("    volatile ", "    ").replace("; volatile ", "; ");
    }
    for _ in 0..6 {
        writer.statement(2);
    }
    for (_, name) in NUMBERS {
        writer.line(&format!("show(\"{name}\", {name}0); show(\"{name}\", {name}1);"));
    }
    writer.line(
        "show_real(\"x\", x0); show_real(\"x\", x1); show_real(\"f\", f0); show_real(\"f\", f1);",
    );
    writer.line("return (int)(c0 & 63);");
    writer.text.push_str("}\n");
    writer.text
}

/// What it prints in our machine and does not print natively, or the other way
/// round.
fn difference(seed: u64, file: &Path) -> Option<String> {
    let text = program(seed);
    std::fs::write(file, &text).expect("written");
    let expected = run(&mut Command::new(compiled("clang-22", "-O0", file, &[]))).stdout;
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let ours = run(exeunt().arg("run").arg(file).args(["--", level]));
        if ours.stdout != expected {
            let (ours, errors) = (shown(&ours.stdout), shown(&ours.stderr));
            let expected = shown(&expected);
            return Some(format!(
                "seed {seed} at {level}: {errors}\nours:\n{ours}\nnative:\n{expected}\n{text}"
            ));
        }
    }
    // gcc 12 has no _BitInt: it is compared on programs without.
    let plain = text.replace("typedef unsigned _BitInt(100) b100;", "typedef u128 b100;");
    std::fs::write(file, &plain).expect("written");
    let ours = run(exeunt().arg("run").arg(file)).stdout;
    for level in ["-O0", "-O2"] {
        let native = run(&mut Command::new(compiled("gcc", level, file, &[]))).stdout;
        if ours != native {
            let (ours, native) = (shown(&ours), shown(&native));
            return Some(format!(
                "seed {seed}, gcc {level}:\nours:\n{ours}\nnative:\n{native}\n{plain}"
            ));
        }
    }
    None
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn programs_with_one_thread_print_what_they_print_natively() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("sequential.c");
    let differences: Vec<String> = seeds(30).filter_map(|seed| difference(seed, &file)).collect();
    assert!(
        differences.is_empty(),
        "{} differences\n{}",
        differences.len(),
        differences.join("\n")
    );
}
