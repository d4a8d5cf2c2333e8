//! Programs made by csmith: everything in them is lowered, at all levels.
//!
//! The generator is Debian's package `csmith`; `tests/csmith/csmith.h` stands
//! in for its runtime.

mod support;

use std::path::Path;
use std::process::Command;

use support::*;

// Two tests, for two cores: csmith and clang take most of the time.

#[test]
fn the_first_programs_of_csmith_are_lowered_completely() {
    lowered_completely(1..=10);
}

#[test]
fn the_next_programs_of_csmith_are_lowered_completely() {
    lowered_completely(11..=20);
}

fn lowered_completely(seeds: std::ops::RangeInclusive<u32>) {
    let scratch = Scratch::new();
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/csmith");
    for seed in seeds {
        let output = Command::new("csmith").arg("--seed").arg(seed.to_string()).output();
        let output = output.expect("csmith is installed (Debian's package csmith)");
        assert!(output.status.success());
        let file = scratch.write("random.c", &output.stdout);
        for level in ["-O0", "-O2"] {
            let mut inputs = inputs(&[&file], &[level, "-w"]);
            inputs.include = include.clone();
            let program = checked(&inputs).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert_eq!(unsupported(&program), Vec::<String>::new(), "seed {seed} at {level}");
            assert!(program.caveats.is_empty(), "seed {seed}: {:?}", program.caveats);
        }
    }
}
