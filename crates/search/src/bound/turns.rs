//! Runs to the very end of a program, with few preemptive switches at few places.
//!
//! A thread is interrupted only among a few operations: at its beginning, after it had to
//! wait, and where it comes to a call that synchronises for the first time. From there on
//! it takes a turn: it goes on for as long as it can, in one edge ([`Reduce::run_on`]),
//! however many steps that is. So a run to the end of a
//! program takes few states, and what shows only there, such as a wrong sum behind the
//! joins, is found without the states in between. (Few preemptions suffice for most
//! errors: Musuvathi and Qadeer, "Iterative Context Bounding for Systematic Testing of
//! Multithreaded Programs", 2007. Which places are tried is our choice.)
//!
//! Each state gets one more component: who moved last, the preemptive switches so far, how
//! many operations each actor has made since its last turn, and which places it knows.
//!
//! Invariant: a turn is a sequence of steps of the model, so faults and deadlocks are
//! real. What lies beside turns counts as dropped, so no set of states is called stuck
//! that has one in it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use exeunt_model::{
    ActorId, CompId, Detail, Edge, Facts, Leash, LeftOut, Only, OpenSection, Pool, Reduce,
    SearchWorker, Session, SessionAround, Sink, StateStatus, Target, Worker,
};
use smallvec::SmallVec;

use super::tail::{Initial, hand_on, split, tailed};

/// What is explored with turns.
#[derive(Clone, Copy, Debug)]
pub struct TurnBounds {
    /// Preemptive switches.
    pub most: u16,
    /// Operations of an actor, from its beginning or its last turn, before which it may
    /// be interrupted.
    pub first: u8,
    /// What turns may cost in all, in the work that they say they were.
    pub credit: u64,
}

/// Another session whose workers let actors take turns.
pub struct Turns<'m> {
    inner: &'m mut dyn Session,
    bounds: TurnBounds,
    /// What is left of the credit.
    credit: AtomicU64,
}

impl<'m> Turns<'m> {
    pub fn new(inner: &'m mut dyn Session, bounds: TurnBounds) -> Self {
        Turns { inner, bounds, credit: AtomicU64::new(bounds.credit) }
    }

    /// What is left of the credit.
    pub fn credit(&self) -> u64 {
        self.credit.load(Ordering::Relaxed)
    }
}

impl SessionAround for Turns<'_> {
    fn inner(&self) -> &dyn Session {
        &*self.inner
    }

    fn inner_mut(&mut self) -> &mut dyn Session {
        &mut *self.inner
    }

    fn facts_around(&self) -> Facts {
        Facts { left_out: LeftOut::None, has_turns: false, ..self.inner.facts() }
    }

    fn worker_around<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        let inner = self.inner.worker(pool);
        let Turns { bounds, credit, .. } = self;
        Box::new(Taker { credit, bounds: *bounds, pool, inner, out: Vec::new() })
    }

    fn left_out(&self) -> Option<String> {
        Some("only a few interruptions of each thread were explored".to_string())
    }

    fn forget(&mut self) {}
}

/// What the component of a state says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Past {
    last: Option<ActorId>,
    switches: u16,
    /// Operations since the last turn, by actor.
    operations: SmallVec<[u8; 16]>,
    /// Places that turns ended at, by actor, sorted.
    places: SmallVec<[(ActorId, u64); 8]>,
}

/// Bits of a place that are kept: a few places that look the same do no harm.
const PLACE: u32 = 52;

impl Past {
    fn decode(words: &[u64]) -> Past {
        let last = (words[0] as u32).checked_sub(1).map(ActorId);
        let (bytes, places) = words[1..].split_at((words[0] >> 48) as usize);
        let place = |word: &u64| (ActorId((word >> PLACE) as u32), word & ((1 << PLACE) - 1));
        Past {
            last,
            switches: (words[0] >> 32) as u16,
            operations: bytes.iter().flat_map(|word| word.to_le_bytes()).collect(),
            places: places.iter().map(place).collect(),
        }
    }

    fn encode(&self) -> SmallVec<[u64; 4]> {
        let last = self.last.map_or(0, |actor| actor.0 + 1);
        // Actors at the end that have made none do not show.
        let length = self.operations.iter().rposition(|&made| made > 0).map_or(0, |at| at + 1);
        let bytes = self.operations[..length].chunks(8).map(|chunk| {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(bytes)
        });
        let first = last as u64 | (self.switches as u64) << 32 | (bytes.len() as u64) << 48;
        let places = self.places.iter().map(|(actor, place)| (actor.0 as u64) << PLACE | place);
        std::iter::once(first).chain(bytes).chain(places).collect()
    }

    fn made(&self, actor: ActorId) -> u8 {
        self.operations.get(actor.0 as usize).copied().unwrap_or(0)
    }

    fn set(&mut self, actor: ActorId, made: u8) {
        let at = actor.0 as usize;
        if self.operations.len() <= at {
            self.operations.resize(at + 1, 0);
        }
        self.operations[at] = made;
    }

    fn learn(&mut self, actor: ActorId, place: u64) {
        let entry = (actor, place & ((1 << PLACE) - 1));
        if let Err(at) = self.places.binary_search(&entry) {
            self.places.insert(at, entry);
        }
    }

    /// The places that an actor knows.
    fn known_by(&self, actor: ActorId) -> SmallVec<[u64; 8]> {
        self.places.iter().filter(|entry| entry.0 == actor).map(|entry| entry.1).collect()
    }
}

struct Taker<'a> {
    /// What turns may still cost.
    credit: &'a AtomicU64,
    bounds: TurnBounds,
    pool: &'a dyn Pool,
    inner: Box<dyn SearchWorker + 'a>,
    out: Vec<CompId>,
}

impl Taker<'_> {
    /// Whether this actor could go on.
    fn can_move(&mut self, state: &[CompId], actor: ActorId) -> bool {
        let only = Only { actor, choices: &[], withheld: false, turn: 0 };
        let mut probe = Probe(false);
        self.inner.expand(state, Detail::Targets, Some(only), &mut probe);
        probe.0
    }

    /// Hands over the turn of an actor, as far as there is credit. A story is told of
    /// what has been paid for.
    fn take(
        &mut self,
        state: &[CompId],
        actor: ActorId,
        detail: Detail,
        sink: &mut Handing<'_>,
    ) -> ControlFlow<()> {
        let paid = detail != Detail::Targets;
        let credit = self.credit.load(Ordering::Relaxed);
        if !paid && credit == 0 {
            return sink.drop_turn(actor);
        }
        let known = sink.past.known_by(actor);
        let leash = Leash { until: u64::MAX, known: Some(&known) };
        let work = self.inner.run_on(state, actor, leash, detail, sink);
        if !paid {
            self.credit.store(credit.saturating_sub(work), Ordering::Relaxed);
        }
        if sink.stopped { ControlFlow::Break(()) } else { sink.drop_turn(actor) }
    }
}

/// Looks for a move.
struct Probe(bool);

impl Sink for Probe {
    fn edge(&mut self, _: &Edge<'_>, _: Target<'_>) -> ControlFlow<()> {
        self.0 = true;
        ControlFlow::Break(())
    }
}

/// Hands edges on with the past of their targets, and keeps back steps of actors that
/// take turns.
struct Handing<'s> {
    sink: &'s mut dyn Sink,
    pool: &'s dyn Pool,
    out: Vec<CompId>,
    past: Past,
    bounds: TurnBounds,
    /// Whether to switch away from the last actor is preemptive.
    preempts: bool,
    /// Who takes a turn.
    runners: Vec<ActorId>,
    stopped: bool,
}

impl Handing<'_> {
    /// The past behind an edge; `None` if it is one switch too many.
    fn after(&self, edge: &Edge<'_>) -> Option<Past> {
        let mut past = self.past.clone();
        if edge.withheld {
            return Some(past);
        }
        past.switches += u16::from(self.preempts && self.past.last != Some(edge.actor));
        past.last = Some(edge.actor);
        let made = if edge.turn.is_taken() { 0 } else { self.past.made(edge.actor) + 1 };
        past.set(edge.actor, made.min(self.bounds.first));
        if let Some(place) = edge.turn.place {
            past.learn(edge.actor, place);
        }
        (past.switches <= self.bounds.most).then_some(past)
    }

    /// Says that there is more than the turn of an actor.
    fn drop_turn(&mut self, actor: ActorId) -> ControlFlow<()> {
        let edge = Edge { actor, ..Edge::initial() };
        self.sink.edge(&edge, Target::Dropped)
    }

    fn hand_on(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let Some(past) = self.after(edge) else { return self.sink.edge(edge, Target::Dropped) };
        let tail = || self.pool.intern(&past.encode());
        hand_on(self.sink, edge, target, tail, &mut self.out)
    }
}

impl Sink for Handing<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let step = !edge.turn.is_taken() && !edge.withheld;
        if step && self.past.made(edge.actor) >= self.bounds.first {
            if self.runners.last() != Some(&edge.actor) {
                self.runners.push(edge.actor);
            }
            return ControlFlow::Continue(());
        }
        let flow = self.hand_on(edge, target);
        self.stopped |= flow.is_break();
        flow
    }
}

impl Worker for Taker<'_> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        let past = Past::default();
        let tail = self.pool.intern(&past.encode());
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
        let mut handing = Handing {
            sink,
            pool: self.pool,
            out: std::mem::take(&mut self.out),
            past,
            bounds: self.bounds,
            preempts,
            runners: Vec::new(),
            stopped: false,
        };
        let status = self.inner.expand(state, detail, only, &mut handing);
        for actor in std::mem::take(&mut handing.runners) {
            let late = handing.preempts && handing.past.last != Some(actor);
            let barred = late && handing.past.switches >= handing.bounds.most;
            if handing.stopped {
                break;
            }
            let flow = match barred {
                true => handing.drop_turn(actor),
                false => self.take(state, actor, detail, &mut handing),
            };
            if flow.is_break() {
                break;
            }
        }
        self.out = handing.out;
        status
    }

    fn open_sections(&mut self, state: &[CompId], out: &mut Vec<OpenSection>) {
        self.inner.open_sections(split(state).0, out);
    }
}

tailed!(Taker);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_past_is_read_as_it_was_written() {
        let mut past = Past { last: Some(ActorId(3)), switches: 2, ..Past::default() };
        past.set(ActorId(9), 4);
        past.set(ActorId(0), 1);
        past.learn(ActorId(9), 7);
        past.learn(ActorId(1), 1 << 32 | 3);
        let words = past.encode();
        let read = Past::decode(&words);
        assert_eq!((read.last, read.switches), (past.last, past.switches));
        assert!((0..20).all(|at| read.made(ActorId(at)) == past.made(ActorId(at))));
        assert_eq!(read.known_by(ActorId(9)).as_slice(), &[7]);
        assert_eq!(read.known_by(ActorId(1)).as_slice(), &[1 << 32 | 3]);
        assert_eq!(read.encode(), words, "one past, one component");
    }
}
