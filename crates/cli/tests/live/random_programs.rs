//! Random small programs natively and in the virtual machine: `exeunt live` on
//! the instrumented program and `exeunt check --reduction tau` do not contradict
//! each other. EXEUNT_LIVE_ALL=1 takes 200 programs instead of a few.

use crate::comparison::Comparison;
use crate::program::program;
use crate::shop::{Shop, root};

const USUAL: u64 = 14;
const ALL: u64 = 200;
/// Programs from here on have a topic each.
const FIRST: u64 = 5000;

#[test]
fn random_programs_have_the_same_verdicts() {
    let thorough = std::env::var_os("EXEUNT_LIVE_ALL").is_some();
    let shop = Shop::new();
    let header = format!("-I{}", root().join("runtime").display());
    let (mut left, time) = if thorough { (ALL, "20s") } else { (USUAL, "5s") };
    let mut comparison = Comparison::new(time);
    for seed in FIRST.. {
        let text = program(seed);
        let body = text.split("static void *t0").nth(1).unwrap_or_default();
        // Natively these functions are not atomic, a signal is not watched, and which
        // address comes again is glibc's choice.
        if body.contains("== stale")
            || body.contains("__VERIFIER_atomic")
            || body.contains("atomics[")
            || body.contains("raise(")
        {
            continue;
        }
        if left == 0 {
            break;
        }
        left -= 1;
        let file = shop.directory.path().join(format!("random{seed}.c"));
        std::fs::write(&file, &text).expect("written");
        let native = shop.live("cc", "gcc", &file, &["-g", "-w", &header]);
        comparison.add(&format!("seed {seed}"), &native, &file);
    }
    comparison.conclude();
}
