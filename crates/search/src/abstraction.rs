//! States that count as the same although they are not: data abstraction.
//!
//! A model may say that only a part of a state is matched (Zaks and Joshi,
//! "Verifying Multi-threaded C Programs with SPIN", 2008, section 3.1). Of all states with the same matched part the first one that is found
//! is explored and stands for the others. Everything behind the others is
//! unknown: "holds" is relative to the abstraction, and a schedule that leads
//! through a state that stands for another need not be one of the program. So
//! each violation is run again on the model itself before it is reported.

use std::collections::HashMap;
use std::ops::ControlFlow;

use exeunt_model::{
    ActorId, Around, Choice, CompId, Detail, Edge, Event, Facts, Fault, LeftOut, Only, OpenSection,
    Pool, Reduce, Report, SearchWorker, Session, SessionAround, Sink, StateStatus, Target, Turn,
    Unsupported, Verdict, Violation, Worker,
};

use crate::bound::Engine;
use crate::options::{Options, Order, Progress};
use crate::replay::replay;

/// Another session in which states with the same matched part are one.
pub struct Abstraction<'m> {
    inner: &'m mut dyn Session,
}

impl<'m> Abstraction<'m> {
    pub fn new(inner: &'m mut dyn Session) -> Self {
        Abstraction { inner }
    }
}

impl SessionAround for Abstraction<'_> {
    fn inner(&self) -> &dyn Session {
        &*self.inner
    }

    fn inner_mut(&mut self) -> &mut dyn Session {
        &mut *self.inner
    }

    /// States are matched here, and moves that commute need not in the abstraction.
    fn facts_around(&self) -> Facts {
        Facts { left_out: LeftOut::None, has_turns: false, abstraction: None, ..self.inner.facts() }
    }

    /// Each worker has its own idea of which state stands for which: a search
    /// needs to have one worker only.
    fn worker_around<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        let inner = self.inner.worker(pool);
        Box::new(Matching { inner, first: HashMap::new(), matched: Vec::new() })
    }

    fn left_out(&self) -> Option<String> {
        None
    }

    fn forget(&mut self) {}
}

struct Matching<'a> {
    inner: Box<dyn SearchWorker + 'a>,
    /// The first state with each matched part.
    first: HashMap<Box<[CompId]>, Box<[CompId]>>,
    matched: Vec<CompId>,
}

impl Matching<'_> {
    /// The state that stands for this one.
    fn representative(&mut self, state: Vec<CompId>) -> Vec<CompId> {
        self.matched.clear();
        if !self.inner.matched(&state, &mut self.matched) {
            return state;
        }
        match self.first.get(&self.matched[..]) {
            Some(first) => first.to_vec(),
            None => {
                self.first.insert(self.matched.as_slice().into(), state.as_slice().into());
                state
            }
        }
    }

    fn hand_on(&mut self, edges: Vec<Kept>, sink: &mut dyn Sink) {
        for kept in edges {
            let edge = Edge {
                actor: kept.actor,
                choices: &kept.choices,
                withheld: kept.withheld,
                reopens: kept.reopens,
                turn: Turn::default(),
                events: &kept.events,
            };
            let flow = match kept.target {
                KeptTarget::State(state) => {
                    let state = self.representative(state);
                    sink.edge(&edge, Target::State(&state))
                }
                KeptTarget::Fault(fault) => sink.edge(&edge, Target::Fault(&fault)),
                KeptTarget::Unsupported(limit) => sink.edge(&edge, Target::Unsupported(&limit)),
                KeptTarget::Dropped => sink.edge(&edge, Target::Dropped),
            };
            if flow.is_break() {
                return;
            }
        }
    }
}

/// An edge that is kept until its source is left alone: looking at its target
/// needs the same worker.
struct Kept {
    actor: ActorId,
    choices: Vec<Choice>,
    withheld: bool,
    reopens: bool,
    events: Vec<Event>,
    target: KeptTarget,
}

enum KeptTarget {
    State(Vec<CompId>),
    Fault(Fault),
    Unsupported(Unsupported),
    Dropped,
}

struct Keep(Vec<Kept>);

impl Sink for Keep {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let target = match target {
            Target::State(vector) => KeptTarget::State(vector.to_vec()),
            Target::Fault(fault) => KeptTarget::Fault(fault.clone()),
            Target::Unsupported(limit) => KeptTarget::Unsupported(limit.clone()),
            Target::Dropped => KeptTarget::Dropped,
        };
        self.0.push(Kept {
            actor: edge.actor,
            choices: edge.choices.to_vec(),
            withheld: edge.withheld,
            reopens: edge.reopens,
            events: edge.events.to_vec(),
            target,
        });
        ControlFlow::Continue(())
    }
}

impl Worker for Matching<'_> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        let mut keep = Keep(Vec::new());
        self.inner.initial(&mut keep);
        self.hand_on(keep.0, sink);
    }

    fn expand(
        &mut self,
        state: &[CompId],
        detail: Detail,
        only: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus {
        let mut keep = Keep(Vec::new());
        let status = self.inner.expand(state, detail, only, &mut keep);
        self.hand_on(keep.0, sink);
        status
    }

    fn open_sections(&mut self, state: &[CompId], out: &mut Vec<OpenSection>) {
        self.inner.open_sections(state, out);
    }
}

exeunt_model::never_reduces!(impl Reduce for Matching<'_>);

impl Around for Matching<'_> {
    fn inner(&self) -> &dyn SearchWorker {
        &*self.inner
    }

    fn inner_mut(&mut self) -> &mut dyn SearchWorker {
        &mut *self.inner
    }

    fn inside<'s>(&self, state: &'s [CompId]) -> &'s [CompId] {
        state
    }
}

/// How many states are explored on the model itself to see whether what the
/// abstraction shows is so.
const TO_VERIFY: u64 = 100_000;

/// Checks a model whose states are only matched in part; `what` says in which.
pub fn check_abstraction(
    session: &mut dyn Session,
    what: &str,
    engine: Engine<'_>,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Report {
    // Breadth first, the path to a state is the one on which it was found, so
    // it is one of the program.
    let options = Options { order: Order::Shortest, jobs: 1, ..options.clone() };
    let mut report = engine(&mut Abstraction::new(session), &options, progress);
    match report.verdict {
        Verdict::Holds => {
            report.reason += &format!("; this is relative to an abstraction: {what}");
        }
        Verdict::Violated => verify(session, what, &options, &mut report),
        Verdict::Inconclusive => {}
    }
    report
}

/// Keeps the violations that the model itself shows on the same schedule.
fn verify(session: &dyn Session, what: &str, options: &Options, report: &mut Report) {
    let mut doubtful = None;
    let mut sure = Vec::new();
    for violation in std::mem::take(&mut report.violations) {
        match verified(session, options, &violation) {
            Some(real) => sure.push(real),
            None => doubtful = doubtful.or(Some(violation.message)),
        }
    }
    match (sure.first(), doubtful) {
        (Some(first), _) => report.reason = first.message.clone(),
        (None, Some(message)) => {
            report.verdict = Verdict::Inconclusive;
            report.reason = format!(
                "the abstraction shows this, but its schedule does not: {message} ({what})"
            );
            report.limits_hit.push("the abstraction is too coarse".to_string());
        }
        (None, None) => {}
    }
    report.violations = sure;
}

fn verified(session: &dyn Session, options: &Options, violation: &Violation) -> Option<Violation> {
    let mut options = Options { all: true, order: Order::Depth, ..options.clone() };
    let most = options.limits.max_states.unwrap_or(TO_VERIFY);
    options.limits.max_states = Some(most.min(TO_VERIFY));
    let again =
        replay(session, &options, &violation.trace.schedule, violation.trace.cycle_start).ok()?;
    let same = |other: &Violation| {
        (other.property, &other.location) == (violation.property, &violation.location)
    };
    again.violations.into_iter().find(same)
}
