//! The fuzz targets of `fuzz/`, without a fuzzer: each is run on its corpus and
//! on mutations of it with fixed seeds. `EXEUNT_MUTATIONS` says how many.

use std::path::{Path, PathBuf};

use exeunt_random::Random;

#[path = "../../../fuzz/targets/bitcode.rs"]
mod bitcode;
#[path = "../../../fuzz/targets/certificate.rs"]
mod certificate;
#[path = "../../../fuzz/targets/formula.rs"]
mod formula;
#[path = "../../../fuzz/targets/ir_text.rs"]
mod ir_text;
#[path = "../../../fuzz/targets/promela.rs"]
mod promela;
#[path = "../../../fuzz/targets/trace.rs"]
mod trace;

/// Parsers go as deep as their input is nested, as in the binary.
const STACK: usize = 256 << 20;

#[test]
fn mutated_formulas() {
    try_all("formula", 3000, formula::run);
}

#[test]
fn mutated_traces() {
    try_all("trace", 1000, trace::run);
}

#[test]
fn mutated_certificates() {
    try_all("certificate", 40, certificate::run);
}

#[test]
fn mutated_models() {
    try_all("promela", 200, promela::run);
}

#[test]
fn mutated_bytecode() {
    let lowered = |seed: Vec<u8>| bitcode::lowered(&seed).expect("bitcode").into_bytes();
    let texts = corpus("bitcode").into_iter().map(lowered).collect();
    try_on(texts, 300, ir_text::run);
}

#[test]
fn mutated_bitcode() {
    try_all("bitcode", 40, bitcode::run);
}

/// Every target of `fuzz/Cargo.toml` is tried here.
#[test]
fn no_target_is_forgotten() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    let names = manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/"));
    let mut names: Vec<&str> = names.filter_map(|name| name.strip_suffix(".rs\"")).collect();
    names.sort_unstable();
    assert_eq!(names, ["bitcode", "certificate", "formula", "ir_text", "promela", "trace"]);
    for name in names {
        assert!(root().join(format!("fuzz_targets/{name}.rs")).exists(), "{name}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The files of a corpus, by their names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let directory = root().join("corpus").join(target);
    let entries = std::fs::read_dir(&directory).expect("a corpus");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("a file")).collect()
}

fn try_all(target: &str, mutations: u64, run: fn(&[u8]) -> bool) {
    try_on(corpus(target), mutations, run);
}

/// A panic names the seed of the mutation.
fn try_on(seeds: Vec<Vec<u8>>, mutations: u64, run: fn(&[u8]) -> bool) {
    let wanted = std::env::var("EXEUNT_MUTATIONS").ok().and_then(|text| text.parse().ok());
    let work = move || {
        assert!(seeds.iter().any(|seed| run(seed)), "no input of the corpus is accepted");
        for number in 0..wanted.unwrap_or(mutations) {
            let mut random = Random::new(number);
            let mut data = seeds[random.below(seeds.len())].clone();
            let other = &seeds[random.below(seeds.len())];
            (0..=random.below(4)).for_each(|_| mutate(&mut data, other, &mut random));
            println!("mutation {number}");
            run(&data);
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Flips a bit, replaces a byte, truncates, repeats or removes a part, or takes
/// over a part of another seed.
fn mutate(data: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    if data.is_empty() {
        data.push(random.bits() as u8);
    }
    let at = random.below(data.len());
    let end = (at + 1 + random.below(16)).min(data.len());
    match random.below(6) {
        0 => data[at] ^= 1 << random.below(8),
        1 => data[at] = random.one_of(b"(){}[];:,.-+*/<>=!&|\"0197azGFUX \n\0"),
        2 => data.truncate(at),
        3 => {
            let part = data[at..end].to_vec();
            data.splice(at..at, part);
        }
        4 => drop(data.drain(at..end)),
        _ => {
            let from = random.below(other.len() + 1);
            let to = (from + random.below(32)).min(other.len());
            data.splice(at..end, other[from..to].iter().copied());
        }
    }
}
