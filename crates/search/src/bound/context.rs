//! At most so many preemptive context switches on a path.
//!
//! A switch is preemptive if the actor that moved last could still move
//! (Musuvathi and Qadeer: Iterative Context Bounding for Systematic Testing of
//! Multithreaded Programs, 2007; Zaks and Joshi: Verifying Multi-threaded C
//! Programs with SPIN, 2008, section 3.2). Each state gets one more
//! component: who moved last and how many such switches there were. Unlike
//! Zaks and Joshi we compare it when states are compared: to forget the count would cut off paths that the
//! bound allows.
//!
//! What the bound forbids counts as dropped. So a state in front of it is
//! neither a deadlock nor part of a stuck set: every set that is reported has
//! all moves of the program in it, and is stuck without the bound, too.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use exeunt_model::{
    ActorId, CompId, Detail, Edge, Facts, LeftOut, Only, OpenSection, Pool, Reduce, Report,
    SearchWorker, Session, SessionAround, Sink, StateStatus, Target, Verdict, Worker,
};
use rustc_hash::FxHasher;

use super::tail::{Initial, hand_on, split, tailed};
use crate::options::{ContextLimit, Options, Progress};

/// Another session with a bound on preemptive switches.
pub struct ContextBound<'m> {
    inner: &'m mut dyn Session,
    bound: Bound,
}

/// The bound, and what it met.
struct Bound {
    most: u32,
    /// A path was cut off.
    cut: AtomicBool,
    /// Hashes of the states that were seen, each with who moved last.
    seen: Mutex<HashSet<u64>>,
}

impl Bound {
    fn see(&self, state: &[CompId], last: Option<ActorId>) {
        let mut hasher = FxHasher::default();
        (state, last).hash(&mut hasher);
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(hasher.finish());
    }
}

impl<'m> ContextBound<'m> {
    pub fn new(inner: &'m mut dyn Session, most: u32) -> Self {
        let bound = Bound { most, cut: AtomicBool::new(false), seen: Mutex::default() };
        ContextBound { inner, bound }
    }

    /// How many states with who moved last were seen, whatever the number of
    /// switches; a few less if hashes collide.
    fn seen(&self) -> usize {
        self.bound.seen.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether a path was cut off.
    pub fn has_cut(&self) -> bool {
        self.bound.cut.load(Ordering::Relaxed)
    }
}

impl SessionAround for ContextBound<'_> {
    fn inner(&self) -> &dyn Session {
        &*self.inner
    }

    fn inner_mut(&mut self) -> &mut dyn Session {
        &mut *self.inner
    }

    /// Stubborn sets are not known to keep the fewest switches.
    fn facts_around(&self) -> Facts {
        Facts { left_out: LeftOut::None, has_turns: false, ..self.inner.facts() }
    }

    fn worker_around<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        let inner = self.inner.worker(pool);
        Box::new(BoundWorker { bound: &self.bound, pool, inner, out: Vec::new() })
    }

    fn left_out(&self) -> Option<String> {
        let most = self.bound.most;
        let switches = if most == 1 { "switch" } else { "switches" };
        let why = format!(
            "only schedules with at most {most} preemptive context {switches} were explored \
             (--context-bound {most})"
        );
        self.has_cut().then_some(why)
    }

    fn forget(&mut self) {
        *self.bound.cut.get_mut() = false;
    }
}

/// Who moved last, and the preemptive switches so far.
#[derive(Clone, Copy)]
struct Past {
    last: Option<ActorId>,
    switches: u32,
}

impl Past {
    fn decode(words: &[u64]) -> Past {
        let last = (words[0] as u32).checked_sub(1).map(ActorId);
        Past { last, switches: (words[0] >> 32) as u32 }
    }

    fn encode(self) -> u64 {
        let last = self.last.map_or(0, |actor| actor.0 + 1);
        last as u64 | (self.switches as u64) << 32
    }
}

struct BoundWorker<'a> {
    bound: &'a Bound,
    pool: &'a dyn Pool,
    inner: Box<dyn SearchWorker + 'a>,
    out: Vec<CompId>,
}

impl BoundWorker<'_> {
    /// Whether this actor could go on.
    fn can_move(&mut self, state: &[CompId], actor: ActorId) -> bool {
        let mut probe = Probe { actor, found: false };
        self.inner.expand(state, Detail::Targets, None, &mut probe);
        probe.found
    }
}

/// Looks for a move of one actor that the environment cannot withhold.
struct Probe {
    actor: ActorId,
    found: bool,
}

impl Sink for Probe {
    fn edge(&mut self, edge: &Edge<'_>, _: Target<'_>) -> ControlFlow<()> {
        self.found |= edge.actor == self.actor && !edge.withheld;
        if self.found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Hands edges on, with the past of their targets.
struct Bounding<'s> {
    sink: &'s mut dyn Sink,
    bound: &'s Bound,
    pool: &'s dyn Pool,
    out: &'s mut Vec<CompId>,
    past: Past,
    /// Whether to switch away from the last actor is preemptive.
    preempts: bool,
}

impl Bounding<'_> {
    /// The past behind an edge; `None` if the bound forbids it. A move that
    /// the environment makes for a waiting actor is no switch.
    fn after(&self, edge: &Edge<'_>) -> Option<Past> {
        if edge.withheld {
            return Some(self.past);
        }
        let preempts = self.preempts && self.past.last != Some(edge.actor);
        let switches = self.past.switches + preempts as u32;
        (switches <= self.bound.most).then_some(Past { last: Some(edge.actor), switches })
    }
}

impl Sink for Bounding<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let Some(past) = self.after(edge) else {
            self.bound.cut.store(true, Ordering::Relaxed);
            return self.sink.edge(edge, Target::Dropped);
        };
        if let Target::State(state) = target {
            self.bound.see(state, past.last);
        }
        hand_on(self.sink, edge, target, || self.pool.intern(&[past.encode()]), self.out)
    }
}

impl Worker for BoundWorker<'_> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        let past = Past { last: None, switches: 0 };
        let tail = self.pool.intern(&[past.encode()]);
        self.inner.initial(&mut Initial { sink, tail });
    }

    fn expand(
        &mut self,
        state: &[CompId],
        detail: Detail,
        only: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus {
        let (state, past) = split(state);
        let past = Past::decode(self.pool.get(past));
        let preempts = past.last.is_some_and(|last| self.can_move(state, last));
        let BoundWorker { bound, pool, inner, out } = self;
        let mut bounding = Bounding { sink, bound, pool: *pool, out, past, preempts };
        inner.expand(state, detail, only, &mut bounding)
    }

    fn open_sections(&mut self, state: &[CompId], out: &mut Vec<OpenSection>) {
        self.inner.open_sections(split(state).0, out);
    }
}

tailed!(BoundWorker);

/// An engine: [`check`](crate::check()) or [`check_minimal`](crate::check_minimal).
pub type Engine<'e> = &'e dyn Fn(&mut dyn Session, &Options, &mut dyn FnMut(&Progress)) -> Report;

/// Checks with a bound, or with growing bounds.
pub fn check_context_bound(
    session: &mut dyn Session,
    limit: ContextLimit,
    engine: Engine<'_>,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Report {
    match limit {
        ContextLimit::AtMost(most) => {
            engine(&mut ContextBound::new(session, most), options, progress)
        }
        ContextLimit::Growing => grow(session, engine, options, progress),
    }
}

/// Raises the bound until a violation shows or nothing is cut off any more.
///
/// If one more switch leads to no new state (with who moved last), no number
/// of them does: on a path with the fewest switches each part has the fewest.
/// All states are known then, and the last word is that of a search without
/// a bound, which is no larger.
fn grow(
    session: &mut dyn Session,
    engine: Engine<'_>,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Report {
    let jobs = options.jobs;
    // States are counted by numbers that only one worker gives in order.
    let mut options = Options { jobs: 1, ..options.clone() };
    let mut spent = 0.0;
    let mut before = 0;
    for most in 0.. {
        let mut bound = ContextBound::new(session, most);
        let mut report = engine(&mut bound, &options, progress);
        spend(&mut report, &mut options, &mut spent);
        let gave_up = report.limits_hit.len() > bound.incompleteness().len();
        if report.verdict == Verdict::Violated || !bound.has_cut() || gave_up {
            say_least(&mut report, most);
            return report;
        }
        if bound.seen() == before {
            break;
        }
        before = bound.seen();
    }
    options.jobs = jobs;
    let mut report = engine(session, &options, progress);
    spend(&mut report, &mut options, &mut spent);
    report
}

/// Counts the time of one search, which the next one does not have.
fn spend(report: &mut Report, options: &mut Options, spent: &mut f64) {
    let time = Duration::from_secs_f64(report.statistics.seconds);
    options.limits.spent += time;
    *spent += report.statistics.seconds;
    report.statistics.seconds = *spent;
}

/// Tells how many switches a violation needs.
fn say_least(report: &mut Report, least: u32) {
    let needs = match least {
        0 => "it needs no preemptive context switch".to_string(),
        1 => "it needs one preemptive context switch, and shows with none less".to_string(),
        _ => format!("it needs {least} preemptive context switches, and shows with none less"),
    };
    report.violations.iter_mut().for_each(|violation| violation.help.push(needs.clone()));
}
