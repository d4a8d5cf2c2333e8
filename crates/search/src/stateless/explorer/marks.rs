//! States of the present run that a later run may begin with, instead of making
//! all its steps again.
//!
//! The machine keeps memory and threads, this side what the explorer knows there.
//! Both keep a stack: going back to a state drops those behind it.
//!
//! Invariant: the steps up to a mark are the first steps of the present run.

use std::ops::Range;

use exeunt_model::{ActorId, Reply};

use super::super::objects::Objects;
use super::super::order::Order;
use super::{Actor, Explorer, Strategy};

/// Steps between two marks: making this many again costs about as much as
/// keeping a state of few pages.
const DISTANCE: usize = 14;
/// Far from the beginning marks are rarer, so that their number stays small.
const SHARE: usize = 32;
/// Each so many runs one begins at the beginning: what the program does is
/// compared with what it did before.
const GUARD: u64 = 64;

/// What is known before the arrivals of a state are looked at.
struct Mark {
    position: usize,
    objects: Objects,
    actors: Vec<Actor>,
    order: Option<Order>,
    freed: Vec<Range<u64>>,
    reply: Reply,
    yields: bool,
    exiting: Option<ActorId>,
}

#[derive(Default)]
pub(super) struct Marks {
    stack: Vec<Mark>,
    /// Marks to be used again.
    spare: Vec<Mark>,
    runs: u64,
}

impl Explorer {
    /// The machine has lost the states that it kept.
    pub fn forget_marks(&mut self) {
        self.marks.drop_behind(0);
    }

    /// Goes back to the last mark of the run before that is a part of the next
    /// one; gives how many marks are left.
    pub(super) fn resume(&mut self) -> usize {
        self.marks.runs += 1;
        let guards = self.marks.runs % GUARD == 2;
        let most = if guards { 0 } else { self.events.len() };
        while self.marks.stack.last().is_some_and(|mark| mark.position > most) {
            self.marks.drop_behind(self.marks.stack.len() - 1);
        }
        let Some(mark) = self.marks.stack.last() else { return 0 };
        self.objects.clone_from(&mark.objects);
        self.actors.clone_from(&mark.actors);
        self.order.clone_from(&mark.order);
        self.freed.clone_from(&mark.freed);
        (self.position, self.reply) = (mark.position, mark.reply);
        (self.yields, self.exiting) = (mark.yields, mark.exiting);
        self.marks.stack.len()
    }

    /// Whether the present state is worth keeping; then it is marked.
    pub(super) fn mark(&mut self, cost: usize) -> bool {
        let repeats =
            matches!(self.strategy, Strategy::Optimal | Strategy::Sleep | Strategy::Preemptions(_));
        let last = self.marks.stack.last().map_or(0, |mark| mark.position);
        let distance = DISTANCE.max(cost / 2).max(self.position / SHARE);
        if !self.resumes || !repeats || self.script.is_some() || self.position < last + distance {
            return false;
        }
        let position = self.position;
        match self.marks.spare.pop() {
            Some(mut mark) => {
                mark.objects.clone_from(&self.objects);
                mark.actors.clone_from(&self.actors);
                mark.order.clone_from(&self.order);
                mark.freed.clone_from(&self.freed);
                (mark.position, mark.reply) = (position, self.reply);
                (mark.yields, mark.exiting) = (self.yields, self.exiting);
                self.marks.stack.push(mark);
            }
            None => self.marks.stack.push(Mark {
                position,
                objects: self.objects.clone(),
                actors: self.actors.clone(),
                order: self.order.clone(),
                freed: self.freed.clone(),
                reply: self.reply,
                yields: self.yields,
                exiting: self.exiting,
            }),
        }
        true
    }
}

impl Marks {
    fn drop_behind(&mut self, left: usize) {
        self.spare.extend(self.stack.drain(left..));
    }
}
