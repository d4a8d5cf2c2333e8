//! From which states the environment can keep the whole program from ending, by
//! removing the others backwards over the stored transitions, as `stuck/fixpoint.rs` does.
//!
//! Whatever can keep a section open can keep the program from ending. So where no state is left, no
//! section is stuck, and most searches end here.

use std::collections::HashMap;

use super::explore::{Hand, Lost};
use super::part::{Kind, Number, OUT, REMOVED};
use super::post::Turn;
use super::wire::{Reader, put};
use crate::stuck::all_answered;

/// Transitions that lead out, of the states in which the environment chooses.
pub type Dead = HashMap<Number, Vec<u16>>;

/// What was removed and is not told to its predecessors yet.
struct Removal<'r, 'h, 'm> {
    hand: &'r mut Hand<'h, 'm>,
    removed: Vec<Number>,
    dead: Dead,
    letters: Vec<Vec<u8>>,
}

/// How many removals are told before letters are looked at.
const BATCH: usize = 4096;
const LONG: usize = 1 << 15;

/// Marks the states that are in no stuck set of the program as removed.
pub fn remove(hand: &mut Hand<'_, '_>) -> Result<Dead, Lost> {
    let peers = hand.post.peers();
    let letters = vec![Vec::new(); peers];
    let mut removal = Removal { hand, removed: Vec::new(), dead: Dead::new(), letters };
    removal.begin();
    removal.run()?;
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

    fn run(&mut self) -> Result<(), Lost> {
        self.hand.post.begin();
        loop {
            while let Some((_, letter)) = self.hand.post.receive() {
                let mut letter = Reader(&letter);
                while !letter.is_empty() {
                    let (number, code) = (letter.take() as Number, letter.take());
                    self.leads_out(number, code.checked_sub(1).map(|place| place as u16));
                }
            }
            for _ in 0..BATCH {
                let Some(number) = self.removed.pop() else { break };
                self.tell_predecessors(number);
            }
            let idle = self.removed.is_empty();
            for (to, letter) in self.letters.iter_mut().enumerate() {
                if letter.len() >= LONG || (idle && !letter.is_empty()) {
                    self.hand.post.send(to, std::mem::take(letter));
                }
            }
            match self.hand.post.turn(idle) {
                Turn::Going => {}
                Turn::Over => return Ok(()),
                Turn::Lost { process } => return Err(Lost { process }),
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

    /// A transition of this state leads to where nothing is stuck: one that cannot be
    /// prevented, or the one at a place.
    fn leads_out(&mut self, number: Number, place: Option<u16>) {
        if self.is_removed(number) {
            return;
        }
        if let Some(place) = place {
            self.dead.entry(number).or_default().push(place);
            if self.stays(number) {
                return;
            }
        }
        self.take_out(number);
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

    fn tell_predecessors(&mut self, number: Number) {
        let me = self.hand.post.index();
        let origins: Vec<_> = self.hand.part.origins(number).collect();
        for origin in origins {
            let place = match origin.kind {
                Kind::Withheld | Kind::Initial => continue,
                Kind::Forced => None,
                Kind::Chosen => Some(origin.place),
            };
            if origin.worker == me {
                self.leads_out(origin.state, place);
                continue;
            }
            let letter = &mut self.letters[origin.worker];
            put(letter, u64::from(origin.state));
            put(letter, place.map_or(0, |place| u64::from(place) + 1));
        }
    }
}
