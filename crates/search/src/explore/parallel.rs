//! All cores: every hand takes any state that waits, its own newest first,
//! another's oldest if it has none. No order, so no components on the way:
//! whether sections can be left is asked of one way on from every state, each
//! time there are four times as many states, and at the end.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use crossbeam_deque::{Steal, Stealer, Worker as Deque};
use exeunt_model::{Model, Unsupported};
use parking_lot::Mutex;

use super::graph::Seen;
use super::{Expansion, Graph, Onward};
use crate::limits::Meter;
use crate::options::{Options, Progress};
use crate::snapshot::{self, Keeper, Resumed, Taken};
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
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub states: u64,
    pub transitions: u64,
    pub revisits: u64,
    pub opened: u64,
    pub sites: Vec<u64>,
    pub seen: Seen,
    pub unsupported: Vec<Unsupported>,
    /// Seconds that the last look at sections took.
    pub judging: f64,
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
    /// The numbers of each hand when it last told them.
    told: Vec<Mutex<Totals>>,
    /// What earlier runs counted.
    before: Totals,
    rendezvous: Rendezvous,
}

/// Lets all hands stand still while a snapshot is taken.
#[derive(Default)]
struct Rendezvous {
    wanted: AtomicBool,
    standing: AtomicUsize,
    /// Hands that are at work at all.
    alive: AtomicUsize,
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
) -> io::Result<(Outcome, Totals)> {
    let Resumed { onward, waiting, totals: before } = match &options.checkpoints.resume {
        Some(open) => snapshot::read(&mut *open()?, graph.pool, &mut graph.store)?,
        None => Resumed {
            onward: Onward::default(),
            waiting: graph.initial.into_iter().collect(),
            totals: Totals { states: graph.initial.iter().count() as u64, ..Totals::default() },
        },
    };
    let deques: Vec<Deque<StateId>> = (0..options.jobs).map(|_| Deque::new_lifo()).collect();
    let common = Common {
        options,
        onward,
        stealers: deques.iter().map(Deque::stealer).collect(),
        waiting: AtomicI64::new(waiting.len() as i64),
        stop: AtomicBool::new(false),
        suspicious: AtomicBool::new(false),
        transitions: AtomicU64::new(before.transitions),
        next_look: AtomicUsize::new(FIRST_LOOK),
        told: (0..options.jobs).map(|_| Mutex::default()).collect(),
        before,
        rendezvous: Rendezvous { alive: AtomicUsize::new(options.jobs), ..Rendezvous::default() },
    };
    waiting.into_iter().for_each(|state| deques[0].push(state));
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
    Ok(conclude(graph, meter, common))
}

fn conclude(graph: &mut Graph<'_>, meter: &mut Meter<'_>, common: Common<'_>) -> (Outcome, Totals) {
    let mut totals = common.totals();
    let start = Instant::now();
    graph.seen = totals.seen;
    meter.transitions = totals.transitions;
    meter.revisits = totals.revisits;
    let options = common.options;
    let outcome = if common.suspicious.into_inner() {
        Outcome::Suspicious
    } else if common.stop.into_inner() {
        Outcome::Incomplete
    } else if options.liveness() {
        match stuck::by_ways(graph, &common.onward, options.wanted()) {
            Answer::Free => Outcome::Clean,
            Answer::Stuck | Answer::Unsure => Outcome::Suspicious,
        }
    } else {
        Outcome::Clean
    };
    totals.judging = start.elapsed().as_secs_f64();
    (outcome, totals)
}

impl Common<'_> {
    /// The sums over all hands and earlier runs.
    fn totals(&self) -> Totals {
        let mut sum = self.before.clone();
        for told in &self.told {
            sum.add(&told.lock());
        }
        sum.sites.sort_unstable();
        sum.sites.dedup();
        sum
    }

    fn must_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Totals {
    fn add(&mut self, other: &Totals) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.revisits += other.revisits;
        self.opened += other.opened;
        self.sites.extend(&other.sites);
        self.seen.chooses |= other.seen.chooses;
        self.seen.reopens |= other.seen.reopens;
        self.seen.drops |= other.seen.drops;
        for limit in &other.unsupported {
            if !self.unsupported.contains(limit) {
                self.unsupported.push(limit.clone());
            }
        }
    }
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
        while !self.common.must_stop() {
            self.stand_still(states);
            let Some(state) = self.deque.pop().or_else(|| self.steal()) else {
                self.common.waiting.fetch_sub(std::mem::take(&mut done), Ordering::AcqRel);
                if self.common.waiting.load(Ordering::Acquire) == 0 {
                    break;
                }
                self.graph.store.rest();
                self.look(&mut told);
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
                let stop = self.look(&mut told);
                self.keep_aside(states, stop);
                if stop {
                    self.common.stop.store(true, Ordering::Relaxed);
                }
                self.look_at_sections();
            }
        }
        self.tell(states);
        self.common.rendezvous.alive.fetch_sub(1, Ordering::AcqRel);
    }

    /// Waits while a snapshot is taken.
    fn stand_still(&mut self, states: u64) {
        let rendezvous = &self.common.rendezvous;
        if !rendezvous.wanted.load(Ordering::Acquire) {
            return;
        }
        self.tell(states);
        rendezvous.standing.fetch_add(1, Ordering::AcqRel);
        while rendezvous.wanted.load(Ordering::Acquire) && !self.common.must_stop() {
            std::thread::yield_now();
        }
        rendezvous.standing.fetch_sub(1, Ordering::AcqRel);
    }

    /// Takes a snapshot if one is due, or the last chance for one.
    ///
    /// The caller has a state that it has not told to be done with, so that no
    /// other hand goes home meanwhile for lack of work.
    fn keep_aside(&mut self, states: u64, last: bool) {
        let Some(keeper) = self.common.options.checkpoints.keeper.as_ref() else { return };
        if self.number != 0 || !(last || keeper.is_due()) {
            return;
        }
        let rendezvous = &self.common.rendezvous;
        rendezvous.wanted.store(true, Ordering::Release);
        while rendezvous.standing.load(Ordering::Acquire) + 1
            < rendezvous.alive.load(Ordering::Acquire)
            && !self.common.must_stop()
        {
            std::thread::yield_now();
        }
        if !self.common.must_stop() {
            self.tell(states);
            let kept = self.keep(&**keeper);
            if let Err(why) = kept {
                self.meter.note(format!("--checkpoint ({why})"));
                self.common.stop.store(true, Ordering::Relaxed);
            }
        }
        rendezvous.wanted.store(false, Ordering::Release);
    }

    fn keep(&mut self, keeper: &dyn Keeper) -> io::Result<()> {
        let mut waiting = Vec::new();
        while let Some(state) = self.deque.pop().or_else(|| self.steal()) {
            waiting.push(state);
        }
        let totals = self.common.totals();
        let taken = Taken {
            pool: self.graph.pool,
            store: &self.graph.store,
            onward: &self.common.onward,
            waiting: &waiting,
            totals: &totals,
        };
        let result = keeper.keep(&mut |out| snapshot::write(&taken, out));
        waiting.into_iter().rev().for_each(|state| self.deque.push(state));
        result
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
    fn look(&mut self, told: &mut u64) -> bool {
        let common = self.common;
        let more = self.meter.transitions - std::mem::replace(told, self.meter.transitions);
        let transitions = common.transitions.fetch_add(more, Ordering::Relaxed) + more;
        if self.number != 0 {
            return false;
        }
        let own = std::mem::replace(&mut self.meter.transitions, transitions);
        let waiting = common.waiting.load(Ordering::Relaxed).max(0) as u64;
        self.meter.expanded = (self.graph.store.len() as u64).saturating_sub(waiting);
        // The others have put aside about as much.
        let aside = self.graph.worker.bytes() * common.stealers.len() as u64;
        self.meter.extra = common.onward.bytes(self.graph.store.limit()) + aside;
        let stop = self.meter.must_stop(0, &self.graph.store, self.graph.pool)
            || self.meter.look(0, &self.graph.store, self.graph.pool);
        self.meter.transitions = own;
        stop
    }

    /// Each time there are four times as many states.
    fn look_at_sections(&mut self) {
        let Common { options, onward, next_look, .. } = self.common;
        let states = self.graph.store.len();
        let due = next_look.load(Ordering::Relaxed);
        let order = Ordering::Relaxed;
        if !options.liveness()
            || states < due
            || next_look.compare_exchange(due, 4 * states, order, order).is_err()
        {
            return;
        }
        let answer = stuck::by_ways(self.graph, onward, options.wanted());
        if answer == Answer::Stuck {
            self.common.suspicious.store(true, Ordering::Relaxed);
            self.common.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Notes the numbers of this hand.
    fn tell(&mut self, states: u64) {
        let (opened, sites) = self.graph.worker.section_sites();
        *self.common.told[self.number].lock() = Totals {
            states,
            transitions: self.meter.transitions,
            revisits: self.meter.revisits,
            opened,
            sites,
            seen: self.graph.seen,
            unsupported: self.graph.unsupported.clone(),
            judging: 0.0,
        };
    }
}
