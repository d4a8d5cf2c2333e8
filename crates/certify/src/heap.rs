//! Growing channels of which it is known what lies in them, but not how much of it: in later rounds there may be more
//! of some messages than in the first one.
//!
//! What a receive takes must not depend on how many there are. In a channel that only sorted sends fill, where messages lie
//! follows from what they are; in any other one, a receive from the front is refused.

use exeunt_promela::code::Receive;
use exeunt_smt::{Int, Term};

use crate::check::Wrong;
use crate::world::{Pipe, World};

impl World<'_> {
    pub(crate) fn put_on_heap(
        &mut self,
        pipe: usize,
        message: &[Term],
        sorted: bool,
    ) -> Result<(), Wrong> {
        let own = self.pinned(message)?;
        let lying = numbers(&self.pipes[pipe])?;
        let place = match sorted {
            true => lying.iter().position(|other| *other >= own).unwrap_or(lying.len()),
            false => lying.len(),
        };
        let pipe = &mut self.pipes[pipe];
        pipe.queue.insert(place, own.into_iter().map(Term::number).collect());
        if let Some(heap) = &mut pipe.bag {
            heap.sorted |= sorted;
            heap.appended |= !sorted;
        }
        Ok(())
    }

    /// The place of the message that a receive takes from a heap.
    pub(crate) fn wanted_from_heap(
        &mut self,
        receive: &Receive,
        pipe: usize,
        pid: u32,
    ) -> Result<Option<usize>, Wrong> {
        let unclear = || Wrong::step("a receive may take another message in later rounds");
        let lying = numbers(&self.pipes[pipe])?;
        let Some(heap) = &mut self.pipes[pipe].bag else { return Err(unclear()) };
        heap.front |= !receive.random;
        let more = heap.grows.clone();
        let fits = |world: &mut Self, message: &[Int]| -> Result<bool, Wrong> {
            let terms: Vec<Term> = message.iter().map(|field| Term::number(*field)).collect();
            world.matches(receive, &terms, pid)
        };
        if !receive.random {
            let front = lying.first().ok_or_else(unclear)?;
            if more.iter().any(|other| other < front) {
                return Err(unclear());
            }
            return Ok(fits(self, front)?.then_some(0));
        }
        // A message that there may be more of can lie anywhere: if it fits, nothing else may.
        let mut found: Option<usize> = None;
        let mut others_fit = false;
        for (place, message) in lying.iter().enumerate() {
            if fits(self, message)? {
                others_fit |= found.is_some_and(|first| lying[first] != *message);
                found.get_or_insert(place);
            }
        }
        let taken = found.map(|place| &lying[place]);
        for message in &more {
            let is_taken = taken == Some(message);
            if (is_taken && others_fit) || (!is_taken && fits(self, message)?) {
                return Err(unclear());
            }
        }
        Ok(found)
    }
}

/// What lies in a heap.
pub(crate) fn numbers(pipe: &Pipe) -> Result<Vec<Vec<Int>>, Wrong> {
    let number = |field: &Term| field.as_number();
    let message = |message: &Vec<Term>| message.iter().map(number).collect::<Option<Vec<Int>>>();
    let all: Option<Vec<Vec<Int>>> = pipe.queue.iter().map(message).collect();
    all.ok_or_else(|| Wrong::new("a message is no number"))
}
