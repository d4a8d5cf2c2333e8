//! Programs ready to be explored, and what a search of one is opened with.
//!
//! A model is a value: nothing about it changes while it is searched. What a
//! search finds out on the way belongs to its session.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::{Label, Pool, SearchWorker, Watcher};

/// What the workers of a search rely on and the program does not promise: what
/// was learnt about it. Only the machine that made it knows what the words mean;
/// whoever keeps them can open another session with them, which then makes
/// the same steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumption(Vec<u64>);

impl Assumption {
    /// Of words that [`Assumption::words`] gave.
    pub fn new(words: Vec<u64>) -> Assumption {
        Assumption(words)
    }

    pub fn words(&self) -> &[u64] {
        &self.0
    }
}

/// What the workers of a new session rely on.
#[derive(Clone, Copy, Debug)]
pub enum Basis<'b> {
    /// On what is learnt: little at first, and more after each
    /// [`Session::renew`].
    Learnt,
    /// On this, which is not doubted: a schedule that was found so is replayed.
    Given(&'b Assumption),
    /// On nothing that could be refuted: the states are kept for a search that
    /// knows nothing of what this one learns.
    Nothing,
    /// The same, but several sessions search together, and whoever opens them puts together and keeps what
    /// they doubt.
    Together,
}

/// A program ready to be explored.
pub trait Model: Sync {
    /// Begins a search.
    fn open<'m>(&'m self, basis: Basis<'_>) -> Box<dyn Session + 'm>;
}

/// How it is known which actors need not be looked at in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// All must be looked at.
    None,
    /// It is known beforehand.
    Known,
    /// It is learnt while searching, which takes time: it must leave out much to be worth it.
    Learnt,
}

/// What is known about all states of a model before they are explored.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Environment choices or withheld moves can occur. `false` lets an engine
    /// skip the search for stuck sets.
    pub may_choose: bool,
    /// Sections can open. `false` lets an engine skip what only sections need.
    pub has_sections: bool,
    /// Whether [`Reduce::enough`](crate::Reduce::enough) may name fewer actors than all.
    pub left_out: LeftOut,
    /// [`Reduce::run_on`](crate::Reduce::run_on) hands over turns.
    pub has_turns: bool,
    /// Which states are taken for the same although they are not, if the
    /// program or its user asks for that: "memory is ignored (`hits`)".
    pub abstraction: Option<String>,
}

/// A search of a model: what its workers share. Like the pool it only grows
/// while they run, and is the same for all of them.
pub trait Session: Sync {
    fn facts(&self) -> Facts;

    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a>;

    /// What evaluates propositions in states, for temporal properties; `None` if the
    /// model was made without propositions.
    fn watcher<'a>(&'a self, pool: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>>;

    /// What the present workers rely on.
    fn assumption(&self) -> Assumption;

    /// Raised once a worker sees that the assumption is wrong. Whatever the
    /// search found is void then: it has to begin again, after
    /// [`Session::renew`] and with new workers.
    fn refuted(&self) -> Arc<AtomicBool>;

    /// Makes what was learnt the assumption of the workers made from now on.
    fn renew(&mut self);

    /// From the next search on, leaves out what happens once there are more actors than
    /// so many at a time (`None`: more than the machine or the user allows). `false` if it
    /// cannot, or if no more are allowed anyway.
    fn limit_actors(&mut self, most: Option<u32>) -> bool;

    /// Raised once such runs were left out, until a limit is set again.
    fn crowded(&self) -> Arc<AtomicBool>;

    /// What the user told us to assume and what this program depends on, each
    /// with its flag.
    fn assumptions(&self) -> Vec<String>;

    /// What one should know about the program even if it holds.
    fn remarks(&self) -> Vec<String>;

    /// Reasons why an exhaustive search still would not establish that the
    /// program holds ("inputs were sampled").
    fn incompleteness(&self) -> Vec<String>;

    /// What the program did that is undefined but harmless.
    fn notes(&self) -> Vec<Label>;

    /// Statements that no worker has executed, where that is kept.
    fn unreached(&self) -> Vec<Label>;
}

/// A session around another one: it changes which states and edges its workers hand
/// over. Whatever else is asked of it, the inner one answers. Propositions are asked of
/// the model itself.
pub trait SessionAround: Sync {
    fn inner(&self) -> &dyn Session;

    fn inner_mut(&mut self) -> &mut dyn Session;

    /// Of the inner session, less what does not hold here.
    fn facts_around(&self) -> Facts;

    fn worker_around<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a>;

    /// Why its own part forbids "holds", if it does.
    fn left_out(&self) -> Option<String>;

    /// Forgets what it has noted for `left_out`: the search begins again.
    fn forget(&mut self);
}

impl<T: SessionAround> Session for T {
    fn facts(&self) -> Facts {
        self.facts_around()
    }

    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        self.worker_around(pool)
    }

    fn watcher<'a>(&'a self, _: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>> {
        None
    }

    fn assumption(&self) -> Assumption {
        self.inner().assumption()
    }

    fn refuted(&self) -> Arc<AtomicBool> {
        self.inner().refuted()
    }

    fn renew(&mut self) {
        self.forget();
        self.inner_mut().renew();
    }

    fn limit_actors(&mut self, most: Option<u32>) -> bool {
        self.inner_mut().limit_actors(most)
    }

    fn crowded(&self) -> Arc<AtomicBool> {
        self.inner().crowded()
    }

    fn assumptions(&self) -> Vec<String> {
        self.inner().assumptions()
    }

    fn remarks(&self) -> Vec<String> {
        self.inner().remarks()
    }

    fn incompleteness(&self) -> Vec<String> {
        self.left_out().into_iter().chain(self.inner().incompleteness()).collect()
    }

    fn notes(&self) -> Vec<Label> {
        self.inner().notes()
    }

    fn unreached(&self) -> Vec<Label> {
        self.inner().unreached()
    }
}

/// A model whose workers rely on nothing that has to be learnt.
pub trait FixedModel: Sync {
    fn facts(&self) -> Facts;

    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a>;

    fn watcher<'a>(&'a self, pool: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>>;
}

impl<M: FixedModel> Model for M {
    fn open<'m>(&'m self, _: Basis<'_>) -> Box<dyn Session + 'm> {
        Box::new(FixedSession { model: self, refuted: Arc::default() })
    }
}

struct FixedSession<'m, M> {
    model: &'m M,
    refuted: Arc<AtomicBool>,
}

impl<M: FixedModel> Session for FixedSession<'_, M> {
    fn facts(&self) -> Facts {
        self.model.facts()
    }

    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        self.model.worker(pool)
    }

    fn watcher<'a>(&'a self, pool: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>> {
        self.model.watcher(pool)
    }

    fn assumption(&self) -> Assumption {
        Assumption::default()
    }

    fn refuted(&self) -> Arc<AtomicBool> {
        self.refuted.clone()
    }

    fn renew(&mut self) {}

    fn limit_actors(&mut self, _: Option<u32>) -> bool {
        false
    }

    fn crowded(&self) -> Arc<AtomicBool> {
        Arc::default()
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    fn incompleteness(&self) -> Vec<String> {
        Vec::new()
    }

    fn notes(&self) -> Vec<Label> {
        Vec::new()
    }

    fn unreached(&self) -> Vec<Label> {
        Vec::new()
    }
}
