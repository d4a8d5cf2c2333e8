//! Programs made by csmith: everything in them is lowered, at all levels.
//!
//! The generator is Debian's package `csmith`; `tests/csmith/csmith.h` stands
//! in for its runtime.

mod support;

use std::path::Path;
use std::process::Command;

use support::*;

const SEEDS: std::ops::RangeInclusive<u32> = 1..=20;

#[test]
fn programs_of_csmith_are_lowered_completely() {
    let scratch = Scratch::new();
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/csmith");
    for seed in SEEDS {
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
