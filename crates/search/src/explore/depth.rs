//! Depth first, with Tarjan's algorithm on the way: a bottom component is
//! known as soon as its last state is left.
//!
//! Moves that the environment may withhold for ever (spurious wake-ups) do not
//! count for components: a set that only they leave is stuck. Their targets
//! are explored as further roots. So with no other environment choices, a
//! section is stuck iff it is open throughout a bottom component of the graph
//! without these moves, over all states reachable with them.

use std::ops::ControlFlow;

use super::{Expansion, Finding, Graph, Observer, path_along};
use crate::limits::Meter;
use crate::store::StateId;

struct Frame {
    state: StateId,
    /// Where this frame's successors begin in the shared list, and the next.
    first: u32,
    next: u32,
    low: u32,
    /// An edge leaves the component, or what follows is unknown.
    leaves: bool,
    ended: bool,
}

/// Depth-first numbers: 0 is unvisited, `DONE` is in a finished component.
const DONE: u32 = u32::MAX;

struct Search<'g, 'a> {
    graph: &'g mut Graph<'a>,
    frames: Vec<Frame>,
    successors: Vec<StateId>,
    index: Vec<u32>,
    /// States of unfinished components, in order of visit.
    component: Vec<StateId>,
    next_index: u32,
    expansion: Expansion,
    /// Targets of withheld moves with their sources, still to be looked at.
    roots: Vec<(StateId, StateId)>,
    /// The state each state was entered from (itself for the initial one).
    parents: Vec<u32>,
}

/// Explores everything reachable. Returns whether it was complete.
pub fn depth_first(
    graph: &mut Graph<'_>,
    meter: &mut Meter<'_>,
    observer: &mut dyn Observer,
) -> ControlFlow<(), bool> {
    let Some(initial) = graph.initial else { return ControlFlow::Continue(true) };
    let mut search = Search {
        graph,
        frames: Vec::new(),
        successors: Vec::new(),
        index: Vec::new(),
        component: Vec::new(),
        next_index: 1,
        expansion: Expansion::default(),
        roots: Vec::new(),
        parents: Vec::new(),
    };
    let mut complete = search.enter(initial, initial, meter, observer)?;
    loop {
        if search.frames.is_empty() {
            let Some((source, root)) = search.roots.pop() else { break };
            if *search.number(root) == 0 {
                complete &= search.enter(root, source, meter, observer)?;
            }
            continue;
        }
        let depth = search.frames.len() as u64 - 1;
        if meter.must_stop(depth, &search.graph.store, search.graph.pool) {
            return ControlFlow::Continue(false);
        }
        complete &= search.advance(meter, observer)?;
    }
    ControlFlow::Continue(complete)
}

impl Search<'_, '_> {
    fn number(&mut self, state: StateId) -> &mut u32 {
        let at = state.0 as usize;
        if self.index.len() <= at {
            self.index.resize((at + 1).max(self.index.len() * 2), 0);
        }
        &mut self.index[at]
    }

    fn set_parent(&mut self, state: StateId, from: StateId) {
        let at = state.0 as usize;
        if self.parents.len() <= at {
            self.parents.resize((at + 1).max(self.parents.len() * 2), 0);
        }
        self.parents[at] = from.0;
    }

    /// From the initial state to the top frame.
    fn path(&self) -> Vec<StateId> {
        let top = self.frames.last().expect("called with a frame");
        path_along(top.state, &self.parents)
    }

    /// Visits a new state. Returns `false` if it was too deep to expand.
    fn enter(
        &mut self,
        state: StateId,
        from: StateId,
        meter: &mut Meter<'_>,
        observer: &mut dyn Observer,
    ) -> ControlFlow<(), bool> {
        let number = self.next_index;
        self.next_index += 1;
        *self.number(state) = number;
        self.set_parent(state, from);
        self.component.push(state);
        let first = self.successors.len() as u32;
        let mut frame =
            Frame { state, first, next: first, low: number, leaves: false, ended: false };
        if meter.too_deep(self.frames.len() as u64) {
            frame.leaves = true;
            self.frames.push(frame);
            return ControlFlow::Continue(false);
        }
        self.graph.expand(state, &mut self.expansion, meter);
        frame.leaves = self.expansion.open_end || !self.expansion.faults.is_empty();
        frame.ended = self.expansion.ended;
        self.successors.extend_from_slice(&self.expansion.successors);
        self.roots.extend(self.expansion.withheld.iter().map(|&target| (state, target)));
        self.frames.push(frame);
        self.report(state, observer)?;
        ControlFlow::Continue(true)
    }

    fn report(&mut self, state: StateId, observer: &mut dyn Observer) -> ControlFlow<()> {
        let deadlock =
            self.expansion.moves == 0 && !self.expansion.ended && !self.expansion.open_end;
        if self.expansion.faults.is_empty() && !deadlock {
            return ControlFlow::Continue(());
        }
        let path = self.path();
        for (step, fault) in std::mem::take(&mut self.expansion.faults) {
            observer.found(Finding::Fault { step, fault }, self.graph, &path)?;
        }
        if deadlock {
            // A deadlock is told as such, not as a component.
            if let Some(frame) = self.frames.last_mut() {
                frame.leaves = true;
            }
            observer.found(Finding::Deadlock { state }, self.graph, &path)?;
        }
        ControlFlow::Continue(())
    }

    /// Follows the next edge of the top frame, or leaves it.
    fn advance(
        &mut self,
        meter: &mut Meter<'_>,
        observer: &mut dyn Observer,
    ) -> ControlFlow<(), bool> {
        let top = self.frames.len() - 1;
        let next = self.frames[top].next;
        if next as usize == self.successors.len() {
            self.leave(observer)?;
            return ControlFlow::Continue(true);
        }
        self.frames[top].next += 1;
        let target = self.successors[next as usize];
        match *self.number(target) {
            0 => {
                let from = self.frames[top].state;
                self.enter(target, from, meter, observer)
            }
            DONE => {
                self.frames[top].leaves = true;
                ControlFlow::Continue(true)
            }
            number => {
                let frame = &mut self.frames[top];
                frame.low = frame.low.min(number);
                ControlFlow::Continue(true)
            }
        }
    }

    fn leave(&mut self, observer: &mut dyn Observer) -> ControlFlow<()> {
        let frame = self.frames.pop().expect("called with a frame");
        self.successors.truncate(frame.first as usize);
        if frame.low < *self.number(frame.state) {
            // Part of a component that is rooted below.
            let below = self.frames.last_mut().expect("the root is below");
            below.low = below.low.min(frame.low);
            below.leaves |= frame.leaves;
            return ControlFlow::Continue(());
        }
        let start = self.component.iter().rposition(|&s| s == frame.state).expect("on the stack");
        for i in start..self.component.len() {
            let state = self.component[i];
            *self.number(state) = DONE;
        }
        let result = if frame.leaves || frame.ended || !observer.wants_components() {
            ControlFlow::Continue(())
        } else {
            let states = self.component[start..].to_vec();
            let path = path_along(frame.state, &self.parents);
            observer.found(Finding::Component { states }, self.graph, &path)
        };
        self.component.truncate(start);
        if let Some(below) = self.frames.last_mut() {
            below.leaves = true;
        }
        result
    }
}
