//! Paths, from the predecessors that a search notes.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

/// The path to `last`; `came_from` has the predecessor of each place, and the
/// first place is its own.
pub fn walk_back<P, S>(came_from: &HashMap<P, P, S>, last: P) -> Vec<P>
where
    P: Copy + Eq + Hash,
    S: BuildHasher,
{
    let mut path = vec![last];
    let mut at = last;
    while came_from[&at] != at {
        at = came_from[&at];
        path.push(at);
    }
    path.reverse();
    path
}
