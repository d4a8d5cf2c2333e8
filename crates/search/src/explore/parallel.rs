//! All cores: every hand takes any state that waits, its own newest first,
//! another's oldest if it has none. No order, so no components on the way:
//! whether sections can be left is asked of one way on from every state, each
//! time the number of states has doubled and at the end.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};

use crossbeam_deque::{Steal, Stealer, Worker as Deque};
use exeunt_model::{Model, Unsupported};
use parking_lot::Mutex;

use super::graph::Seen;
use super::{Expansion, Graph, Onward};
use crate::limits::Meter;
use crate::options::{Options, Progress};
use crate::store::StateId;
use crate::stuck::{self, Answer};

/// What came out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was seen, and nothing is wrong.
    Clean,
    /// Something is wrong, or must be looked at in order.
    Suspicious,
    /// A limit was reached.
    Incomplete,
}

/// Sums over all hands.
#[derive(Debug, Default)]
pub struct Totals {
    pub states: u64,
    pub transitions: u64,
    pub revisits: u64,
    pub opened: u64,
    pub sites: Vec<u64>,
    pub seen: Seen,
    pub unsupported: Vec<Unsupported>,
}

/// What the hands share.
struct Common<'o> {
    options: &'o Options,
    onward: Onward,
    stealers: Vec<Stealer<StateId>>,
    /// States that wait or are being expanded; never less than there are.
    waiting: AtomicI64,
    stop: AtomicBool,
    suspicious: AtomicBool,
    transitions: AtomicU64,
    /// The next number of states at which sections are looked at.
    next_look: AtomicUsize,
    totals: Mutex<Totals>,
}

/// Sections are looked at for the first time at so many states.
const FIRST_LOOK: usize = 1 << 16;
/// How many expansions pass between reports to the others.
const STRIDE: u64 = 128;

/// Explores everything reachable from the initial state of `graph` with
/// `options.jobs` hands.
pub fn explore_parallel(
    model: &dyn Model,
    graph: &mut Graph<'_>,
    meter: &mut Meter<'_>,
    options: &Options,
) -> (Outcome, Totals) {
    let Some(initial) = graph.initial else { return (Outcome::Clean, Totals::default()) };
    let deques: Vec<Deque<StateId>> = (0..options.jobs).map(|_| Deque::new_lifo()).collect();
    let common = Common {
        options,
        onward: Onward::default(),
        stealers: deques.iter().map(Deque::stealer).collect(),
        waiting: AtomicI64::new(1),
        stop: AtomicBool::new(false),
        suspicious: AtomicBool::new(false),
        transitions: AtomicU64::new(0),
        next_look: AtomicUsize::new(FIRST_LOOK),
        totals: Mutex::default(),
    };
    deques[0].push(initial);
    let pool = graph.pool;
    std::thread::scope(|scope| {
        let mut deques = deques.into_iter().enumerate();
        let (_, first) = deques.next().expect("at least one job");
        for (number, deque) in deques {
            let states = graph.store.states();
            let common = &common;
            scope.spawn(move || {
                let mut graph = Graph::on(model.worker(pool), pool, states.hand());
                let mut ignore = |_: &Progress| {};
                let mut meter = Meter::new(common.options, &mut ignore);
                Hand { common, number, deque, graph: &mut graph, meter: &mut meter }.work();
            });
        }
        graph.store = graph.store.states().hand();
        Hand { common: &common, number: 0, deque: first, graph, meter }.work();
    });
    conclude(graph, meter, common)
}

fn conclude(graph: &mut Graph<'_>, meter: &mut Meter<'_>, common: Common<'_>) -> (Outcome, Totals) {
    let mut totals = common.totals.into_inner();
    totals.states += 1;
    totals.sites.sort_unstable();
    totals.sites.dedup();
    graph.seen = totals.seen;
    meter.transitions = totals.transitions;
    meter.revisits = totals.revisits;
    let options = common.options;
    let outcome = if common.suspicious.into_inner() {
        Outcome::Suspicious
    } else if common.stop.into_inner() {
        Outcome::Incomplete
    } else if options.liveness() {
        match stuck::by_ways(graph, &common.onward, &options.sections, options.termination) {
            Answer::Free => Outcome::Clean,
            Answer::Stuck | Answer::Unsure => Outcome::Suspicious,
        }
    } else {
        Outcome::Clean
    };
    (outcome, totals)
}

struct Hand<'h, 'a, 'o, 'm> {
    common: &'h Common<'o>,
    number: usize,
    deque: Deque<StateId>,
    graph: &'h mut Graph<'a>,
    meter: &'h mut Meter<'m>,
}

impl Hand<'_, '_, '_, '_> {
    fn work(mut self) {
        let mut expansion = Expansion::default();
        let (mut states, mut expanded, mut told) = (0, 0u64, 0);
        // States done with that the others have not been told of.
        let mut done = 0;
        while !self.common.stop.load(Ordering::Relaxed) {
            let Some(state) = self.deque.pop().or_else(|| self.steal()) else {
                self.common.waiting.fetch_sub(std::mem::take(&mut done), Ordering::AcqRel);
                if self.common.waiting.load(Ordering::Acquire) == 0 {
                    break;
                }
                self.graph.store.rest();
                self.look(expanded, &mut told);
                std::thread::yield_now();
                continue;
            };
            self.graph.expand(state, &mut expansion, self.meter);
            self.common.onward.set(state, &expansion);
            let new = expansion.edges.iter().filter(|edge| edge.new).count();
            states += new as u64;
            done += 1;
            if new > 0 {
                self.common.waiting.fetch_add(new as i64, Ordering::AcqRel);
                let targets = expansion.edges.iter().filter(|edge| edge.new);
                targets.filter_map(|edge| edge.target).for_each(|target| self.deque.push(target));
            }
            if self.is_wrong(&expansion) {
                self.common.suspicious.store(true, Ordering::Relaxed);
                self.common.stop.store(true, Ordering::Relaxed);
            }
            expanded += 1;
            if expanded.is_multiple_of(STRIDE) {
                self.look(expanded, &mut told);
            }
        }
        self.add_up(states);
    }

    fn steal(&self) -> Option<StateId> {
        let others = self.common.stealers.len();
        for other in (1..others).map(|i| (self.number + i) % others) {
            loop {
                match self.common.stealers[other].steal_batch_and_pop(&self.deque) {
                    Steal::Success(state) => return Some(state),
                    Steal::Empty => break,
                    Steal::Retry => {}
                }
            }
        }
        None
    }

    fn is_wrong(&self, expansion: &Expansion) -> bool {
        let options = self.common.options;
        let deadlock = expansion.is_deadlock() && (options.deadlock || options.liveness());
        deadlock || !expansion.faults.is_empty()
    }

    /// Tells the others how far it is, and looks whether to stop.
    fn look(&mut self, expanded: u64, told: &mut u64) {
        let common = self.common;
        let more = self.meter.transitions - std::mem::replace(told, self.meter.transitions);
        let transitions = common.transitions.fetch_add(more, Ordering::Relaxed) + more;
        if self.number == 0 {
            let own = std::mem::replace(&mut self.meter.transitions, transitions);
            self.meter.extra = common.onward.bytes(self.graph.store.limit());
            let stop = self.meter.must_stop(0, &self.graph.store, self.graph.pool)
                || self.meter.look(0, &self.graph.store, self.graph.pool);
            self.meter.transitions = own;
            if stop {
                common.stop.store(true, Ordering::Relaxed);
            }
        }
        let states = self.graph.store.len();
        let due = common.next_look.load(Ordering::Relaxed);
        if expanded > 0
            && states >= due
            && common.options.liveness()
            && common
                .next_look
                .compare_exchange(due, 2 * states, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        {
            self.look_at_sections();
        }
    }

    fn look_at_sections(&mut self) {
        let Common { options, onward, .. } = self.common;
        let answer = stuck::by_ways(self.graph, onward, &options.sections, options.termination);
        if answer == Answer::Stuck {
            self.common.suspicious.store(true, Ordering::Relaxed);
            self.common.stop.store(true, Ordering::Relaxed);
        }
    }

    fn add_up(self, states: u64) {
        let mut totals = self.common.totals.lock();
        totals.states += states;
        totals.transitions += self.meter.transitions;
        totals.revisits += self.meter.revisits;
        let (opened, sites) = self.graph.worker.section_sites();
        totals.opened += opened;
        totals.sites.extend(sites);
        totals.seen.chooses |= self.graph.seen.chooses;
        totals.seen.reopens |= self.graph.seen.reopens;
        totals.seen.drops |= self.graph.seen.drops;
        for limit in &self.graph.unsupported {
            if !totals.unsupported.contains(limit) {
                totals.unsupported.push(limit.clone());
            }
        }
    }
}
