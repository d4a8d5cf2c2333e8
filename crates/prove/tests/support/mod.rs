//! Models with what is expected of them, and our own Promela machine as an
//! oracle that knows nothing of proofs.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use exeunt_certify::{Certificate, ModelFile, Move, Statement};
use exeunt_model::{CompId, Pool, Verdict};
use exeunt_promela::{PromelaModel, PromelaOptions};
use exeunt_prove::{Answer, Grow, Options};

/// A line `/* expect OPTIONS: VERDICT … */` of a model.
#[derive(Clone, Debug)]
pub struct Expectation {
    pub options: Options,
    pub verdict: Verdict,
    /// What has to grow, and by how much: `grows f21 3`, `grows nothing`;
    /// `any` stands for any name or any number.
    pub grows: Option<(String, String)>,
    pub line: String,
}

pub fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/prove");
    let entries = std::fs::read_dir(folder).expect("tests/prove");
    let mut models: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    models.retain(|path| path.extension().is_some_and(|ending| ending == "pml"));
    models.sort();
    models
}

pub fn load(path: &Path) -> PromelaModel {
    exeunt_promela::load(path, &PromelaOptions::default())
        .unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()))
}

pub fn expectations(path: &Path) -> Vec<Expectation> {
    let text = std::fs::read_to_string(path).expect("a model");
    let lines = text.lines().filter_map(|line| {
        let inner = line.strip_prefix("/* expect")?.strip_suffix("*/")?;
        let (options, rest) = inner.split_once(':')?;
        Some(expectation(options, rest, line))
    });
    let all: Vec<Expectation> = lines.collect();
    assert!(!all.is_empty(), "{} expects nothing", path.display());
    all
}

fn expectation(options: &str, rest: &str, line: &str) -> Expectation {
    let mut words = rest.split_whitespace();
    let verdict = match words.next() {
        Some("violated") => Verdict::Violated,
        Some("holds") => Verdict::Holds,
        Some("inconclusive") => Verdict::Inconclusive,
        other => panic!("{other:?} in {line}"),
    };
    let mut parsed = Options::default();
    let mut grows = None;
    while let Some(word) = words.next() {
        match word {
            "grows" => {
                let name = words.next().expect(line).to_string();
                let by = if name == "nothing" { "" } else { words.next().expect(line) };
                grows = Some((name, by.to_string()));
            }
            "--max-states" => parsed.max_states = words.next().expect(line).parse().expect(line),
            other => panic!("{other} in {line}"),
        }
    }
    let mut options = options.split_whitespace().peekable();
    while let Some(option) = options.next() {
        match option {
            "--grow" => {
                parsed.grow = match options.next_if(|next| !next.starts_with("--")) {
                    Some(name) => Grow::Named(name.to_string()),
                    None => Grow::Anything,
                };
            }
            "--process" => parsed.process = options.next().map(str::to_string),
            other => panic!("{other} in {line}"),
        }
    }
    Expectation { options: parsed, verdict, grows, line: line.to_string() }
}

pub fn prove(model: &PromelaModel, options: &Options) -> Answer {
    let file = ModelFile { path: "model.pml".into(), sha256: String::new(), defines: Vec::new() };
    exeunt_prove::prove(model, options, file, "test").expect("the model can be asked")
}

/// The certificate of an answer that has one.
pub fn certificate(answer: &Answer) -> Option<&Certificate> {
    answer.report.proof.as_ref()?;
    Some(answer.certificate.as_ref().expect("every number fits into a certificate"))
}

/// A model with several kinds of cycles, three of which let a channel grow.
pub fn several_cycles() -> (tempfile::TempDir, PathBuf) {
    let text = "chan c = [1] of { byte }; chan d = [1] of { byte }; chan e = [1] of { byte };
        active proctype P() { do :: c!1 :: c!2 od }
        active proctype Q() { do :: d!1; d!2 od }
        active proctype R() { byte k; do :: k = 1 - k od }
        active proctype S() { do :: c?_; e!1; e!1 od }";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("several.pml");
    std::fs::write(&path, text).expect("a model");
    (folder, path)
}

/// Runs the stem and some rounds on our Promela machine, with the longest
/// channels that it has.
pub fn replay(path: &Path, certificate: &Certificate, rounds: usize) -> Result<(), String> {
    let text = std::fs::read_to_string(path).expect("a model");
    let folder = tempfile::tempdir().expect("a folder");
    let longer = folder.path().join("longer.pml");
    std::fs::write(&longer, with_long_channels(&text)).expect("a copy");
    let model = load(&longer);
    let mut trail = String::new();
    let mut depth = 0;
    let mut add = |statement: &Statement| {
        depth += 1;
        let number = number(&model, statement);
        trail.push_str(&format!("{depth}:{}:{number}\n", statement.process));
    };
    let cycles = std::iter::repeat_n(&certificate.cycle, rounds).flatten();
    for Move { by, partner, .. } in certificate.stem.iter().chain(cycles) {
        add(by);
        partner.iter().for_each(&mut add);
    }
    let pool = MapPool::default();
    let told = |error: exeunt_promela::TrailError| error.to_string();
    let run = exeunt_promela::read_trail(&model, &pool, &trail).map_err(told)?;
    let again = exeunt_promela::write_trail(&model, &pool, &run.schedule, None).map_err(told)?;
    // A run that stops inside an atomic sequence is carried on by the machine.
    if again.starts_with(&trail) { Ok(()) } else { Err("another run was made".to_string()) }
}

/// The number that SPIN's trails have for a statement.
fn number(model: &PromelaModel, statement: &Statement) -> u32 {
    let mut procs = model.program().procs.iter();
    let proc = procs.find(|proc| *proc.name == *statement.proctype).expect("a process type");
    let state = &proc.states[usize::from(statement.state)];
    state.transitions[usize::from(statement.choice)].number
}

/// Every capacity but zero becomes 255.
pub fn with_long_channels(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("] of {") {
        let open = rest[..at].rfind('[').expect("a capacity");
        let capacity = &rest[open + 1..at];
        out.push_str(&rest[..=open]);
        out.push_str(if capacity == "0" { "0" } else { "255" });
        out.push_str("] of {");
        rest = &rest[at + "] of {".len()..];
    }
    out + rest
}

/// Components by number.
#[derive(Default)]
pub struct MapPool(Mutex<Components>);

type Words = &'static [u64];
type Components = (HashMap<Words, CompId>, Vec<Words>);

impl Pool for MapPool {
    fn intern(&self, words: &[u64]) -> CompId {
        let mut known = self.0.lock().expect("nobody panics here");
        if let Some(id) = known.0.get(words) {
            return *id;
        }
        let id = CompId(known.1.len() as u32);
        let kept: Words = Box::leak(words.to_vec().into_boxed_slice());
        known.0.insert(kept, id);
        known.1.push(kept);
        id
    }

    fn get(&self, id: CompId) -> &[u64] {
        self.0.lock().expect("nobody panics here").1[id.0 as usize]
    }
}
