//! From which states the environment can keep the whole program from ending, by
//! removing the others backwards over the stored transitions, as `stuck/fixpoint.rs` does.
//!
//! Whatever can keep a section open can keep the program from ending. So where no state is left, no
//! section is stuck, and most searches end here.

use std::collections::HashMap;

use super::backward::{self, Losing};
use super::explore::{Hand, Lost};
use super::part::{Number, OUT, REMOVED};
use super::wire::Reader;
use crate::stuck::all_answered;

/// Transitions that lead out, of the states in which the environment chooses.
pub type Dead = HashMap<Number, Vec<u16>>;

/// What was removed and is not told to its predecessors yet.
struct Removal<'r, 'h, 'm> {
    hand: &'r mut Hand<'h, 'm>,
    removed: Vec<Number>,
    dead: Dead,
}

/// Marks the states that are in no stuck set of the program as removed.
pub fn remove(hand: &mut Hand<'_, '_>) -> Result<Dead, Lost> {
    let mut removal = Removal { hand, removed: Vec::new(), dead: Dead::new() };
    removal.begin();
    backward::run(&mut removal)?;
    Ok(removal.dead)
}

impl Removal<'_, '_, '_> {
    /// Removes what is in no stuck set by itself.
    fn begin(&mut self) {
        for number in 0..self.hand.part.len() {
            let out = self.hand.part.flags[number as usize] & OUT != 0;
            if out || !self.stays(number) {
                self.take_out(number);
            }
        }
    }

    fn is_removed(&self, number: Number) -> bool {
        self.hand.part.flags[number as usize] & REMOVED != 0
    }

    fn take_out(&mut self, number: Number) {
        if !self.is_removed(number) {
            self.hand.part.flags[number as usize] |= REMOVED;
            self.removed.push(number);
        }
    }

    /// Whether the environment still has an answer to every step.
    fn stays(&self, number: Number) -> bool {
        let Some(labels) = self.hand.part.shape(number) else { return true };
        let dead = self.dead.get(&number);
        let nowhere = self.hand.part.nowhere(number);
        let keeps = |at: usize| {
            let place = at as u16;
            !nowhere.contains(&place) && dead.is_none_or(|dead| !dead.contains(&place))
        };
        all_answered(labels.len(), &|at| labels[at], &keeps)
    }
}

impl<'h, 'm> Losing<'h, 'm> for Removal<'_, 'h, 'm> {
    /// That it is removed.
    type News = ();

    fn hand(&mut self) -> &mut Hand<'h, 'm> {
        self.hand
    }

    fn next(&mut self) -> Option<Number> {
        self.removed.pop()
    }

    fn is_idle(&self) -> bool {
        self.removed.is_empty()
    }

    fn news(&self, _: Number) {}

    fn write(&mut self, (): (), _: usize, _: &mut Vec<u8>) {}

    fn read(&mut self, _: usize, _: &mut Reader<'_>) {}

    fn hear(&mut self, state: Number, place: Option<u16>, (): ()) {
        if self.is_removed(state) {
            return;
        }
        if let Some(place) = place {
            self.dead.entry(state).or_default().push(place);
            if self.stays(state) {
                return;
            }
        }
        self.take_out(state);
    }
}
