//! Reference implementations, deliberately naive, that the fast algorithms
//! must agree with on random models:
//!
//! - the construction of Štill and Barnat: activate one section instance
//!   nondeterministically, look for a fully accepting terminal component in
//!   the expanded graph;
//! - the definition of a stuck set, tried on every subset of the states.

mod naive;
mod spread;
mod toy;

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use exeunt_model::{Basis, FixedModel, Model, OpenSection, Verdict};

use super::doomed::Doomed;
use super::{Edges, Stuck, StuckSet, sections_stuck_in, stuck_sets};
use crate::bound::{Engine, check_context_bound};
use crate::check::check;
use crate::explore::{self, Finding, Graph, Observer, Outcome, Wanted};
use crate::limits::Meter;
use crate::options::{ContextLimit, Options, Order, SectionFilter};
use crate::store::{ComponentPool, StateId};
use exeunt_random::Random;
use naive::{by_definition, by_the_paper, is_doomed};
use toy::{SLOTS, Toy, section};

type Answer = BTreeSet<OpenSection>;

struct Gather {
    found: Answer,
    filter: SectionFilter,
}

impl Observer for Gather {
    fn found(&mut self, finding: Finding, graph: &mut Graph<'_>, _: &[StateId]) -> ControlFlow<()> {
        match finding {
            Finding::Component { states } => {
                self.found.extend(sections_stuck_in(graph, &states, &SectionFilter::all()));
            }
            Finding::Deadlock { state } => {
                let vector = graph.vector(state);
                let mut open = Vec::new();
                graph.worker.open_sections(&vector, &mut open);
                self.found.extend(open);
            }
            Finding::Choosing { edges, .. } => {
                let edges = edges.iter();
                let sets = edges.flat_map(|e| stuck_sets(graph, e, Options::default().wanted()));
                self.found.extend(sections(sets));
            }
            Finding::Fault { .. } => unreachable!("toys have no faults"),
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Option<Wanted<'_>> {
        Some(Wanted { sections: &self.filter, termination: false })
    }

    fn goes_on(&self) -> bool {
        true
    }
}

fn explored<R>(toy: &Toy, answer: impl FnOnce(&mut Graph<'_>, Answer) -> R) -> R {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(toy.worker(&pool), &pool);
    graph.start().expect("toys have no faults");
    let options = Options::default();
    let mut ignore = |_: &crate::options::Progress| {};
    let mut meter = Meter::new(&options, &mut ignore);
    let mut gather = Gather { found: Answer::new(), filter: SectionFilter::all() };
    let _ = explore::depth_first(&mut graph, true, &mut meter, &mut gather);
    answer(&mut graph, gather.found)
}

/// By depth-first search: bottom components, and stuck sets within components
/// in which the environment chooses.
fn by_components(toy: &Toy) -> Answer {
    explored(toy, |_, found| found)
}

fn by_fixpoint(toy: &Toy) -> Answer {
    explored(toy, |graph, _| {
        let edges = Edges::of_everything(graph);
        sections(stuck_sets(graph, &edges, Options::default().wanted()))
    })
}

fn sections(sets: impl IntoIterator<Item = StuckSet>) -> Answer {
    let section = |set: StuckSet| match set.what {
        Stuck::Section(section) => section,
        Stuck::Program => unreachable!("not asked for"),
    };
    sets.into_iter().map(section).collect()
}

#[test]
fn bottom_components_agree_with_the_expanded_graph() {
    let mut random = Random::from_state(0x5eed_0001);
    let mut stuck = 0;
    for round in 0..6000 {
        let nodes = 2 + random.below(9);
        let toy = Toy::random(&mut random, nodes, false);
        let expected = by_the_paper(&toy);
        assert_eq!(by_components(&toy), expected, "round {round}: {toy:?}");
        assert_eq!(by_fixpoint(&toy), expected, "round {round}, fixpoint: {toy:?}");
        stuck += !expected.is_empty() as u32;
    }
    assert!((600..5400).contains(&stuck), "{stuck} of 6000 models say something");
}

/// Several threads, and one way on from every state.
fn in_parallel(toy: &Toy, jobs: usize) -> Outcome {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(toy.worker(&pool), &pool);
    graph.start().expect("toys have no faults");
    let options = Options { jobs, ..Options::default() };
    let mut ignore = |_: &crate::options::Progress| {};
    let mut meter = Meter::new(&options, &mut ignore);
    let explored =
        explore::explore_parallel(&*toy.open(Basis::Learnt), &mut graph, &mut meter, &options);
    explored.expect("nothing is read").0
}

#[test]
fn ways_on_agree_with_stuck_sets() {
    let mut random = Random::from_state(0x5eed_0003);
    let (mut clean, mut unsure) = (0, 0);
    for round in 0..4000 {
        let nodes = 2 + random.below(9);
        let toy = Toy::random(&mut random, nodes, round % 2 == 1);
        let fine = by_fixpoint(&toy).is_empty() && !toy.has_deadlock();
        let outcome = in_parallel(&toy, 1 + round % 3);
        if toy.chooses() {
            assert!(outcome != Outcome::Clean || fine, "{toy:?}");
            unsure += (fine && outcome == Outcome::Suspicious) as u32;
        } else {
            assert_eq!(outcome == Outcome::Clean, fine, "{toy:?}");
        }
        clean += (outcome == Outcome::Clean) as u32;
    }
    assert!((400..3600).contains(&clean), "{clean} of 4000 are clean");
    assert!(unsure < 400, "{unsure} must be looked at in order for nothing");
}

#[test]
fn stuck_sets_agree_with_their_definition() {
    let mut random = Random::from_state(0x5eed_0002);
    let (mut tried, mut stuck, mut beyond, mut withheld) = (0, 0, 0, 0);
    while tried < 4000 {
        let nodes = 2 + random.below(5);
        let toy = Toy::random(&mut random, nodes, true);
        let states = toy.reachable();
        if states.len() > 11 {
            continue;
        }
        tried += 1;
        let expected = by_definition(&toy, &states);
        assert_eq!(by_fixpoint(&toy), expected, "{toy:?}");
        assert_eq!(by_components(&toy), expected, "{toy:?}");
        withheld += (!toy.chooses() && toy.withholds()) as u32;
        stuck += !expected.is_empty() as u32;
        // What a choice can close is stuck all the same.
        beyond += (toy.chooses() && expected != by_the_paper(&toy)) as u32;
    }
    assert!(stuck > 400 && beyond > 100, "{stuck} stuck, {beyond} beyond the paper's rule");
    assert!(withheld > 50, "{withheld} with withheld moves only");
}

/// Where every run comes to a section that then stays open for ever.
#[test]
fn doomed_states_agree_with_their_definition() {
    let mut random = Random::from_state(0x5eed_0006);
    let (mut doomed, mut begun) = (0, 0);
    for round in 0..2000 {
        let nodes = 2 + random.below(6);
        let toy = Toy::random(&mut random, nodes, round % 2 == 1);
        for number in 0..2 * SLOTS {
            let expected = is_doomed(&toy, number);
            let found = explored(&toy, |graph, _| {
                let start = graph.initial.expect("toys have a beginning");
                Doomed::new(section(number), HashSet::new(), 1000).has(graph, start)
            });
            assert_eq!(found, expected, "round {round}, section {number}: {toy:?}");
            doomed += expected as u32;
        }
        begun += toy.reachable().iter().any(|(_, open)| *open != 0) as u32;
    }
    assert!(doomed > 100 && begun > 1000, "{doomed} are doomed, {begun} begin something");
}

#[test]
fn context_bounds_find_what_is_there_and_nothing_else() {
    let mut random = Random::from_state(0x5eed_0003);
    let options = Options::default();
    let engine: Engine<'_> = &check;
    let (mut late, mut holds) = (0, 0);
    for round in 0..1500 {
        let nodes = 2 + random.below(6);
        let toy = Toy::random(&mut random, nodes, true);
        let verdict = |limit| {
            check_context_bound(&mut *toy.open(Basis::Learnt), limit, engine, &options, &mut |_| {})
                .verdict
        };
        let expected = check(&mut *toy.open(Basis::Learnt), &options, &mut |_| {}).verdict;
        assert_eq!(verdict(ContextLimit::Growing), expected, "round {round}: {toy:?}");
        for most in 0..4 {
            let found = verdict(ContextLimit::AtMost(most));
            let fits = found == expected || found == Verdict::Inconclusive;
            assert!(fits, "round {round}, {most} switches: {found:?}, {toy:?}");
            late += (expected == Verdict::Violated && found != expected) as u32;
        }
        holds += (expected == Verdict::Holds) as u32;
    }
    assert!(late > 20 && holds > 100, "{late} cut off, {holds} hold");
}

/// A search whose numbers run out says so, and never that something holds.
#[test]
fn what_does_not_fit_is_inconclusive() {
    let mut random = Random::from_state(0x5eed_0005);
    let (mut cut, mut transitions) = (0, 0);
    for round in 0..300 {
        let toy = Toy::random(&mut random, 12, round % 2 == 1);
        for order in [Order::Depth, Order::Shortest] {
            let mut options = Options { order, jobs: 1 + round % 2, ..Options::default() };
            let whole = check(&mut *toy.open(Basis::Learnt), &options, &mut |_| {});
            // The last one has room for the states, but not always for the edges.
            for capacity in [6, 13, whole.statistics.states + 1] {
                options.limits.capacity = Some(capacity);
                let small = check(&mut *toy.open(Basis::Learnt), &options, &mut |_| {});
                let agrees = small.verdict == whole.verdict;
                assert!(agrees || small.verdict == Verdict::Inconclusive, "{toy:?}");
                if small.verdict == Verdict::Inconclusive && whole.verdict == Verdict::Holds {
                    assert!(small.reason.contains("room for no more"), "{}", small.reason);
                    cut += 1;
                }
                transitions += u32::from(small.reason.contains("transitions"));
            }
        }
    }
    assert!(cut > 5 && transitions > 0, "{cut} searches were cut off, {transitions} by edges");
}
