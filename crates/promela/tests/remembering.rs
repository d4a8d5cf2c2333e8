//! What is remembered of earlier states makes no difference: the edges of a
//! state are the same whether they were executed or remembered, and so are the states that a search
//! stores by what it knows of remembered edges.

mod support;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use exeunt_model::{Basis, Choice, CompId, Detail, Edge, Model, Sink, Target, Verdict};
use exeunt_promela::{PromelaModel, PromelaOptions};
use exeunt_random::promela;
use support::{MapPool, explore_within, load_file, load_with};

/// Who moves, what is chosen, whether something is reopened, and the target.
type Told = (u32, Vec<Choice>, bool, Option<Vec<CompId>>);

/// Edges without their stories.
#[derive(Default, PartialEq, Eq, Debug)]
struct Edges(Vec<Told>);

impl Sink for Edges {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let target = match target {
            Target::State(state) => Some(state.to_vec()),
            _ => None,
        };
        self.0.push((edge.actor.0, edge.choices.to_vec(), edge.reopens, target));
        ControlFlow::Continue(())
    }
}

/// Compares in up to `limit` states; how many there were.
fn compare(model: &PromelaModel, limit: usize) -> usize {
    let pool = MapPool::default();
    // One hand remembers; stories are always executed.
    let session = model.open(Basis::Learnt);
    let mut quick = session.worker(&pool);
    let mut slow = session.worker(&pool);
    let mut first = Edges::default();
    slow.initial(&mut first);
    let mut open: Vec<Vec<CompId>> = first.0.into_iter().filter_map(|edge| edge.3).collect();
    let mut seen: HashSet<Vec<CompId>> = open.iter().cloned().collect();
    let mut count = 0;
    while let Some(state) = open.pop() {
        count += 1;
        let (mut plain, mut told) = (Edges::default(), Edges::default());
        let status = quick.expand(&state, Detail::Targets, None, &mut plain);
        assert_eq!(slow.expand(&state, Detail::Story, None, &mut told), status);
        assert_eq!(plain, told, "in {}", model.path().display());
        let mut again = Edges::default();
        quick.expand(&state, Detail::Targets, None, &mut again);
        assert_eq!(again, told, "in {}", model.path().display());
        let targets = told.0.into_iter().filter_map(|edge| edge.3);
        let new: Vec<_> = targets.filter(|target| seen.insert(target.clone())).collect();
        if count < limit {
            open.extend(new);
        }
    }
    count
}

#[test]
fn random_models_have_the_same_edges() {
    let mut states = 0;
    for seed in 1..150 {
        for (make, kind) in
            [(promela::model as fn(u64) -> String, "m"), (promela::observing_model, "o")]
        {
            let options = PromelaOptions {
                past_assertions: true,
                merges: seed % 2 == 0,
                ..Default::default()
            };
            let name = format!("remembering-{kind}-{seed}");
            let model = load_with(&name, &make(seed), &options).expect("a model");
            states += compare(&model, 600);
            std::fs::remove_file(model.path()).expect("removing a test model");
        }
    }
    assert!(states > 10_000, "{states}");
}

#[test]
fn models_of_the_bench_have_the_same_edges() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/models");
    let mut models = 0;
    for entry in std::fs::read_dir(folder).expect("a folder of models") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "pml") {
            assert!(compare(&load_file(&path, &PromelaOptions::default()), 3000) > 100);
            models += 1;
        }
    }
    assert!(models >= 12);
}

/// A search makes the records of most successors from named changes; debug builds compare each with
/// the record of its target.
#[test]
fn a_search_has_the_states_of_a_plain_exploration() {
    let mut all = 0;
    for seed in exeunt_random::seeds(120) {
        for (make, kind) in
            [(promela::model as fn(u64) -> String, "m"), (promela::observing_model, "o")]
        {
            let options = PromelaOptions { past_assertions: true, ..Default::default() };
            let name = format!("searching-{kind}-{seed}");
            let model = load_with(&name, &make(seed), &options).expect("a model");
            std::fs::remove_file(model.path()).expect("removing a test model");
            let Some(plain) = explore_within(&model, 4000) else { continue };
            let search = exeunt_search::Options { all: true, ..Default::default() };
            let report =
                exeunt_search::check(&mut *model.open(Basis::Learnt), &search, &mut |_| {});
            assert_eq!(report.statistics.states, plain.states, "{name}");
            let violated = if plain.is_violated() { Verdict::Violated } else { Verdict::Holds };
            for (jobs, reduces) in [(1, true), (2, false), (2, true)] {
                let search = exeunt_search::Options { jobs, reduces, ..Default::default() };
                let report =
                    exeunt_search::check(&mut *model.open(Basis::Learnt), &search, &mut |_| {});
                let how = format!("{name} with {jobs} jobs, reduced: {reduces}");
                assert_eq!(report.verdict, violated, "{how}");
                if !reduces && !plain.is_violated() {
                    assert_eq!(report.statistics.states, plain.states, "{how}");
                    assert_eq!(report.statistics.transitions + 1, plain.transitions, "{how}");
                }
            }
            all += plain.states;
        }
    }
    assert!(all > 10_000, "{all}");
}
