//! What a machine offers to an engine.
//!
//! Invariant: a worker is a function of the state it is given. Expanding the
//! same vector twice gives the same edges in the same order.

use std::ops::ControlFlow;

use crate::{ActorId, Edge, Location, Noun, OpenSection, Target, Watcher};

/// An interned component of a state. Equal contents have equal ids within
/// one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CompId(pub u32);

/// Where components are kept: append-only, shared by all workers of a search.
pub trait Pool: Sync {
    /// The id of these words, which are stored if they are new.
    fn intern(&self, words: &[u64]) -> CompId;
    /// The words behind an id handed out by this pool.
    fn get(&self, id: CompId) -> &[u64];
}

/// Whether a state may still move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateStatus {
    /// The program has not ended. If no edge (other than withheld or dropped
    /// ones) leaves the state, it is a deadlock.
    Running,
    /// The program has ended here; there are no edges.
    Ended,
}

/// How much a worker should tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Targets only: the fast path of a search.
    Targets,
    /// Also [`Event`](crate::Event)s, for traces and stories.
    Story,
}

/// Restricts an expansion to one move, for replaying a schedule.
#[derive(Clone, Copy, Debug)]
pub struct Only<'a> {
    pub actor: ActorId,
    /// The values of the choices on the wanted edge.
    pub choices: &'a [u32],
    /// Whether the wanted move is one the environment may withhold.
    pub withheld: bool,
}

/// Receives the edges of one expansion, in a fixed order: by actor, then by
/// choices. Returning `Break` ends the expansion.
pub trait Sink {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()>;
}

/// What one actor is doing in a state, for stories and pictures.
#[derive(Clone, Debug)]
pub struct ActorView {
    pub actor: ActorId,
    /// "main", "worker", a process type…
    pub name: String,
    pub location: Option<Location>,
    /// What it is blocked on and who could release it, if it cannot move:
    /// "waits for mutex `m`, held by thread 2".
    pub blocked: Option<String>,
    pub ended: bool,
}

/// An open section in words.
#[derive(Clone, Debug, Default)]
pub struct SectionView {
    /// The resource or function it is about, without quotes: "m", "drain".
    pub name: String,
    /// What it waits for and why it stays: "thread 2 waits for mutex `m`,
    /// held by thread 1".
    pub why: String,
    /// Where its actor is now.
    pub location: Option<Location>,
}

/// Lets only the edges of some actors through.
struct Filter<'f> {
    actors: &'f [ActorId],
    sink: &'f mut dyn Sink,
}

impl Sink for Filter<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        match self.actors.contains(&edge.actor) {
            true => self.sink.edge(edge, target),
            false => ControlFlow::Continue(()),
        }
    }
}

/// One exploring hand with its own scratch memory.
pub trait Worker {
    /// Writes the initial state. `Err` holds an edge target that is not a
    /// state: the program cannot even start.
    fn initial(&mut self, sink: &mut dyn Sink);

    /// Hands all edges of `state` (or the one named by `only`) to the sink.
    fn expand(
        &mut self,
        state: &[CompId],
        detail: Detail,
        only: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus;

    /// Names actors whose moves are enough to look at in `state`, fewer than
    /// all that can move there; `false` if all must be looked at.
    ///
    /// What is named is a strong stubborn set: whatever the others do first,
    /// it neither disables nor changes the moves of these actors, nor enables
    /// new ones of them, and one of these moves is enabled. Whether a section
    /// can still be left does not depend on the order of moves that commute,
    /// so opening and closing need no care here; a proposition would. That no
    /// move is put off for ever is the engine's business.
    fn enough(&mut self, _state: &[CompId], _out: &mut Vec<ActorId>) -> bool {
        false
    }

    /// The same, where none of these moves changes a proposition of the
    /// [`Watcher`].
    fn enough_unseen(&mut self, _state: &[CompId], _out: &mut Vec<ActorId>) -> bool {
        false
    }

    /// Like `expand` without a story, but only the moves of some actors.
    fn expand_some(
        &mut self,
        state: &[CompId],
        actors: &[ActorId],
        sink: &mut dyn Sink,
    ) -> StateStatus {
        let mut filter = Filter { actors, sink };
        self.expand(state, Detail::Targets, None, &mut filter)
    }

    /// What its actors are called.
    fn noun(&self) -> Noun {
        Noun::Thread
    }

    /// Appends the section instances open in `state`, sorted.
    fn open_sections(&mut self, state: &[CompId], out: &mut Vec<OpenSection>);

    /// Describes all actors of a state, for people.
    fn view(&mut self, _state: &[CompId]) -> Vec<ActorView> {
        Vec::new()
    }

    /// What is known about an open section, for people.
    fn describe_section(&mut self, _state: &[CompId], _section: &OpenSection) -> SectionView {
        SectionView::default()
    }

    /// How many section instances were opened on all edges so far, and the
    /// different places where, as numbers that workers of a model agree on.
    fn section_sites(&self) -> (u64, Vec<u64>) {
        (0, Vec::new())
    }

    /// Bytes that it has put aside to be quicker, beyond scratch memory.
    fn bytes(&self) -> u64 {
        0
    }

    /// Appends what of a state is compared with other states; `false` (and
    /// nothing is appended) if that is all of it. States with the same matched
    /// part may be taken for one: see [`Model::abstraction`].
    fn matched(&mut self, state: &[CompId], out: &mut Vec<CompId>) -> bool {
        let _ = (state, out);
        false
    }

    /// The variables of a state in a readable form, for `sim` and `draw`.
    fn variables(&mut self, _state: &[CompId]) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// A program ready to be explored.
pub trait Model: Sync {
    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn Worker + 'a>;

    /// Whether any environment choice or withheld move can occur at all.
    /// `false` lets an engine skip the stuck-set pass.
    fn may_choose(&self) -> bool {
        true
    }

    /// What evaluates propositions in states, for temporal properties; `None` if the
    /// machine was made without propositions.
    fn watcher<'a>(&'a self, _pool: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>> {
        None
    }

    /// Which states are taken for the same although they are not, if the
    /// program or its user asks for that: "memory is ignored (`hits`)".
    fn abstraction(&self) -> Option<String> {
        None
    }

    /// Whether any section can open at all. `false` lets an engine skip what
    /// only sections need.
    fn has_sections(&self) -> bool {
        true
    }

    /// Whether [`Worker::enough`] ever names fewer actors than all.
    fn can_reduce(&self) -> bool {
        false
    }

    /// Whether something was learnt during a search that makes it void: it
    /// has to begin again, after [`Model::renew`] and with new workers.
    fn is_outdated(&self) -> bool {
        false
    }

    /// Makes what was learnt count for the workers that are made from now on.
    fn renew(&self) {}

    /// What the steps of the present workers depend on beyond the program and
    /// its options. A schedule can be replayed by a model that is given it.
    fn learnt(&self) -> Vec<(u64, u8)> {
        Vec::new()
    }

    /// What the user told us to assume and what this program depends on, each
    /// with its flag.
    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }

    /// Reasons why an exhaustive search of this model still would not
    /// establish that the program holds ("inputs were sampled").
    fn incompleteness(&self) -> Vec<String> {
        Vec::new()
    }
}
