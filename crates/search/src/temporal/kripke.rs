//! The state graph as temporal properties see it: unfolded once, on demand,
//! with the actor of every edge, and shared by all questions.
//!
//! Every run is infinite here. A program that has ended, or in which nothing
//! can move, stays where it is for ever. Where only moves are left that the
//! environment may withhold, it may stay too, but once it has decided to stay
//! it stays: that is a node of its own, the *halted* copy of the state.
//!
//! Where only formulas are asked that cannot tell how often a state is
//! repeated, moves may be put off (ample sets; Peled; Clarke, Grumberg, Minea
//! and Peled): a state is unfolded by the moves of some actors, if whatever
//! the others do does not touch them, no proposition changes on them, and none
//! of them leads to a state that was unfolded before. On a cycle of such
//! states each would be unfolded later than the one before: so every cycle has
//! a state with all moves, and none is put off for ever. This holds in
//! whatever order questions unfold the graph.

use std::ops::ControlFlow;

use exeunt_model::{
    ActorId, CompId, Detail, Edge, Fault, Move, SearchWorker, Sink, StateStatus, Target,
    Unsupported, Watcher,
};

use super::marks::Actors;
use crate::explore::Graph;
use crate::store::{StateId, StateStore};

/// A state, or its halted copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);

const HALTED: u32 = 1 << 31;

impl Node {
    pub fn of(state: StateId) -> Node {
        assert!(state.0 < HALTED, "fewer than 2^31 states");
        Node(state.0)
    }

    pub fn state(self) -> StateId {
        StateId(self.0 & !HALTED)
    }

    fn halted(self) -> Node {
        Node(self.0 | HALTED)
    }

    pub fn is_halted(self) -> bool {
        self.0 & HALTED != 0
    }

    pub fn number(self) -> u32 {
        self.0
    }
}

/// An edge of the graph. `actor` is `None` where the run stays as it is.
#[derive(Clone, Copy, Debug)]
pub struct Arc {
    pub target: Node,
    pub actor: Option<u8>,
    withheld: bool,
}

#[derive(Clone, Copy, Default)]
struct Row {
    first: u64,
    count: u32,
    known: bool,
    /// Nothing can move here.
    stuck: bool,
    letter: u64,
}

pub struct Kripke<'a> {
    pub graph: Graph<'a>,
    pub watcher: Box<dyn Watcher + 'a>,
    rows: Vec<Row>,
    arcs: Vec<Arc>,
    vector: Vec<CompId>,
    /// The first step that goes wrong, with the state it leaves.
    pub fault: Option<(StateId, Move, Fault)>,
    /// Whether such a step is of interest.
    wants_faults: bool,
    /// Whether moves may be put off.
    reduces: bool,
    actors: Vec<ActorId>,
}

/// How a state was unfolded.
struct Unfolded {
    moves: u32,
    cut: bool,
    ended: bool,
    fault: Option<(Move, Fault)>,
}

impl<'a> Kripke<'a> {
    pub fn new(graph: Graph<'a>, watcher: Box<dyn Watcher + 'a>, wants_faults: bool) -> Kripke<'a> {
        let reduces = graph.reduces;
        Kripke {
            graph,
            watcher,
            rows: Vec::new(),
            arcs: Vec::new(),
            vector: Vec::new(),
            fault: None,
            wants_faults,
            reduces,
            actors: Vec::new(),
        }
    }

    pub fn initial(&self) -> Option<Node> {
        self.graph.initial.map(Node::of)
    }

    /// The propositions that hold in a node.
    pub fn letter(&mut self, node: Node) -> Result<u64, Fault> {
        self.unfold(node.state())?;
        Ok(self.rows[node.state().0 as usize].letter)
    }

    /// Whether nothing can move there.
    pub fn is_stuck(&mut self, node: Node) -> Result<bool, Fault> {
        self.unfold(node.state())?;
        Ok(node.is_halted() || self.rows[node.state().0 as usize].stuck)
    }

    /// How many edges a node has; they are asked for by number.
    pub fn degree(&mut self, node: Node) -> Result<u32, Fault> {
        if node.is_halted() {
            return Ok(1);
        }
        self.unfold(node.state())?;
        Ok(self.rows[node.state().0 as usize].count)
    }

    /// An edge of a node whose degree was asked for.
    pub fn arc(&self, node: Node, at: u32) -> Arc {
        if node.is_halted() {
            return Arc { target: node, actor: None, withheld: false };
        }
        self.arcs[(self.rows[node.state().0 as usize].first + u64::from(at)) as usize]
    }

    /// The actors that could move in a node whose degree was asked for. A
    /// move that the environment may withhold does not count.
    pub fn enabled(&self, node: Node) -> Actors {
        let mut actors = Actors::NONE;
        if node.is_halted() {
            return actors;
        }
        let row = &self.rows[node.state().0 as usize];
        let arcs = &self.arcs[row.first as usize..row.first as usize + row.count as usize];
        for arc in arcs.iter().filter(|arc| !arc.withheld) {
            if let Some(actor) = arc.actor {
                actors.insert(actor);
            }
        }
        actors
    }

    /// The components of a state.
    pub fn load(&mut self, node: Node) -> &[CompId] {
        let mut vector = std::mem::take(&mut self.vector);
        self.graph.store.load(node.state(), &mut vector);
        self.vector = vector;
        &self.vector
    }

    pub fn claim_moves(
        &mut self,
        claim: u32,
        node: Node,
        from: u32,
        out: &mut Vec<exeunt_model::ClaimMove>,
    ) -> Result<(), Fault> {
        let stuck = self.is_stuck(node)?;
        self.load(node);
        self.watcher.claim_moves(claim, &self.vector, from, stuck, out)
    }

    pub fn bytes(&self) -> u64 {
        let rows = self.rows.capacity() * size_of::<Row>();
        (rows + self.arcs.capacity() * size_of::<Arc>()) as u64
    }

    fn unfold(&mut self, state: StateId) -> Result<(), Fault> {
        let at = state.0 as usize;
        if self.rows.get(at).is_some_and(|row| row.known) {
            return Ok(());
        }
        self.load(Node::of(state));
        let letter = self.watcher.letter(&self.vector)?;
        let first = self.arcs.len();
        let some = self.unfold_some(state);
        let Unfolded { moves, cut, ended, fault } = match some {
            Some(some) => some,
            None => self
                .collect(|worker, vector, sink| worker.expand(vector, Detail::Targets, None, sink)),
        };
        if self.wants_faults
            && self.fault.is_none()
            && let Some((step, fault)) = fault
        {
            self.fault = Some((state, step, fault));
        }
        let stuck = ended || (moves == 0 && !cut);
        if stuck {
            let node = Node::of(state);
            let target = if self.arcs.len() == first { node } else { node.halted() };
            self.arcs.push(Arc { target, actor: None, withheld: false });
        }
        let count = (self.arcs.len() - first) as u32;
        if self.rows.len() <= at {
            self.rows.resize((at + 1).max(self.rows.len() * 2), Row::default());
        }
        self.rows[at] = Row { first: first as u64, count, known: true, stuck, letter };
        Ok(())
    }

    /// Unfolds the loaded state by some of its moves, if they are enough.
    fn unfold_some(&mut self, state: StateId) -> Option<Unfolded> {
        self.actors.clear();
        if !self.reduces || !self.graph.worker.enough(&self.vector, true, &mut self.actors) {
            return None;
        }
        let first = self.arcs.len();
        let actors = std::mem::take(&mut self.actors);
        let some = self.collect(|worker, vector, sink| worker.expand_some(vector, &actors, sink));
        self.actors = actors;
        let later = |target: StateId| {
            target != state && self.rows.get(target.0 as usize).is_none_or(|row| !row.known)
        };
        let all_later = self.arcs[first..].iter().all(|arc| later(arc.target.state()));
        if some.moves > 0 && !some.cut && some.fault.is_none() && all_later {
            return Some(some);
        }
        self.arcs.truncate(first);
        None
    }

    /// Appends the arcs of the loaded state.
    fn collect(
        &mut self,
        expand: impl FnOnce(&mut dyn SearchWorker, &[CompId], &mut dyn Sink) -> StateStatus,
    ) -> Unfolded {
        let Graph { worker, store, unsupported, .. } = &mut self.graph;
        let mut collect =
            Collect { store, arcs: &mut self.arcs, unsupported, moves: 0, cut: false, fault: None };
        let status = expand(&mut **worker, &self.vector, &mut collect);
        let Collect { moves, cut, fault, .. } = collect;
        Unfolded { moves, cut, ended: status == StateStatus::Ended, fault }
    }
}

struct Collect<'c> {
    store: &'c mut StateStore,
    arcs: &'c mut Vec<Arc>,
    unsupported: &'c mut Vec<Unsupported>,
    moves: u32,
    /// A path ends here for a reason that is not an end.
    cut: bool,
    fault: Option<(Move, Fault)>,
}

impl Sink for Collect<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        self.moves += u32::from(!edge.withheld);
        match target {
            Target::State(vector) => {
                let target = Node::of(self.store.insert(vector).0);
                let actor = Some(u8::try_from(edge.actor.0).expect("at most 256 actors"));
                self.arcs.push(Arc { target, actor, withheld: edge.withheld });
            }
            Target::Fault(fault) => {
                let step = Move::of(edge);
                self.fault.get_or_insert_with(|| (step, fault.clone()));
            }
            Target::Unsupported(limit) => {
                self.cut = true;
                if !self.unsupported.contains(limit) {
                    self.unsupported.push(limit.clone());
                }
            }
            Target::Dropped => self.cut = true,
        }
        ControlFlow::Continue(())
    }
}
