//! Depth first, with Tarjan's algorithm on the way: a component is known as
//! soon as its last state is left. This one is written out, because it explores
//! while it searches and keeps four bytes for a state; where a graph is there
//! already, petgraph finds its components.
//!
//! Moves that the environment may withhold for ever (spurious wake-ups) do not
//! count for components: a set that only they leave is stuck. Their targets
//! are explored as further roots. So with no other environment choices, a
//! section is stuck iff it is open throughout a bottom component of the graph
//! without these moves, over all states reachable with them.
//!
//! Where the environment chooses, each component is searched for stuck sets
//! when it is finished (see `stuck/fixpoint.rs` for why that is enough): by one
//! way on from each state, and if that does not settle it by all its edges.
//!
//! If components are not needed, one bit for each state says whether it was
//! visited, and nothing else is kept.

mod mend;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use self::mend::Mended;
use super::bits::Bits;
use super::visits::{DONE, LOCAL, Visit, Visits};
use super::{Expansion, Finding, Graph, Observer, Onward, Wanted};
use crate::limits::{Meter, Outlook};
use crate::outlook;
use crate::store::StateId;
use crate::stuck::{self, Answer, Edges};

struct Frame {
    state: StateId,
    /// Where this frame's successors begin in the shared list, and the next.
    first: u32,
    next: u32,
    low: u32,
    known: Known,
}

/// What is known about the component of a frame.
#[derive(Clone, Copy, Default)]
struct Known {
    /// An edge leaves it, or what follows is unknown.
    leaves: bool,
    /// An edge leads to a state outside.
    exits: bool,
    ended: bool,
    /// The environment chooses somewhere in it.
    chooses: bool,
    /// An edge leads from a state to itself.
    loops: bool,
}

impl Known {
    /// Notes an edge to a component that is finished.
    fn leave(&mut self) {
        self.leaves = true;
        self.exits = true;
    }
}

struct Search<'g, 'a> {
    graph: &'g mut Graph<'a>,
    frames: Vec<Frame>,
    successors: Vec<StateId>,
    visits: Visits,
    /// The states of the frames as bits, if moves are put off.
    on_path: Bits,
    /// States of unfinished components, in order of visit.
    component: Vec<StateId>,
    next_index: u32,
    expansion: Expansion,
    /// One way on from each state, if the environment may choose.
    onward: Option<Onward>,
    /// Targets of withheld moves with their sources, still to be looked at.
    roots: Vec<(StateId, StateId)>,
    /// Where states on the way to a root were entered from.
    trunk: HashMap<StateId, StateId>,
}

/// A limit was met, which the meter has noted.
struct CutOff;

/// Explores everything reachable. Returns whether it was complete.
pub fn depth_first(
    graph: &mut Graph<'_>,
    may_choose: bool,
    meter: &mut Meter<'_>,
    observer: &mut dyn Observer,
) -> ControlFlow<(), bool> {
    let Some(initial) = graph.initial else { return ControlFlow::Continue(true) };
    let keeps_ways = may_choose && observer.wanted().is_some();
    let mut search = Search {
        graph,
        frames: Vec::new(),
        successors: Vec::new(),
        visits: Visits::new(observer.wanted().is_some()),
        on_path: Bits::default(),
        component: Vec::new(),
        next_index: 1,
        expansion: Expansion::default(),
        onward: keeps_ways.then(Onward::default),
        roots: Vec::new(),
        trunk: HashMap::new(),
    };
    let mut complete = search.enter(initial, meter, observer)?;
    // The visits after which limits were looked at.
    let mut looked = 0;
    loop {
        if search.frames.is_empty() {
            let Some((source, root)) = search.roots.pop() else { break };
            if search.visits.visit(root) == Visit::New {
                search.trunk.insert(root, source);
                complete &= search.enter(root, meter, observer)?;
            }
            continue;
        }
        if looked != search.next_index {
            looked = search.next_index;
            let depth = search.frames.len() as u64 - 1;
            if meter.wants_extra() {
                meter.extra = search.bytes();
            }
            meter.bear_with(search.graph);
            let stops = meter.must_stop(depth, &search.graph.store, search.graph.pool);
            if stops && !search.graph.goes_on(meter) {
                return ControlFlow::Continue(false);
            }
            meter.take_outlook(|| search.outlook());
        }
        complete &= search.advance(meter, observer)?;
    }
    let visited = u64::from(search.next_index) - 1;
    search.graph.visited = (complete && search.graph.counts_visits).then_some(visited);
    ControlFlow::Continue(complete)
}

impl Search<'_, '_> {
    /// Notes that a state comes onto the path or leaves it.
    fn path_mut(&mut self, state: StateId, on: bool) {
        if !self.graph.reduces {
            return;
        }
        match on {
            true => self.on_path.insert(state.0),
            false => self.on_path.remove(state.0),
        }
    }

    /// Bytes used besides the store.
    fn bytes(&self) -> u64 {
        let frames = self.frames.capacity() * size_of::<Frame>();
        let visits = self.visits.bytes(self.graph.store.limit());
        let numbers = self.successors.capacity() + self.component.capacity();
        let onward = self.onward.as_ref();
        let onward = onward.map_or(0, |onward| onward.bytes(self.graph.store.limit()));
        (frames
            + visits
            + numbers * size_of::<u32>()
            + self.on_path.bytes()
            + self.trunk.capacity() * 9) as u64
            + onward
            + self.graph.worker.bytes()
    }

    /// How far it is, for people.
    fn outlook(&mut self) -> Outlook {
        let ends = self.frames.iter().skip(1).map(|frame| frame.first);
        let ends = ends.chain([self.successors.len() as u32]);
        let top = self.frames.len() - 1;
        let levels = self.frames.iter().zip(ends).enumerate().map(|(at, (frame, end))| {
            // The last one that was taken is done only where nothing is above it.
            let done = frame.next - frame.first - u32::from(at < top);
            (end - frame.first, done)
        });
        let share = Some(outlook::on_path(levels));
        let place = self.frames.last().map(|frame| self.graph.place(frame.state));
        Outlook { share, place: place.unwrap_or_default() }
    }

    /// From the initial state to the top frame.
    fn path(&self) -> Vec<StateId> {
        let mut path: Vec<StateId> = self.frames.iter().rev().map(|frame| frame.state).collect();
        self.extend_to_initial(&mut path);
        path.reverse();
        path
    }

    /// Goes on from the root at the end of a reversed path.
    fn extend_to_initial(&self, path: &mut Vec<StateId>) {
        let mut at = *path.last().expect("a path has a state");
        while let Some(&before) = self.trunk.get(&at) {
            path.push(before);
            at = before;
        }
    }

    /// Remembers how the top frame was reached: a root hangs on it.
    fn grow_trunk(&mut self) {
        for pair in self.frames.windows(2).rev() {
            let known = self.trunk.insert(pair[1].state, pair[0].state);
            if known.is_some() {
                break;
            }
        }
    }

    /// Visits a new state. Returns `false` if it was too deep to expand.
    fn enter(
        &mut self,
        state: StateId,
        meter: &mut Meter<'_>,
        observer: &mut dyn Observer,
    ) -> ControlFlow<(), bool> {
        let number = self.next_index;
        assert!(number < LOCAL, "fewer than 2^31 states");
        self.next_index += 1;
        self.visits.set(state, number);
        if self.visits.are_numbered() {
            self.component.push(state);
        }
        let first = self.successors.len() as u32;
        let known = Known::default();
        let mut frame = Frame { state, first, next: first, low: number, known };
        let deep = meter.too_deep(self.frames.len() as u64);
        if deep {
            self.expansion.edges.clear();
            frame.known.leaves = true;
        } else {
            self.path_mut(state, true);
            let Search { graph, expansion, on_path, .. } = self;
            graph.expand_enough(state, expansion, &|state| on_path.contains(state.0));
            meter.count(expansion);
            frame.known.leaves = expansion.open_end || !expansion.faults.is_empty();
            frame.known.ended = expansion.ended;
        }
        let mut withheld = false;
        for edge in &self.expansion.edges {
            frame.known.chooses |= edge.chosen;
            withheld |= edge.withheld;
            if let Some(target) = edge.target.filter(|_| !edge.withheld) {
                frame.known.loops |= target == state;
                self.successors.push(target);
            }
        }
        if let Some(onward) = &self.onward
            && !deep
        {
            onward.set(state, &self.expansion);
        }
        self.frames.push(frame);
        if deep {
            return ControlFlow::Continue(false);
        }
        if withheld {
            self.grow_trunk();
            self.roots.extend(self.expansion.withheld().map(|target| (state, target)));
        }
        self.report(state, observer)?;
        ControlFlow::Continue(true)
    }

    fn report(&mut self, state: StateId, observer: &mut dyn Observer) -> ControlFlow<()> {
        let deadlock = self.expansion.is_deadlock();
        if self.expansion.faults.is_empty() && !deadlock {
            return ControlFlow::Continue(());
        }
        for (step, fault) in std::mem::take(&mut self.expansion.faults) {
            self.tell(Finding::Fault { step, fault }, observer)?;
        }
        if deadlock {
            // A deadlock is told as such, not as a component.
            if let Some(frame) = self.frames.last_mut() {
                frame.known.leaves = true;
            }
            self.tell(Finding::Deadlock { state }, observer)?;
        }
        ControlFlow::Continue(())
    }

    /// Tells of something that was found in the state of the top frame.
    fn tell(&mut self, finding: Finding, observer: &mut dyn Observer) -> ControlFlow<()> {
        if observer.is_known(&finding, self.graph) {
            return ControlFlow::Continue(());
        }
        let path = self.path();
        observer.found(finding, self.graph, &path)
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
            return match self.mend(meter, observer)? {
                Mended::More => ControlFlow::Continue(true),
                Mended::Whole => self.leave(meter, observer),
                Mended::CutOff => {
                    self.leave(meter, observer)?;
                    ControlFlow::Continue(false)
                }
            };
        }
        self.frames[top].next += 1;
        let target = self.successors[next as usize];
        match self.visits.visit(target) {
            Visit::New => self.enter(target, meter, observer),
            Visit::Done => {
                self.frames[top].known.leave();
                ControlFlow::Continue(true)
            }
            Visit::Open(number) => {
                let frame = &mut self.frames[top];
                frame.low = frame.low.min(number);
                ControlFlow::Continue(true)
            }
        }
    }

    /// Leaves the top frame. Returns `false` if a limit kept its component from
    /// being looked at.
    fn leave(
        &mut self,
        meter: &mut Meter<'_>,
        observer: &mut dyn Observer,
    ) -> ControlFlow<(), bool> {
        let frame = self.frames.pop().expect("called with a frame");
        self.path_mut(frame.state, false);
        self.successors.truncate(frame.first as usize);
        let Visit::Open(number) = self.visits.visit(frame.state) else {
            return ControlFlow::Continue(true);
        };
        if frame.low < number {
            // Part of a component that is rooted below.
            let below = self.frames.last_mut().expect("the root is below");
            below.low = below.low.min(frame.low);
            below.known.leaves |= frame.known.leaves;
            below.known.exits |= frame.known.exits;
            below.known.chooses |= frame.known.chooses;
            return ControlFlow::Continue(true);
        }
        let first = self.component.iter().rposition(|&s| s == frame.state).expect("on the stack");
        let result = self.finish(&frame, first, meter, observer);
        for i in first..self.component.len() {
            let state = self.component[i];
            self.visits.set(state, DONE);
        }
        self.component.truncate(first);
        if let Some(below) = self.frames.last_mut() {
            below.known.leave();
        }
        result
    }

    /// Looks at a finished component: the states from `first` on. Returns `false`
    /// if a limit kept it from that.
    fn finish(
        &mut self,
        frame: &Frame,
        first: usize,
        meter: &mut Meter<'_>,
        observer: &mut dyn Observer,
    ) -> ControlFlow<(), bool> {
        let Some(wanted) = observer.wanted() else { return ControlFlow::Continue(true) };
        let Known { leaves, ended, chooses, .. } = frame.known;
        let bottom = !leaves && !ended;
        let chooses = chooses && !ended && !self.is_passed_once(frame, first);
        let finding = match chooses {
            true => match self.edges_of(first, wanted, meter) {
                Ok(edges) => Finding::Choosing { edges: edges.map(Rc::new), bottom },
                Err(CutOff) => return ControlFlow::Continue(false),
            },
            false if bottom => Finding::Component { states: self.component[first..].to_vec() },
            false => return ControlFlow::Continue(true),
        };
        if observer.is_known(&finding, self.graph) {
            return ControlFlow::Continue(true);
        }
        let mut path = vec![frame.state];
        path.extend(self.frames.iter().rev().map(|frame| frame.state));
        self.extend_to_initial(&mut path);
        path.reverse();
        observer.found(finding, self.graph, &path)?;
        ControlFlow::Continue(true)
    }

    /// Whether the component is one state that no edge leads back to.
    fn is_passed_once(&self, frame: &Frame, first: usize) -> bool {
        self.component.len() - first == 1 && !frame.known.loops
    }

    /// The edges of a component in which something may be stuck.
    fn edges_of(
        &mut self,
        first: usize,
        wanted: Wanted<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Edges>, CutOff> {
        let Search { graph, visits, onward, component, .. } = self;
        let states = &component[first..];
        for (local, &state) in states.iter().enumerate() {
            visits.set(state, LOCAL + local as u32);
        }
        let local = |state: StateId| visits.local(state);
        let onward = onward.as_ref().expect("kept where the environment may choose");
        match stuck::among(graph, onward, wanted, &local, states.iter().copied()) {
            Answer::Free => Ok(None),
            Answer::Stuck | Answer::Unsure => {
                Edges::of_component(graph, states, local, meter).map(Some).ok_or(CutOff)
            }
        }
    }
}
