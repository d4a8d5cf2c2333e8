//! Wake-up trees: the beginnings of runs that must still be explored from a
//! state (Abdulla, Aronis, Jonsson, Sagonas: Source Sets: A Foundation for
//! Optimal Dynamic Partial Order Reduction, 2017).
//!
//! Invariant: no branch of a tree begins with a step that could as well come
//! first in an older branch beside it, so no two branches lead to equivalent
//! runs.

use std::ops::Range;

use exeunt_model::{Action, ActorId, Operation};
use smallvec::SmallVec;

use super::relation::dependent;

/// A step, by who makes it and what the environment chooses on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    pub actor: ActorId,
    pub choice: u32,
}

/// A step of a sequence that is to be inserted.
#[derive(Clone, Copy, Debug)]
pub struct Item<'e> {
    pub key: Key,
    pub operation: &'e Operation,
    /// The threads that it creates.
    pub spawned: &'e Range<u32>,
}

/// What is to be inserted.
pub type Sequence<'e> = SmallVec<[Item<'e>; 24]>;

#[derive(Clone, Debug)]
pub struct Branch {
    pub key: Key,
    pub operation: Operation,
    pub children: Vec<Branch>,
}

/// Whether the order of two steps of these actors matters.
pub fn ordered(item: &Item<'_>, actor: ActorId, operation: &Operation) -> bool {
    tied(item.key.actor, item.operation, item.spawned, actor, operation)
}

/// The same for a step that is not an item: its actor, its operation and the
/// threads that it created come first.
pub fn tied(
    first: ActorId,
    made: &Operation,
    spawned: &Range<u32>,
    actor: ActorId,
    operation: &Operation,
) -> bool {
    first == actor
        || dependent(made, operation)
        || spawned.contains(&actor.0)
        || joins(operation, first)
        || joins(made, actor)
}

/// Whether the operation waits for the end of that thread.
pub fn joins(operation: &Operation, actor: ActorId) -> bool {
    let waits = |action, object: u64| action == Action::Join && object == u64::from(actor.0);
    operation.accesses().iter().any(|access| waits(access.action, access.object.0))
}

/// Whether a run that begins with the sequence is equivalent to one that
/// begins with this step: it is a weak initial of the sequence.
pub fn can_begin(key: Key, operation: &Operation, sequence: &[Item<'_>]) -> bool {
    for item in sequence {
        if item.key == key {
            return true;
        }
        if ordered(item, key.actor, operation) {
            return false;
        }
    }
    true
}

/// Adds a sequence to the branches unless some branch covers it.
pub fn insert(mut branches: &mut Vec<Branch>, mut sequence: Sequence<'_>) {
    loop {
        let fits = |branch: &Branch| can_begin(branch.key, &branch.operation, &sequence);
        let Some(at) = branches.iter().position(fits) else {
            branches.push(chain(sequence));
            return;
        };
        let key = branches[at].key;
        if let Some(first) = sequence.iter().position(|item| item.key == key) {
            sequence.remove(first);
        }
        if branches[at].children.is_empty() || sequence.is_empty() {
            return;
        }
        branches = &mut branches[at].children;
    }
}

fn chain(sequence: Sequence<'_>) -> Branch {
    let mut steps = sequence.into_iter().rev();
    let last = steps.next().expect("a reversed race has a step");
    let leaf = Branch { key: last.key, operation: *last.operation, children: Vec::new() };
    steps.fold(leaf, |below, item| Branch {
        key: item.key,
        operation: *item.operation,
        children: vec![below],
    })
}
