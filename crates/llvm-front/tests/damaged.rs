//! Damaged bitcode is refused or read as another program; it never takes the
//! process down.

mod support;

use std::process::Command;

use exeunt_random::Random;
use support::*;

const ROUNDS: usize = 120;

const SOURCE: &str = "#include <stdatomic.h>
    #include <stdarg.h>
    struct s { int a[3]; struct s *next; double d; } s = { {1, 2}, &s, 3.5 };
    _Thread_local int t; _Atomic long n; static const char *names[] = { \"a\", \"b\" };
    typedef float v4 __attribute__((vector_size(16))); v4 v;
    static int sum(int n, ...) { va_list l; va_start(l, n); int r = va_arg(l, int); va_end(l); return r; }
    int main(int argc, char **argv) {
        static void *jump[] = { &&one, &&two }; int i = 0;
        goto *jump[argc & 1];
        one: for (; i < argc; i++) { s.a[i % 3] += t; atomic_fetch_add(&n, i); v += v; }
        two: switch (argc) { case 1: return sum(1, 2); case 9: return names[0][0]; }
        __int128 w = n; return (w * w >> 5) + s.d; }";

fn bitcode(scratch: &Scratch, level: &str) -> Vec<u8> {
    let source = scratch.write("m.c", SOURCE);
    let output = scratch.path().join("m.bc");
    let mut clang = Command::new("clang-22");
    clang.args(["-w", "-g", "-c", "-emit-llvm", level, "-o"]).args([&output, &source]);
    assert!(clang.status().expect("clang").success());
    std::fs::read(output).expect("bitcode")
}

#[test]
fn damaged_bitcode_never_takes_us_down() {
    let scratch = Scratch::new();
    let mut random = Random::new(0);
    let (mut accepted, mut refused) = (0, 0);
    for level in ["-O0", "-O2"] {
        let good = bitcode(&scratch, level);
        for round in 0..ROUNDS / 2 {
            let mut bytes = good.clone();
            if round % 6 == 0 {
                bytes.truncate(random.below(good.len()));
            } else {
                for _ in 0..=random.below(3) {
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                }
            }
            let file = scratch.write("damaged.bc", &bytes);
            match checked(&inputs(&[&file], &[])) {
                Ok(_) => accepted += 1,
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    // Both happen, or the test damages too much or too little.
    assert!(accepted > 0 && refused > ROUNDS / 4, "{accepted} accepted, {refused} refused");
}
