//! From where a search came to.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

/// The way to `last`, along where each place was come to from; the first one
/// is come to from itself.
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
