//! A deliberately naive reference on random models: the whole product of the
//! graph with a *degeneralised* automaton, written out with the last mover in
//! every node, and the fixpoint of Emerson and Lei over all conditions. It
//! shares neither the automaton nor the algorithm with the search. Every
//! violation is also confirmed by the meaning of the formula on its word.

use std::collections::HashMap;

use exeunt_ltl::{Buchi, Formula, parse};
use exeunt_model::{
    ActorId, Basis, CompId, Detail, Edge, Facts, Fault, FixedModel, LeftOut, Model, Only,
    OpenSection, Pool, SearchWorker, Sink, StateStatus, Target, Turn, Verdict, Watcher, Worker,
};

use super::{Ask, AskKind, Temporal, check_temporal, confirm};
use crate::options::Options;
use exeunt_random::Random;

const ACTORS: u32 = 3;
const PROPOSITIONS: u32 = 3;

struct Arc {
    actor: u32,
    target: u32,
    withheld: bool,
}

struct Toy {
    arcs: Vec<Vec<Arc>>,
    letters: Vec<u64>,
    ends: Vec<bool>,
}

impl Toy {
    fn random(random: &mut Random) -> Toy {
        let nodes = 2 + random.below(7);
        let letters = (0..nodes).map(|_| random.below(1 << PROPOSITIONS)).collect();
        let ends: Vec<bool> = (0..nodes).map(|n| n > 0 && random.below(8) == 0).collect();
        let list = |ends: &bool, random: &mut Random| {
            let mut arcs = Vec::new();
            for actor in 0..if *ends { 0 } else { ACTORS } {
                for _ in 0..[0, 1, 1, 2][random.below(4) as usize] {
                    let withheld = random.below(8) == 0;
                    arcs.push(Arc { actor, target: random.below(nodes), withheld });
                }
            }
            arcs
        };
        let arcs = ends.iter().map(|ends| list(ends, random)).collect();
        Toy { arcs, letters, ends }
    }
}

fn node(state: &[CompId]) -> usize {
    state[0].0 as usize
}

impl FixedModel for Toy {
    fn facts(&self) -> Facts {
        Facts {
            may_choose: true,
            has_sections: true,
            left_out: LeftOut::None,
            has_turns: false,
            abstraction: None,
        }
    }

    fn worker<'a>(&'a self, _: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        Box::new(Hand(self))
    }

    fn watcher<'a>(&'a self, _: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>> {
        Some(Box::new(Hand(self)))
    }
}

struct Hand<'a>(&'a Toy);

impl Watcher for Hand<'_> {
    fn letter(&mut self, state: &[CompId]) -> Result<u64, Fault> {
        Ok(self.0.letters[node(state)])
    }
}

exeunt_model::bare_worker!([] Hand<'_>);

impl Worker for Hand<'_> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        let edge = Edge::initial();
        let _ = sink.edge(&edge, Target::State(&[CompId(0)]));
    }

    fn expand(
        &mut self,
        state: &[CompId],
        _: Detail,
        only: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus {
        for (number, arc) in self.0.arcs[node(state)].iter().enumerate() {
            let choice = [exeunt_model::Choice {
                kind: exeunt_model::ChoiceKind::Scheduler,
                arity: 99,
                value: number as u32,
            }];
            let wanted = only.is_none_or(|only| only.choices == [number as u32]);
            let edge = Edge {
                actor: ActorId(arc.actor),
                choices: &choice,
                withheld: arc.withheld,
                reopens: false,
                turn: Turn::default(),
                events: &[],
            };
            if wanted && sink.edge(&edge, Target::State(&[CompId(arc.target)])).is_break() {
                return StateStatus::Running;
            }
        }
        if self.0.ends[node(state)] { StateStatus::Ended } else { StateStatus::Running }
    }

    fn open_sections(&mut self, _: &[CompId], _: &mut Vec<OpenSection>) {}
}

/// A place of the run: the node, whether it stays for ever, who came here.
type Place = (u32, bool, Option<u32>);

impl Toy {
    fn next(&self, (at, stays, _): Place) -> Vec<Place> {
        if stays {
            return vec![(at, true, None)];
        }
        let arcs = &self.arcs[at as usize];
        let mut next: Vec<Place> =
            arcs.iter().map(|arc| (arc.target, false, Some(arc.actor))).collect();
        if arcs.iter().all(|arc| arc.withheld) {
            next.push((at, true, None));
        }
        next
    }

    fn is_enabled(&self, (at, stays, _): Place, actor: u32) -> bool {
        !stays && self.arcs[at as usize].iter().any(|arc| arc.actor == actor && !arc.withheld)
    }

    /// Whether some (fair) run violates the formula.
    fn is_violated(&self, formula: &Formula, fair: bool) -> bool {
        let automaton = Buchi::of(&formula.negated()).expect("a small automaton");
        let bits: Vec<u32> = automaton.propositions.iter().map(|name| number(name)).collect();
        let first = ((0, false, None), 0u32);
        let mut index = HashMap::from([(first, 0usize)]);
        let mut nodes = vec![first];
        let mut edges: Vec<Vec<usize>> = Vec::new();
        while edges.len() < nodes.len() {
            let (place, from) = nodes[edges.len()];
            let letter = super::claim::translate(self.letters[place.0 as usize], &bits);
            let mut own = Vec::new();
            for step in automaton.steps(exeunt_ltl::StateId(from)) {
                if !step.guard.allows(letter) {
                    continue;
                }
                for next in self.next(place) {
                    let node = (next, step.target.0);
                    own.push(*index.entry(node).or_insert_with(|| {
                        nodes.push(node);
                        nodes.len() - 1
                    }));
                }
            }
            edges.push(own);
        }
        let mut conditions: Vec<Vec<bool>> = Vec::new();
        let accepting = |(_, q): &(Place, u32)| automaton.is_accepting(exeunt_ltl::StateId(*q));
        conditions.push(nodes.iter().map(accepting).collect());
        for actor in 0..if fair { ACTORS } else { 0 } {
            let served = |(place, _): &(Place, u32)| {
                place.2 == Some(actor) || !self.is_enabled(*place, actor)
            };
            conditions.push(nodes.iter().map(served).collect());
        }
        emerson_lei(&edges, &conditions)[0]
    }
}

/// The nodes from which a run meets every condition again and again.
fn emerson_lei(edges: &[Vec<usize>], conditions: &[Vec<bool>]) -> Vec<bool> {
    let mut live = vec![true; edges.len()];
    loop {
        let mut next = live.clone();
        for condition in conditions {
            // Those who reach, within `live`, a live node with the condition.
            let mut reach: Vec<bool> =
                (0..edges.len()).map(|at| live[at] && condition[at]).collect();
            loop {
                let grown: Vec<bool> = (0..edges.len())
                    .map(|at| reach[at] || (live[at] && edges[at].iter().any(|to| reach[*to])))
                    .collect();
                if grown == reach {
                    break;
                }
                reach = grown;
            }
            for at in 0..edges.len() {
                next[at] &= edges[at].iter().any(|to| reach[*to]);
            }
        }
        if next == live {
            return live;
        }
        live = next;
    }
}

fn number(name: &str) -> u32 {
    ["p", "q", "r"].iter().position(|known| *known == name).expect("a known proposition") as u32
}

fn formula(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(6) == 0 {
        return ["p", "q", "r", "!p", "true"][random.below(5) as usize].to_string();
    }
    let mut sub = || formula(random, depth - 1);
    let (a, b) = (sub(), sub());
    match random.below(11) {
        0 => format!("G ({a})"),
        1 => format!("F ({a})"),
        2 => format!("X ({a})"),
        3 => format!("!({a})"),
        4 => format!("({a}) U ({b})"),
        5 => format!("({a}) R ({b})"),
        6 => format!("({a}) W ({b})"),
        7 => format!("({a}) && ({b})"),
        8 => format!("({a}) -> ({b})"),
        9 => format!("G F ({a})"),
        _ => format!("({a}) M ({b})"),
    }
}

fn ask(text: &str) -> Ask {
    let formula = parse(text).expect("a formula");
    let bits = formula.propositions().iter().map(|name| number(name)).collect();
    Ask {
        id: String::new(),
        text: text.to_string(),
        kind: AskKind::Formula(formula, bits),
        location: None,
    }
}

#[test]
fn random_models_and_formulas_agree_with_the_reference() {
    let mut random = Random::from_state(0x5eed_0001);
    let mut counts = HashMap::new();
    for _ in 0..6000 {
        let toy = Toy::random(&mut random);
        let text = formula(&mut random, 3);
        let ask = ask(&text);
        let AskKind::Formula(formula, _) = &ask.kind else { unreachable!("just made") };
        for fair in [false, true] {
            let expected = toy.is_violated(formula, fair);
            let temporal = Temporal { fair, faults: true };
            let asks = std::slice::from_ref(&ask);
            let report = check_temporal(
                &mut *toy.open(Basis::Learnt),
                &Options::default(),
                temporal,
                asks,
                &mut |_| {},
            )
            .expect("the question is right");
            let found = report.verdict == Verdict::Violated;
            assert_eq!(found, expected, "{text}, fair: {fair}, {:?}", toy.letters);
            assert_eq!(report.answers.len(), 1);
            *counts.entry((fair, found)).or_insert(0) += 1;
            if found {
                let trace = &report.violations[0].trace;
                let again = confirm(
                    &*toy.open(Basis::Learnt),
                    &ask,
                    fair,
                    &trace.schedule,
                    trace.cycle_start,
                )
                .unwrap_or_else(|why| panic!("{text}: {why}"));
                assert_eq!(again.verdict, Verdict::Violated, "{text}, fair: {fair}");
            }
        }
    }
    let seen: Vec<i32> = counts.values().copied().collect();
    assert!(seen.len() == 4 && seen.iter().all(|count| *count > 500), "{counts:?}");
}

#[test]
fn fairness_only_removes_runs_and_never_those_that_end() {
    let both_move = |at: u32| {
        vec![
            Arc { actor: 0, target: at, withheld: false },
            Arc { actor: 1, target: 1, withheld: false },
        ]
    };
    // Actor 1 ends the program; until then actor 0 can go round.
    let toy =
        Toy { arcs: vec![both_move(0), Vec::new()], letters: vec![0, 1], ends: vec![false, true] };
    let check = |text: &str, fair| {
        let temporal = Temporal { fair, faults: true };
        let asks = [ask(text)];
        check_temporal(
            &mut *toy.open(Basis::Learnt),
            &Options::default(),
            temporal,
            &asks,
            &mut |_| {},
        )
        .expect(text)
        .verdict
    };
    assert_eq!(check("F p", false), Verdict::Violated);
    assert_eq!(check("F p", true), Verdict::Holds);
    assert_eq!(check("G F !p", true), Verdict::Violated);
    assert_eq!(check("F G p", true), Verdict::Holds);
}

#[test]
fn invariants_break_at_a_nearest_state() {
    let go = |to: u32| vec![Arc { actor: 0, target: to, withheld: false }];
    let mut arcs = vec![go(1), go(2), go(3), go(0)];
    arcs[0].push(Arc { actor: 1, target: 3, withheld: false });
    let toy = Toy { arcs, letters: vec![1, 1, 1, 0], ends: vec![false; 4] };
    let asks =
        [Ask { id: String::new(), text: "p".into(), kind: AskKind::Invariant(0), location: None }];
    let temporal = Temporal { fair: false, faults: true };
    let report = check_temporal(
        &mut *toy.open(Basis::Learnt),
        &Options::default(),
        temporal,
        &asks,
        &mut |_| {},
    )
    .expect("fine");
    assert_eq!(report.violations[0].trace.schedule.moves.len(), 1);
}
