//! Reference implementations, deliberately naive, that the fast algorithms
//! must agree with on random models:
//!
//! - paper 000's own construction: activate one section instance
//!   nondeterministically, look for a fully accepting terminal component in
//!   the expanded graph;
//! - the definition of a stuck set, tried on every subset of the states.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use exeunt_model::{
    ActorId, ActorView, Choice, ChoiceKind, CompId, Detail, Edge, Event, Location, Model, Only,
    OpenSection, Pool, SectionKind, SectionView, Sink, StateStatus, Target, Verdict, Worker,
};

use super::{Edges, Stuck, StuckSet, sections_stuck_in, stuck_sets};
use crate::bound::{Engine, check_context_bound};
use crate::check::check;
use crate::explore::{self, Finding, Graph, Observer, Outcome, Wanted};
use crate::limits::Meter;
use crate::options::{ContextLimit, Options, SectionFilter};
use crate::store::{ComponentPool, StateId};

/// What an edge of a random model does to a section of its actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Nothing,
    Open(u8),
    Close(u8),
    /// Closes and opens again on one edge.
    Reopen(u8),
}

#[derive(Clone, Debug)]
struct Arc {
    actor: u32,
    choices: Vec<Choice>,
    withheld: bool,
    op: Op,
    /// `None`: an assumption drops it.
    target: Option<u32>,
}

/// A random control graph; a state is a node and a set of open sections.
#[derive(Clone, Debug)]
struct Toy {
    nodes: Vec<Vec<Arc>>,
    ends: Vec<bool>,
}

const SLOTS: u32 = 3;

fn bit(actor: u32, slot: u8) -> u32 {
    1 << (actor * SLOTS + slot as u32)
}

impl Op {
    fn random(random: &mut Random) -> Op {
        match random.below(6) {
            0 | 1 => Op::Open(random.below(2) as u8),
            2 => Op::Close(random.below(2) as u8),
            3 if random.below(2) == 0 => Op::Reopen(random.below(2) as u8),
            _ => Op::Nothing,
        }
    }
}

impl Arc {
    /// The open set behind this edge, if it can be taken.
    fn apply(&self, open: u32) -> Option<u32> {
        match self.op {
            Op::Nothing => Some(open),
            Op::Open(slot) => {
                (open & bit(self.actor, slot) == 0).then(|| open | bit(self.actor, slot))
            }
            Op::Close(slot) => {
                (open & bit(self.actor, slot) != 0).then(|| open & !bit(self.actor, slot))
            }
            Op::Reopen(slot) => (open & bit(self.actor, slot) != 0).then_some(open),
        }
    }

    fn closes(&self) -> u32 {
        match self.op {
            Op::Close(slot) | Op::Reopen(slot) => bit(self.actor, slot),
            _ => 0,
        }
    }
}

/// A small generator of random numbers, always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % n
    }
}

impl Toy {
    fn random(random: &mut Random, nodes: u32, choices: bool) -> Toy {
        let ends: Vec<bool> = (0..nodes).map(|n| n > 0 && random.below(6) == 0).collect();
        let list = (0..nodes as usize)
            .map(|node| if ends[node] { Vec::new() } else { Toy::arcs(random, nodes, choices) })
            .collect();
        Toy { nodes: list, ends }
    }

    fn arcs(random: &mut Random, nodes: u32, choices: bool) -> Vec<Arc> {
        let mut arcs = Vec::new();
        for actor in 0..2 {
            if random.below(4) == 0 {
                continue;
            }
            let drops = choices && random.below(6) == 0;
            for choices in Toy::shape(random, choices) {
                let op = Op::random(random);
                let dropped = drops && random.below(3) == 0;
                let target = (!dropped).then(|| random.below(nodes));
                arcs.push(Arc { actor, choices, withheld: false, op, target });
            }
            if choices && random.below(8) == 0 {
                let target = Some(random.below(nodes));
                arcs.push(Arc {
                    actor,
                    choices: Vec::new(),
                    withheld: true,
                    op: Op::random(random),
                    target,
                });
            }
        }
        arcs
    }

    /// The choices on the edges of one actor, as a machine lists them.
    fn shape(random: &mut Random, choices: bool) -> Vec<Vec<Choice>> {
        use ChoiceKind::{Environment as E, Scheduler as S};
        let one = |kind, value| Choice { kind, arity: 2, value };
        let both = |a, b| {
            (0..2)
                .flat_map(|x| (0..2).map(move |y| (x, y)))
                .map(|(x, y)| vec![one(a, x), one(b, y)])
                .collect()
        };
        if !choices {
            return match random.below(3) {
                0 => vec![vec![one(S, 0)], vec![one(S, 1)]],
                _ => vec![Vec::new()],
            };
        }
        match random.below(6) {
            0 => vec![vec![one(E, 0)], vec![one(E, 1)]],
            1 => vec![vec![one(S, 0)], vec![one(S, 1)]],
            2 => both(E, S),
            3 => both(S, E),
            _ => vec![Vec::new()],
        }
    }

    /// The edges of a state that can be taken, with the state behind.
    fn edges(&self, (node, open): (u32, u32)) -> Vec<(&Arc, Option<(u32, u32)>)> {
        let behind = |arc: &Arc, open| arc.target.map(|target| (target, open));
        self.nodes[node as usize]
            .iter()
            .filter_map(|arc| Some((arc, behind(arc, arc.apply(open)?))))
            .collect()
    }

    fn has(&self, test: impl Fn(&Arc) -> bool) -> bool {
        self.nodes.iter().flatten().any(test)
    }

    fn chooses(&self) -> bool {
        self.has(|arc| arc.choices.iter().any(|c| c.kind == ChoiceKind::Environment))
    }

    /// Whether nothing can move somewhere (the environment may withhold).
    fn has_deadlock(&self) -> bool {
        self.reachable().iter().any(|&state| {
            !self.ends[state.0 as usize] && self.edges(state).iter().all(|(arc, _)| arc.withheld)
        })
    }

    fn withholds(&self) -> bool {
        self.has(|arc| arc.withheld)
    }

    fn reachable(&self) -> Vec<(u32, u32)> {
        let mut states = vec![(0, 0)];
        let mut at = 0;
        while at < states.len() {
            for next in self.edges(states[at]).into_iter().filter_map(|(_, next)| next) {
                if !states.contains(&next) {
                    states.push(next);
                }
            }
            at += 1;
        }
        states
    }
}

fn section(number: u32) -> OpenSection {
    OpenSection {
        actor: ActorId(number / SLOTS),
        slot: (number % SLOTS) as u64,
        kind: SectionKind::User,
    }
}

impl Model for Toy {
    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn Worker + 'a> {
        Box::new(ToyWorker { toy: self, pool })
    }
}

struct ToyWorker<'a> {
    toy: &'a Toy,
    pool: &'a dyn Pool,
}

impl ToyWorker<'_> {
    fn decode(&self, state: &[CompId]) -> (u32, u32) {
        (self.pool.get(state[0])[0] as u32, self.pool.get(state[1])[0] as u32)
    }

    fn encode(&self, (node, open): (u32, u32)) -> [CompId; 2] {
        [self.pool.intern(&[node as u64]), self.pool.intern(&[open as u64])]
    }
}

impl Worker for ToyWorker<'_> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        let edge =
            Edge { actor: ActorId(0), choices: &[], withheld: false, reopens: false, events: &[] };
        let _ = sink.edge(&edge, Target::State(&self.encode((0, 0))));
    }

    fn expand(
        &mut self,
        state: &[CompId],
        _: Detail,
        _: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus {
        let at = self.decode(state);
        if self.toy.ends[at.0 as usize] {
            return StateStatus::Ended;
        }
        for (arc, target) in self.toy.edges(at) {
            let closed = (0..2 * SLOTS).filter(|n| arc.closes() >> n & 1 != 0).map(|n| {
                Event::Closed { section: section(n), location: Location::in_function("toy") }
            });
            let events: Vec<Event> = closed.collect();
            let edge = Edge {
                actor: ActorId(arc.actor),
                choices: &arc.choices,
                withheld: arc.withheld,
                reopens: matches!(arc.op, Op::Reopen(_)),
                events: &events,
            };
            let target = target.map(|target| self.encode(target));
            let target = target.as_ref().map_or(Target::Dropped, |vector| Target::State(vector));
            if sink.edge(&edge, target).is_break() {
                break;
            }
        }
        StateStatus::Running
    }

    fn open_sections(&mut self, state: &[CompId], out: &mut Vec<OpenSection>) {
        let (node, open) = self.decode(state);
        if !self.toy.ends[node as usize] {
            out.extend((0..2 * SLOTS).filter(|n| open >> n & 1 != 0).map(section));
        }
        out.sort_unstable();
    }

    fn view(&mut self, _: &[CompId]) -> Vec<ActorView> {
        Vec::new()
    }

    fn describe_section(&mut self, _: &[CompId], _: &OpenSection) -> SectionView {
        SectionView { name: String::new(), why: String::new(), location: None }
    }

    fn variables(&mut self, _: &[CompId]) -> Vec<(String, String)> {
        Vec::new()
    }
}

// ---- the fast answers ---------------------------------------------------------

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

// ---- the naive answers ----------------------------------------------------------

/// A state of the expanded graph: node, open set, and the active instance;
/// `None` behind the end of an active instance.
type Expanded = Option<(u32, u32, Option<u32>)>;

/// Edges of paper 000's expanded graph. A deadlock gets a self-loop.
fn expanded_edges(toy: &Toy, state: Expanded) -> Vec<Expanded> {
    let Some((node, open, active)) = state else { return Vec::new() };
    if toy.ends[node as usize] {
        return Vec::new();
    }
    let edges = toy.edges((node, open));
    if edges.is_empty() {
        return vec![state];
    }
    let mut targets = Vec::new();
    for (arc, behind) in edges {
        let Some((next, next_open)) = behind else { continue };
        match active {
            Some(number) if arc.closes() >> number & 1 != 0 => targets.push(None),
            Some(_) => targets.push(Some((next, next_open, active))),
            None => {
                targets.push(Some((next, next_open, None)));
                let opened = match arc.op {
                    Op::Open(slot) | Op::Reopen(slot) => Some(arc.actor * SLOTS + slot as u32),
                    _ => None,
                };
                targets.extend(opened.map(|number| Some((next, next_open, Some(number)))));
            }
        }
    }
    targets
}

fn by_the_paper(toy: &Toy) -> Answer {
    let mut states: Vec<Expanded> = vec![Some((0, 0, None))];
    let mut index: HashMap<Expanded, usize> = HashMap::from([(states[0], 0)]);
    let mut edges: Vec<Vec<usize>> = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let mut targets = Vec::new();
        for target in expanded_edges(toy, states[at]) {
            let number = *index.entry(target).or_insert_with(|| {
                states.push(target);
                states.len() - 1
            });
            targets.push(number);
        }
        edges.push(targets);
        at += 1;
    }
    let reach: Vec<BTreeSet<usize>> =
        (0..states.len()).map(|s| reachable_from(s, &edges)).collect();
    // A state is in a nontrivial terminal component iff something is
    // reachable and everything reachable leads back.
    let in_terminal =
        |s: usize| !reach[s].is_empty() && reach[s].iter().all(|&t| reach[t].contains(&s));
    (0..states.len())
        .filter(|&s| in_terminal(s))
        .filter_map(|s| states[s]?.2)
        .map(section)
        .collect()
}

fn reachable_from(start: usize, edges: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut work = edges[start].clone();
    while let Some(state) = work.pop() {
        if seen.insert(state) {
            work.extend(&edges[state]);
        }
    }
    seen
}

/// Tries every set of states for every section.
fn by_definition(toy: &Toy, states: &[(u32, u32)]) -> Answer {
    let index: HashMap<(u32, u32), usize> =
        states.iter().enumerate().map(|(i, &state)| (state, i)).collect();
    let mut answer = Answer::new();
    for number in 0..2 * SLOTS {
        let candidates: u32 = (0..states.len())
            .filter(|&i| states[i].1 >> number & 1 != 0 && !toy.ends[states[i].0 as usize])
            .map(|i| 1u32 << i)
            .sum();
        let mut set = candidates;
        while set != 0 {
            if is_stuck(toy, states, &index, number, set) {
                answer.insert(section(number));
                break;
            }
            set = (set - 1) & candidates;
        }
    }
    answer
}

fn is_stuck(
    toy: &Toy,
    states: &[(u32, u32)],
    index: &HashMap<(u32, u32), usize>,
    number: u32,
    set: u32,
) -> bool {
    let inside = |state: &(u32, u32)| set >> index[state] & 1 != 0;
    (0..states.len()).filter(|i| set >> i & 1 != 0).all(|i| {
        let edges = toy.edges(states[i]);
        (0..2).all(|actor| {
            let mine: Vec<(&[Choice], bool)> = edges
                .iter()
                .filter(|(arc, _)| arc.actor == actor && !arc.withheld)
                .map(|(arc, target)| {
                    let stays = target.as_ref().is_some_and(inside);
                    (&arc.choices[..], stays && arc.closes() >> number & 1 == 0)
                })
                .collect();
            mine.is_empty() || can_stay(&mine)
        })
    })
}

/// Plays the tree of choices: all of the scheduler's, one of the environment's.
fn can_stay(edges: &[(&[Choice], bool)]) -> bool {
    let Some(first) = edges[0].0.first() else { return edges[0].1 };
    let branch = |value: u32| -> Vec<(&[Choice], bool)> {
        edges
            .iter()
            .filter(|(c, _)| c[0].value == value)
            .map(|(c, stays)| (&c[1..], *stays))
            .collect()
    };
    let branches = (0..first.arity).map(branch).filter(|b| !b.is_empty());
    let results: Vec<bool> = branches.map(|b| can_stay(&b)).collect();
    match first.kind {
        ChoiceKind::Scheduler => results.iter().all(|&r| r),
        ChoiceKind::Environment => results.iter().any(|&r| r),
    }
}

// ---- the comparisons ----------------------------------------------------------------

#[test]
fn bottom_components_agree_with_the_expanded_graph() {
    let mut random = Random(0x5eed_0001);
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

/// Several hands, and one way on from every state.
fn in_parallel(toy: &Toy, jobs: usize) -> Outcome {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(toy.worker(&pool), &pool);
    graph.start().expect("toys have no faults");
    let options = Options { jobs, ..Options::default() };
    let mut ignore = |_: &crate::options::Progress| {};
    let mut meter = Meter::new(&options, &mut ignore);
    let explored = explore::explore_parallel(toy, &mut graph, &mut meter, &options);
    explored.expect("nothing is read").0
}

#[test]
fn ways_on_agree_with_stuck_sets() {
    let mut random = Random(0x5eed_0003);
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
    let mut random = Random(0x5eed_0002);
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

#[test]
fn context_bounds_find_what_is_there_and_nothing_else() {
    let mut random = Random(0x5eed_0003);
    let options = Options::default();
    let engine: Engine<'_> = &check;
    let (mut late, mut holds) = (0, 0);
    for round in 0..1500 {
        let nodes = 2 + random.below(6);
        let toy = Toy::random(&mut random, nodes, true);
        let verdict =
            |limit| check_context_bound(&toy, limit, engine, &options, &mut |_| {}).verdict;
        let expected = check(&toy, &options, &mut |_| {}).verdict;
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
