//! What an accepted run must have infinitely often: the marks of the claim,
//! and if the scheduler is fair, for every actor a step of it or a state in
//! which it cannot move. Weak fairness is nothing but further marks, so a
//! component is accepting iff it holds all of them, and nothing is copied.

use std::ops::{BitOr, BitOrAssign};

/// A set of actors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actors([u64; 4]);

impl Actors {
    pub const NONE: Actors = Actors([0; 4]);
    pub const ALL: Actors = Actors([u64::MAX; 4]);

    pub fn insert(&mut self, actor: u8) {
        self.0[usize::from(actor >> 6)] |= 1 << (actor & 63);
    }

    pub fn contains(self, actor: u8) -> bool {
        self.0[usize::from(actor >> 6)] >> (actor & 63) & 1 == 1
    }

    pub fn complement(self) -> Actors {
        Actors(self.0.map(|word| !word))
    }

    pub fn and(self, other: Actors) -> Actors {
        Actors(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |&actor| self.contains(actor))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    pub claim: u64,
    pub actors: Actors,
}

impl Marks {
    pub const NONE: Marks = Marks { claim: 0, actors: Actors::NONE };

    pub fn common(self, other: Marks) -> Marks {
        Marks { claim: self.claim & other.claim, actors: self.actors.and(other.actors) }
    }

    /// Whether everything of `wanted` is there.
    pub fn has(self, wanted: Marks) -> bool {
        self | wanted == self
    }
}

impl BitOr for Marks {
    type Output = Marks;

    fn bitor(mut self, other: Marks) -> Marks {
        self |= other;
        self
    }
}

impl BitOrAssign for Marks {
    fn bitor_assign(&mut self, other: Marks) {
        self.claim |= other.claim;
        for (word, more) in self.actors.0.iter_mut().zip(other.actors.0) {
            *word |= more;
        }
    }
}
