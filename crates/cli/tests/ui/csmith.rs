//! Random programs without undefined behaviour, from Debian's `csmith` with
//! fixed seeds: each must print natively and in our machine the same.

use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::directives::Directives;
use crate::native;
use crate::tool::{self, Scratch};

const SEEDS: std::ops::RangeInclusive<u32> = 1..=230;

/// Seeds of programs that do not end within a second, as csmith's sometimes
/// do not; of 186 it is the native one that does, and ours takes two minutes.
const ENDLESS: &[u32] = &[
    7, 10, 22, 24, 25, 27, 36, 40, 61, 66, 73, 77, 87, 90, 104, 123, 129, 146, 162, 168, 186, 190,
    199, 205, 218, 221,
];

/// Small programs, so that the whole suite takes a minute.
const SIZE: [&str; 10] = [
    "--concise",
    "--no-argc",
    "--max-funcs",
    "4",
    "--max-block-depth",
    "3",
    "--max-block-size",
    "4",
    "--max-expr-complexity",
    "6",
];

pub(crate) fn trials() -> Vec<Trial> {
    let seeds = SEEDS.filter(|seed| !ENDLESS.contains(seed));
    let trial = |seed| {
        Trial::test(format!("csmith::seed_{seed:03}"), move || run(seed).map_err(Failed::from))
    };
    seeds.map(trial).collect()
}

fn run(seed: u32) -> Result<(), String> {
    let scratch = Scratch::new()?;
    let mut csmith = Command::new("csmith");
    csmith.args(["--seed", &seed.to_string()]).args(SIZE);
    let generated = tool::run(csmith, scratch.directory())?;
    if generated.code != Some(0) {
        return Err(generated.story());
    }
    std::fs::write(scratch.path("program.c"), &generated.stdout).map_err(|why| why.to_string())?;
    let directives = Directives {
        clang_args: vec!["-I/usr/include/csmith".to_string(), "-w".to_string()],
        ..Directives::default()
    };
    native::compare(scratch.directory(), &["program.c".to_string()], &directives)
}
