//! Random models and the models of the Promela test set, against exploring
//! them with our Promela machine, which has channels of 255 messages: a model
//! whose states are finite has a run that never ends iff its states have a
//! cycle.

mod support;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use exeunt_model::{Basis, CompId, Detail, Edge, Model, Sink, Target, Verdict};
use exeunt_promela::PromelaModel;
use exeunt_prove::Options;
use support::{MapPool, certificate, load, prove, replay, with_long_channels};

/// Of an exploration; the prover, which also counts states inside atomic
/// sequences, gets half as many, so that what it explores is explored here.
const MOST_STATES: usize = 8000;

/// What exploring shows.
struct Explored {
    cyclic: bool,
    faulty: bool,
}

#[derive(Default)]
struct Collect {
    states: Vec<Vec<CompId>>,
    faulty: bool,
}

impl Sink for Collect {
    fn edge(&mut self, _: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        match target {
            Target::State(state) => self.states.push(state.to_vec()),
            _ => self.faulty = true,
        }
        ControlFlow::Continue(())
    }
}

/// All states and edges; `None` if there are too many.
fn explore(model: &PromelaModel) -> Option<Explored> {
    let pool = MapPool::default();
    let session = model.open(Basis::Learnt);
    let mut worker = session.worker(&pool);
    let mut first = Collect::default();
    worker.initial(&mut first);
    let mut faulty = first.faulty;
    let mut states = first.states;
    let mut known: HashMap<Vec<CompId>, usize> = HashMap::new();
    states.iter().for_each(|state| {
        known.insert(state.clone(), 0);
    });
    let mut edges: Vec<Vec<usize>> = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let mut out = Collect::default();
        worker.expand(&states[at].clone(), Detail::Targets, None, &mut out);
        faulty |= out.faulty;
        let mut targets = Vec::new();
        for target in out.states {
            let next = states.len();
            let index = *known.entry(target.clone()).or_insert(next);
            if index == next {
                states.push(target);
            }
            targets.push(index);
        }
        edges.push(targets);
        at += 1;
        if states.len() > MOST_STATES {
            return None;
        }
    }
    Some(Explored { cyclic: is_cyclic(&edges), faulty })
}

/// By taking away, again and again, what nothing leads to.
fn is_cyclic(edges: &[Vec<usize>]) -> bool {
    let mut into = vec![0; edges.len()];
    edges.iter().flatten().for_each(|to| into[*to] += 1);
    let mut free: Vec<usize> = (0..edges.len()).filter(|at| into[*at] == 0).collect();
    let mut gone = 0;
    while let Some(at) = free.pop() {
        gone += 1;
        for to in &edges[at] {
            into[*to] -= 1;
            if into[*to] == 0 {
                free.push(*to);
            }
        }
    }
    gone < edges.len()
}

/// Compares the answers for one model; whether there was one to compare.
fn compare(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a model");
    let folder = tempfile::tempdir().expect("a folder");
    let longer = folder.path().join("longer.pml");
    std::fs::write(&longer, with_long_channels(&text)).expect("a copy");
    let model = load(&longer);
    let program = model.program();
    if program.uses_priority && program.channels.iter().any(|channel| channel.capacity == 0) {
        return false;
    }
    let options = Options { max_states: MOST_STATES as u64 / 2, ..Options::default() };
    let answer = prove(&model, &options);
    let verdict = answer.report.verdict;
    let shown = || format!("{}: {}\n{text}", path.display(), answer.report.reason);
    if let Some(certificate) = certificate(&answer) {
        let replayed = replay(path, certificate, 3);
        assert_eq!(replayed, Ok(()), "{}", shown());
        if !certificate.growth.is_empty() {
            return true;
        }
    }
    let Some(explored) = explore(&model) else {
        // Without the contents of channels there may be fewer states.
        let fades = answer.report.reason.contains("left open what lies in channels");
        assert!(verdict != Verdict::Holds || fades, "{}", shown());
        return false;
    };
    if verdict == Verdict::Inconclusive && !answer.report.limits_hit.is_empty() {
        return false;
    }
    match (explored.cyclic, explored.faulty) {
        (true, _) => assert_ne!(verdict, Verdict::Holds, "{}", shown()),
        (false, true) => assert_eq!(verdict, Verdict::Inconclusive, "{}", shown()),
        (false, false) => assert_eq!(verdict, Verdict::Holds, "{}", shown()),
    }
    // A cycle behind a fault may be out of reach, any other is proven.
    if explored.cyclic && !explored.faulty {
        assert_eq!(verdict, Verdict::Violated, "{}", shown());
    }
    true
}

/// `EXEUNT_FUZZ_SEEDS=1000..3000` tries other seeds than the fixed ones.
fn seeds() -> std::ops::Range<u64> {
    let Ok(range) = std::env::var("EXEUNT_FUZZ_SEEDS") else { return 1..400 };
    let (from, to) = range.split_once("..").expect("a range like 1..100");
    let number = |text: &str| text.parse().expect("a number");
    number(from)..number(to)
}

#[test]
fn random_models_agree_with_exploring() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut compared = 0;
    for seed in seeds() {
        let text = exeunt_random::promela::model(seed);
        // How long a channel may be must not matter.
        if text.contains("full(") {
            continue;
        }
        let path = folder.path().join(format!("random-{seed}.pml"));
        std::fs::write(&path, text).expect("a model");
        compared += usize::from(compare(&path));
    }
    assert!(compared > 150, "only {compared} models");
}

#[test]
fn models_of_the_promela_tests_agree_with_exploring() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/promela/models");
    let entries = std::fs::read_dir(folder).expect("models");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "pml"));
    paths.sort();
    // Values that leave 32 bits are left out of the search, and say so.
    paths.retain(|path| !path.ends_with("truncation.pml"));
    // A claim of exclusive use is not looked at.
    paths.retain(|path| !path.ends_with("exclusive.pml"));
    let compared = paths.iter().filter(|path| compare(path)).count();
    assert!(compared > 30, "only {compared} models");
}
