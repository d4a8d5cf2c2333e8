//! Nothing is put off for ever: components that nothing leaves are looked at once more.
//!
//! From every state of the reduced graph a way leads to such a component, to an end or to a
//! deadlock, by steps that change nothing for the moves that are put off. So it is enough
//! that in each of these components every actor moves somewhere that can move anywhere in
//! it. Where one does not, a state in which it can is expanded by all its moves.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use super::{CutOff, Finding, Observer, Search, Visit};
use crate::explore::Expansion;
use crate::explore::graph::Movers;
use crate::limits::Meter;
use crate::store::StateId;

/// States between two looks at clock and memory.
const STRIDE: usize = 64;

pub(super) enum Mended {
    /// Nothing is put off for ever.
    Whole,
    /// There is more to explore from the top frame.
    More,
    /// A limit was met.
    CutOff,
}

impl Search<'_, '_> {
    /// Whether something was put off for ever in the component of the top frame, if it is
    /// complete and nothing leaves it.
    pub(super) fn mend(
        &mut self,
        meter: &mut Meter<'_>,
        observer: &mut dyn Observer,
    ) -> ControlFlow<(), Mended> {
        let Some(first) = self.closed_component() else {
            return ControlFlow::Continue(Mended::Whole);
        };
        let opened = self.graph.worker.sections_opened();
        let postponing = self.postponing(first, meter);
        self.graph.opened_aside += self.graph.worker.sections_opened() - opened;
        let state = match postponing {
            Ok(Some(state)) => state,
            Ok(None) => return ControlFlow::Continue(Mended::Whole),
            Err(CutOff) => {
                self.frames.last_mut().expect("it has a component").known.leave();
                return ControlFlow::Continue(Mended::CutOff);
            }
        };
        let mut expansion = std::mem::take(&mut self.expansion);
        let before = self.counted_before(state, &mut expansion);
        self.graph.expand_rest(state, &mut expansion);
        meter.count(&expansion);
        meter.discount(before);
        let top = self.frames.last_mut().expect("it has a component");
        top.known.leaves |= expansion.open_end || !expansion.faults.is_empty();
        self.successors.extend(expansion.successors());
        let result = self.tell_faults(&mut expansion, state, observer);
        self.expansion = expansion;
        result?;
        ControlFlow::Continue(Mended::More)
    }

    /// How many transitions of a state that is expanded again were counted. What they open counts
    /// once: not when they were taken first, and not here.
    fn counted_before(&mut self, state: StateId, expansion: &mut Expansion) -> u64 {
        let opened = self.graph.worker.sections_opened();
        self.graph.expand_again(state, expansion);
        self.graph.opened_aside += 2 * (self.graph.worker.sections_opened() - opened);
        expansion.edges.iter().filter(|edge| edge.target.is_some()).count() as u64
    }

    /// A state of the component from `first` on in which an actor can move that moves nowhere
    /// in it.
    fn postponing(
        &mut self,
        first: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<StateId>, CutOff> {
        let (mut moved, mut able) = (Movers::default(), Movers::default());
        for at in first..self.component.len() {
            let state = self.component[at];
            self.graph.movers(state, self.graph.is_partial(state), &mut moved);
            self.look_at_limits(at, meter)?;
        }
        for at in first..self.component.len() {
            let state = self.component[at];
            able.actors.clear();
            if self.graph.is_partial(state) {
                self.graph.movers(state, false, &mut able);
            }
            if !able.actors.is_subset(&moved.actors) {
                return Ok(Some(state));
            }
            self.look_at_limits(at, meter)?;
        }
        Ok(None)
    }

    fn look_at_limits(&mut self, at: usize, meter: &mut Meter<'_>) -> Result<(), CutOff> {
        let depth = self.frames.len() as u64 - 1;
        let due = at.is_multiple_of(STRIDE);
        match due && meter.must_stop(depth, &self.graph.store, self.graph.pool) {
            true => Err(CutOff),
            false => Ok(()),
        }
    }

    /// Where the component of the top frame begins, if it is complete, nothing leaves it and
    /// not everything was expanded in it.
    fn closed_component(&self) -> Option<usize> {
        let frame = self.frames.last()?;
        let whole = self.visits.visit(frame.state) == Visit::Open(frame.low);
        if !self.graph.mends || !whole || frame.known.exits {
            return None;
        }
        let first = self.component.iter().rposition(|&state| state == frame.state)?;
        let partial = self.component[first..].iter().any(|&state| self.graph.is_partial(state));
        partial.then_some(first)
    }

    fn tell_faults(
        &mut self,
        expansion: &mut Expansion,
        state: StateId,
        observer: &mut dyn Observer,
    ) -> ControlFlow<()> {
        let mut known_path = None;
        for (step, fault) in std::mem::take(&mut expansion.faults) {
            let finding = Finding::Fault { step, fault };
            if observer.is_known(&finding, self.graph) {
                continue;
            }
            let path = known_path.get_or_insert_with(|| self.path_within(state));
            observer.found(finding, self.graph, path)?;
        }
        ControlFlow::Continue(())
    }

    /// From the initial state over the top frame to a state of its component.
    fn path_within(&mut self, state: StateId) -> Vec<StateId> {
        let mut path = self.path();
        let root = *path.last().expect("there is a frame");
        path.extend(self.way_within(root, state).into_iter().skip(1));
        path
    }

    /// A shortest way from one state of a component to another one.
    fn way_within(&mut self, from: StateId, to: StateId) -> Vec<StateId> {
        let mut before = HashMap::from([(from, from)]);
        let mut pending = VecDeque::from([from]);
        let mut expansion = Expansion::default();
        while let Some(state) = pending.pop_front() {
            if state == to {
                break;
            }
            self.graph.expand_again(state, &mut expansion);
            for next in expansion.successors() {
                before.entry(next).or_insert_with(|| {
                    pending.push_back(next);
                    state
                });
            }
        }
        let mut way = vec![to];
        while let Some(&previous) = before.get(&way[way.len() - 1])
            && way[way.len() - 1] != from
        {
            way.push(previous);
        }
        way.reverse();
        way
    }
}
