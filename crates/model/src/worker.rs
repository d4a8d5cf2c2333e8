//! What explores: a worker, and what engines may ask it besides.
//!
//! Invariant: a worker is a function of the state it is given. Expanding the
//! same vector twice gives the same edges in the same order.
//!
//! No method here has a default: a worker around another one that forgot to
//! pass a question on would answer it wrongly, and no test need notice.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::{ActorId, Edge, Leash, Location, Next, Noun, OpenSection, StateView, Target};

/// An interned component of a state. Equal contents have equal ids within
/// one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CompId(pub u32);

impl CompId {
    /// Whether vectors of one length differ, in a way that compilers make quick.
    pub fn differ(new: &[CompId], old: &[CompId]) -> bool {
        new.iter().zip(old).fold(0, |differs, (new, old)| differs | (new.0 ^ old.0)) != 0
    }

    /// Where vectors of at most 32 components differ, as bits.
    #[inline]
    pub fn differing(new: &[CompId], old: &[CompId]) -> u32 {
        // Four at a time are compared by one instruction.
        let ((new, new_rest), (old, old_rest)) = (new.as_chunks::<4>(), old.as_chunks::<4>());
        let mut bits = 0;
        for (at, (new, old)) in new.iter().zip(old).enumerate() {
            bits |= Self::differing_bits(new, old) << (4 * at);
        }
        match new.len() {
            8.. => bits,
            whole => bits | Self::differing_bits(new_rest, old_rest) << (4 * whole),
        }
    }

    #[inline]
    fn differing_bits(new: &[CompId], old: &[CompId]) -> u32 {
        let pairs = new.iter().zip(old).enumerate();
        pairs.fold(0, |bits, (at, (new, old))| bits | u32::from(new != old) << at)
    }
}

/// Where components are kept: append-only, shared by all workers of a search.
pub trait Pool: Sync {
    /// The id of these words, which are stored if they are new.
    fn intern(&self, words: &[u64]) -> CompId;
    /// The words behind an id handed out by this pool.
    fn get(&self, id: CompId) -> &[u64];

    /// What a component of another pool became here that holds numbers of others, if somebody remembers.
    /// `level` tells apart how its words are read.
    fn carried(&self, _part: CompId, _level: u32) -> Option<CompId> {
        None
    }

    /// Remembers what a component became that was carried here.
    fn note_carried(&self, _part: CompId, _level: u32, _here: CompId) {}
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
    /// Also what the program prints.
    Output,
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
    /// Where a turn ends ([`Turn::until`](crate::Turn)); 0 for a step.
    pub turn: u64,
}

/// Receives the edges of one expansion, in a fixed order: by actor, then by
/// choices. Returning `Break` ends the expansion.
pub trait Sink {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()>;

    /// An edge whose effect is known by a name. A sink that has seen the name before need not look at
    /// the target.
    fn again(&mut self, edge: &Edge<'_>, change: &mut Change<'_>) -> ControlFlow<()> {
        self.edge(edge, Target::State(change.target()))
    }
}

/// The effect of an edge on a state that keeps its length. Wherever the same name comes again, in
/// this process or for another search in it, the changed components had the same values before.
pub struct Change<'c> {
    pub name: u64,
    pub state: &'c [CompId],
    /// Components and what they become.
    pub changes: &'c [[u32; 2]],
    /// Room for the target.
    pub room: &'c mut Vec<CompId>,
}

impl Change<'_> {
    /// The state behind the edge.
    pub fn target(&mut self) -> &[CompId] {
        self.room.clear();
        self.room.extend_from_slice(self.state);
        for [component, id] in self.changes {
            self.room[*component as usize] = CompId(*id);
        }
        self.room
    }
}

/// The upper half of names of changes, which nobody else in this process has.
pub fn series_of_names() -> u64 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    u64::from(NEXT.fetch_add(1, Ordering::Relaxed)) << 32
}

/// What one actor is doing in a state, for stories and pictures.
#[derive(Clone, Debug)]
pub struct ActorView {
    pub actor: ActorId,
    /// "main", "worker", a process type…
    pub name: String,
    pub location: Option<Location>,
    /// The calls that the location is in, innermost first.
    pub callers: Vec<Location>,
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
    /// The calls that the location is in, innermost first.
    pub callers: Vec<Location>,
}

/// What every search needs: states and their edges.
pub trait Worker {
    /// Hands the initial state to the sink, as the target of an edge
    /// that no actor takes; a target that is no state says that the program cannot
    /// even start.
    fn initial(&mut self, sink: &mut dyn Sink);

    /// Hands all edges of `state` (or the one named by `only`) to the sink.
    fn expand(
        &mut self,
        state: &[CompId],
        detail: Detail,
        only: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus;

    /// Appends the section instances open in `state`, sorted.
    fn open_sections(&mut self, state: &[CompId], out: &mut Vec<OpenSection>);
}

/// What lets a search get along with fewer states or edges.
pub trait Reduce: Worker {
    /// Names actors whose moves are enough to look at in `state`, fewer than
    /// all that can move there; `false` if all must be looked at. If `unseen`,
    /// none of these moves changes a proposition of the
    /// [`Watcher`](crate::Watcher).
    ///
    /// What is named is a strong stubborn set: whatever the others do first,
    /// it neither disables nor changes the moves of these actors, nor enables
    /// new ones of them, and one of these moves is enabled. Whether a section
    /// can still be left does not depend on the order of moves that commute,
    /// so opening and closing need no care here; a proposition would. That no
    /// move is put off for ever is the engine's business.
    fn enough(&mut self, state: &[CompId], unseen: bool, out: &mut Vec<ActorId>) -> bool;

    /// Like `expand` without a story, but only the moves of some actors.
    fn expand_some(
        &mut self,
        state: &[CompId],
        actors: &[ActorId],
        sink: &mut dyn Sink,
    ) -> StateStatus;

    /// Hands over a turn of an actor as one edge: all the steps that it can make
    /// alone, up to where it waits, ends or has to choose, has done very much, or comes to
    /// the end of the leash. Nothing if it cannot move, or if the machine has no turns
    /// ([`Facts::has_turns`](crate::Facts)). Returns how much work it was, in
    /// instructions or what is like them.
    fn run_on(
        &mut self,
        state: &[CompId],
        actor: ActorId,
        leash: Leash<'_>,
        detail: Detail,
        sink: &mut dyn Sink,
    ) -> u64;

    /// Appends every actor that has not ended, also if it cannot move, with what its next
    /// step touches; `false` (and nothing is appended) if the machine cannot say it.
    fn touched(&mut self, state: &[CompId], out: &mut Vec<Next>) -> bool;

    /// Appends what of a state is compared with other states; `false` (and
    /// nothing is appended) if that is all of it. States with the same matched
    /// part may be taken for one: see [`Facts::abstraction`](crate::Facts).
    fn matched(&mut self, state: &[CompId], out: &mut Vec<CompId>) -> bool;
}

/// What people are told about states.
pub trait Describe {
    /// What actors are called.
    fn noun(&self) -> Noun;

    /// Describes all actors of a state.
    fn view(&mut self, state: &[CompId]) -> Vec<ActorView>;

    /// What is known about an open section.
    fn describe_section(&mut self, state: &[CompId], section: &OpenSection) -> SectionView;

    /// The variables of a state and their values, readable.
    fn variables(&mut self, state: &[CompId]) -> Vec<(String, String)>;

    /// All that can be looked at in a state.
    fn snapshot(&mut self, state: &[CompId]) -> StateView;
}

/// What a worker has done and used so far.
pub trait Account {
    /// How many section instances were opened on all edges so far.
    fn sections_opened(&self) -> u64;

    /// The different places where, as numbers that workers of a session agree on.
    fn section_sites(&self) -> Vec<u64>;

    /// Bytes that it has put aside to be quicker, beyond scratch memory.
    fn bytes(&self) -> u64;

    /// Stores a state of one pool in another one. Components may hold numbers of others, and
    /// only the machine knows which do.
    fn carry(&self, state: &[CompId], from: &dyn Pool, to: &dyn Pool) -> Vec<CompId>;
}

/// Stores components of one pool, none of which holds numbers of others, in another one.
pub fn carry_plain(state: &[CompId], from: &dyn Pool, to: &dyn Pool) -> Vec<CompId> {
    state.iter().map(|&comp| to.intern(from.get(comp))).collect()
}

/// All of it: one exploring thread with its own scratch memory.
pub trait SearchWorker: Reduce + Describe + Account {}

impl<T: Reduce + Describe + Account> SearchWorker for T {}

/// A worker around another one. It changes which states and edges there are;
/// whatever is told about them comes from the inner one.
pub trait Around {
    fn inner(&self) -> &dyn SearchWorker;

    fn inner_mut(&mut self) -> &mut dyn SearchWorker;

    /// The part of a state that the inner worker knows.
    fn inside<'s>(&self, state: &'s [CompId]) -> &'s [CompId];
}

impl<T: Around> Describe for T {
    fn noun(&self) -> Noun {
        self.inner().noun()
    }

    fn view(&mut self, state: &[CompId]) -> Vec<ActorView> {
        let state = self.inside(state);
        self.inner_mut().view(state)
    }

    fn describe_section(&mut self, state: &[CompId], section: &OpenSection) -> SectionView {
        let state = self.inside(state);
        self.inner_mut().describe_section(state, section)
    }

    fn variables(&mut self, state: &[CompId]) -> Vec<(String, String)> {
        let state = self.inside(state);
        self.inner_mut().variables(state)
    }

    fn snapshot(&mut self, state: &[CompId]) -> StateView {
        let state = self.inside(state);
        self.inner_mut().snapshot(state)
    }
}

impl<T: Around> Account for T {
    fn sections_opened(&self) -> u64 {
        self.inner().sections_opened()
    }

    fn section_sites(&self) -> Vec<u64> {
        self.inner().section_sites()
    }

    fn bytes(&self) -> u64 {
        self.inner().bytes()
    }

    fn carry(&self, state: &[CompId], from: &dyn Pool, to: &dyn Pool) -> Vec<CompId> {
        let inside = self.inside(state);
        let mut carried = self.inner().carry(inside, from, to);
        carried.extend(carry_plain(&state[inside.len()..], from, to));
        carried
    }
}

/// Lets only the edges of some actors through.
pub struct OfActors<'f> {
    pub actors: &'f [ActorId],
    pub sink: &'f mut dyn Sink,
}

impl Sink for OfActors<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        match self.actors.contains(&edge.actor) {
            true => self.sink.edge(edge, target),
            false => ControlFlow::Continue(()),
        }
    }
}

/// For a worker that never names fewer actors than all: what [`Reduce`] then is.
#[macro_export]
macro_rules! never_reduces {
    ($($worker:tt)+) => {
        $($worker)+ {
            fn enough(&mut self, _: &[$crate::CompId], _: bool, _: &mut Vec<$crate::ActorId>) -> bool {
                false
            }

            fn expand_some(
                &mut self,
                state: &[$crate::CompId],
                actors: &[$crate::ActorId],
                sink: &mut dyn $crate::Sink,
            ) -> $crate::StateStatus {
                let mut some = $crate::OfActors { actors, sink };
                $crate::Worker::expand(self, state, $crate::Detail::Targets, None, &mut some)
            }

            fn run_on(
                &mut self,
                _: &[$crate::CompId],
                _: $crate::ActorId,
                _: $crate::Leash<'_>,
                _: $crate::Detail,
                _: &mut dyn $crate::Sink,
            ) -> u64 {
                0
            }

            fn touched(&mut self, _: &[$crate::CompId], _: &mut Vec<$crate::Next>) -> bool {
                false
            }

            fn matched(&mut self, _: &[$crate::CompId], _: &mut Vec<$crate::CompId>) -> bool {
                false
            }
        }
    };
}

/// For a worker of a small model whose traces are not shown: it describes nothing,
/// counts nothing and never reduces.
#[macro_export]
macro_rules! bare_worker {
    ([$($generics:tt)*] $worker:ty) => {
        $crate::never_reduces!(impl<$($generics)*> $crate::Reduce for $worker);

        impl<$($generics)*> $crate::Describe for $worker {
            fn noun(&self) -> $crate::Noun {
                $crate::Noun::Thread
            }

            fn view(&mut self, _: &[$crate::CompId]) -> Vec<$crate::ActorView> {
                Vec::new()
            }

            fn describe_section(
                &mut self,
                _: &[$crate::CompId],
                _: &$crate::OpenSection,
            ) -> $crate::SectionView {
                $crate::SectionView::default()
            }

            fn variables(&mut self, _: &[$crate::CompId]) -> Vec<(String, String)> {
                Vec::new()
            }

            fn snapshot(&mut self, _: &[$crate::CompId]) -> $crate::StateView {
                $crate::StateView::default()
            }
        }

        impl<$($generics)*> $crate::Account for $worker {
            fn sections_opened(&self) -> u64 {
                0
            }

            fn section_sites(&self) -> Vec<u64> {
                Vec::new()
            }

            fn bytes(&self) -> u64 {
                0
            }

            fn carry(
                &self,
                state: &[$crate::CompId],
                from: &dyn $crate::Pool,
                to: &dyn $crate::Pool,
            ) -> Vec<$crate::CompId> {
                $crate::carry_plain(state, from, to)
            }
        }
    };
}
