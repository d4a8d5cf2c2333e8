//! Sets of locks, numbered.

use std::sync::RwLock;

use rustc_hash::FxHashMap;

/// All touches so far: none.
pub const ANY: u32 = 0;
/// No common lock.
pub const NONE: u32 = 1;

/// Sorted.
type Locks = Box<[u64]>;

/// Every set that came up, by number, and the numbers by set.
pub struct LockSets {
    sets: RwLock<(Vec<Locks>, FxHashMap<Locks, u32>)>,
}

impl LockSets {
    pub fn new() -> LockSets {
        let nothing = Locks::default();
        let numbers = FxHashMap::from_iter([(nothing.clone(), NONE)]);
        LockSets { sets: RwLock::new((vec![nothing.clone(), nothing], numbers)) }
    }

    /// The set of those of `number` that are in `held`.
    pub fn common(&self, number: u32, held: impl Fn(u64) -> bool) -> u32 {
        if number == NONE {
            return NONE;
        }
        let kept: Vec<u64> = {
            let sets = self.sets.read().expect("nobody panics while holding it");
            let set = &sets.0[number as usize];
            if set.iter().all(|&lock| held(lock)) {
                return number;
            }
            set.iter().copied().filter(|&lock| held(lock)).collect()
        };
        self.number(kept)
    }

    /// The number of a set.
    pub fn number(&self, mut locks: Vec<u64>) -> u32 {
        locks.sort_unstable();
        locks.dedup();
        if locks.is_empty() {
            return NONE;
        }
        let mut sets = self.sets.write().expect("nobody panics while holding it");
        let (sets, numbers) = &mut *sets;
        let key: Locks = locks.into();
        *numbers.entry(key).or_insert_with_key(|key| {
            sets.push(key.clone());
            sets.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_held_stays() {
        let sets = LockSets::new();
        let both = sets.number(vec![8, 4]);
        assert_eq!(sets.number(vec![4, 8, 4]), both);
        assert_eq!(sets.common(both, |_| true), both);
        let one = sets.common(both, |lock| lock == 8);
        assert_eq!(one, sets.number(vec![8]));
        assert_eq!(sets.common(one, |lock| lock == 4), NONE);
        assert_eq!(sets.common(NONE, |_| true), NONE);
    }
}
