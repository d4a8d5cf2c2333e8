//! Parallel search: each thread takes the newest state of its own queue, or the
//! oldest one of another thread's if its own is empty. No order, so no components on the way:
//! whether sections can be left is asked of one way on from every state, each
//! time there are four times as many states, and at the end.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam_deque::{Steal, Stealer, Worker as Deque};
use crossbeam_utils::CachePadded;
use exeunt_model::{Session, Unsupported};
use parking_lot::Mutex;

use super::graph::Seen;
use super::{Expansion, Graph, Onward, Wanted};
use crate::limits::Meter;
use crate::options::{Options, Progress, SectionFilter};
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

/// Sums over all threads.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub states: u64,
    pub transitions: u64,
    pub revisits: u64,
    pub opened: u64,
    pub sites: Vec<u64>,
    pub seen: Seen,
    pub unsupported: Vec<Unsupported>,
    /// The program can get to where it cannot end any more.
    pub endless: bool,
    /// Seconds that the last look at sections took.
    pub judging: f64,
}

/// What the threads share.
struct Common<'o> {
    options: &'o Options,
    onward: Onward,
    stealers: Vec<Stealer<StateId>>,
    /// Hands that have nothing to do. Who adds itself has an empty deque, and
    /// takes itself out again before it takes anything from another: when all
    /// are in here, nothing is left.
    idle: CachePadded<AtomicUsize>,
    stop: AtomicBool,
    suspicious: AtomicBool,
    /// What all have done, as far as they have told.
    expanded: CachePadded<AtomicU64>,
    transitions: CachePadded<AtomicU64>,
    /// The next number of states at which sections are looked at.
    next_look: AtomicUsize,
    /// The counts of each thread when it last reported them.
    told: Vec<Mutex<Totals>>,
    /// What earlier runs counted.
    before: Totals,
    rendezvous: Rendezvous,
}

/// Lets all threads stand still while a snapshot is taken.
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
/// Between two looks of a hand that waits for the decision about memory.
const HELD_BACK: Duration = Duration::from_millis(1);
/// How often a thread without work looks for some before it looks at the clock.
const PATIENCE: u32 = 64;

/// Explores everything reachable from the initial state of `graph` with
/// `options.jobs` threads.
pub fn explore_parallel(
    session: &dyn Session,
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
        idle: CachePadded::default(),
        stop: AtomicBool::new(false),
        suspicious: AtomicBool::new(false),
        expanded: AtomicU64::new(before.states - waiting.len() as u64).into(),
        transitions: AtomicU64::new(before.transitions).into(),
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
                let mut graph = Graph::on(session.worker(pool), pool, states.handle());
                let mut ignore = |_: &Progress| {};
                let mut meter = Meter::new(common.options, &mut ignore);
                Hand::new(common, number, deque, &mut graph, &mut meter).work();
            });
        }
        graph.store = graph.store.states().handle();
        Hand::new(&common, 0, first, graph, meter).work();
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
        match stuck::by_ways(graph, &common.onward, options.wanted(), options.jobs) {
            Answer::Free => {
                // No section is stuck; whether the program always can end is told as well.
                let none = SectionFilter { kinds: Vec::new() };
                let whole = Wanted { sections: &none, termination: true };
                totals.endless = !options.termination
                    && stuck::by_ways(graph, &common.onward, whole, options.jobs) == Answer::Stuck;
                Outcome::Clean
            }
            Answer::Stuck | Answer::Unsure => Outcome::Suspicious,
        }
    } else {
        Outcome::Clean
    };
    totals.judging = start.elapsed().as_secs_f64();
    (outcome, totals)
}

impl Common<'_> {
    /// The sums over all threads and earlier runs.
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
    /// States that it has stored.
    states: u64,
    /// States expanded and transitions that the others have been told of.
    told: (u64, u64),
}

impl<'h, 'a, 'o, 'm> Hand<'h, 'a, 'o, 'm> {
    fn new(
        common: &'h Common<'o>,
        number: usize,
        deque: Deque<StateId>,
        graph: &'h mut Graph<'a>,
        meter: &'h mut Meter<'m>,
    ) -> Self {
        Hand { common, number, deque, graph, meter, states: 0, told: (0, 0) }
    }

    fn work(mut self) {
        let mut expansion = Expansion::default();
        let mut expanded = 0u64;
        while !self.common.must_stop() {
            self.stand_still();
            let Some(state) = self.next_state(expanded) else { break };
            self.common.onward.prefetch(state);
            self.graph.expand(state, &mut expansion);
            self.meter.count(&expansion);
            self.common.onward.set(state, &expansion);
            for target in expansion.edges.iter().filter(|edge| edge.new) {
                self.states += 1;
                target.target.into_iter().for_each(|target| self.deque.push(target));
            }
            if self.is_wrong(&expansion) {
                self.common.suspicious.store(true, Ordering::Relaxed);
                self.common.stop.store(true, Ordering::Relaxed);
            }
            expanded += 1;
            if expanded.is_multiple_of(STRIDE) {
                self.stop_if_due(expanded);
                self.look_at_sections();
            }
        }
        self.tell();
        self.common.rendezvous.alive.fetch_sub(1, Ordering::AcqRel);
    }

    /// A state to be expanded; waits for one while others may still find some.
    fn next_state(&mut self, expanded: u64) -> Option<StateId> {
        if let Some(state) = self.deque.pop().or_else(|| self.steal()) {
            return Some(state);
        }
        let common = self.common;
        let mut rounds = 0u32;
        common.idle.fetch_add(1, Ordering::AcqRel);
        while !common.must_stop() && common.idle.load(Ordering::Acquire) < common.stealers.len() {
            self.stand_still();
            self.graph.store.rest();
            rounds += 1;
            let promising = common.stealers.iter().any(|other| !other.is_empty());
            if promising || rounds.is_multiple_of(PATIENCE) {
                common.idle.fetch_sub(1, Ordering::AcqRel);
                if let Some(state) = self.steal() {
                    return Some(state);
                }
                self.stop_if_due(expanded);
                common.idle.fetch_add(1, Ordering::AcqRel);
            }
            std::thread::yield_now();
        }
        None
    }

    /// Looks around, and lets all stop if a limit is reached. The caller is
    /// not idle, so that no other hand goes home meanwhile for lack of work.
    fn stop_if_due(&mut self, expanded: u64) {
        let stop = self.look(expanded);
        self.hold_back();
        self.keep_aside(stop);
        if stop {
            self.common.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Only hand 0 decides that memory is used up, and on a busy machine it may not get a
    /// processor for long. The others wait for its decision before they take more.
    fn hold_back(&mut self) {
        while self.number != 0
            && !self.common.must_stop()
            && self.meter.exceeds_memory(&self.graph.store, self.graph.pool)
        {
            self.stand_still();
            self.graph.store.rest();
            std::thread::sleep(HELD_BACK);
        }
    }

    /// Waits while a snapshot is taken.
    fn stand_still(&mut self) {
        let rendezvous = &self.common.rendezvous;
        if !rendezvous.wanted.load(Ordering::Acquire) {
            return;
        }
        self.tell();
        rendezvous.standing.fetch_add(1, Ordering::AcqRel);
        while rendezvous.wanted.load(Ordering::Acquire) && !self.common.must_stop() {
            std::thread::yield_now();
        }
        rendezvous.standing.fetch_sub(1, Ordering::AcqRel);
    }

    /// Takes a snapshot if one is due, or the last chance for one.
    fn keep_aside(&mut self, last: bool) {
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
            self.tell();
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
    fn look(&mut self, expanded: u64) -> bool {
        let common = self.common;
        let done = (expanded, self.meter.transitions);
        let before = std::mem::replace(&mut self.told, done);
        let add = |sum: &AtomicU64, more| sum.fetch_add(more, Ordering::Relaxed) + more;
        let expanded = add(&common.expanded, done.0 - before.0);
        let transitions = add(&common.transitions, done.1 - before.1);
        if self.number != 0 {
            return false;
        }
        let own = std::mem::replace(&mut self.meter.transitions, transitions);
        self.meter.expanded = expanded;
        // The others have put aside about as much.
        let aside = self.graph.worker.bytes() * common.stealers.len() as u64;
        self.meter.extra = common.onward.bytes(self.graph.store.limit()) + aside;
        let mut stop = self.meter.must_stop(0, &self.graph.store, self.graph.pool)
            || self.meter.look(0, &self.graph.store, self.graph.pool);
        // The others go on exploring meanwhile.
        stop = stop && !self.graph.goes_on(self.meter);
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
        // The others go on exploring.
        let answer = stuck::by_ways(self.graph, onward, options.wanted(), 1);
        if answer == Answer::Stuck {
            self.common.suspicious.store(true, Ordering::Relaxed);
            self.common.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Notes the counts of this thread.
    fn tell(&mut self) {
        let worker = &self.graph.worker;
        let (opened, sites) = (worker.sections_opened(), worker.section_sites());
        *self.common.told[self.number].lock() = Totals {
            states: self.states,
            transitions: self.meter.transitions,
            revisits: self.meter.revisits,
            opened,
            sites,
            seen: self.graph.seen,
            unsupported: self.graph.unsupported.clone(),
            endless: false,
            judging: 0.0,
        };
    }
}
