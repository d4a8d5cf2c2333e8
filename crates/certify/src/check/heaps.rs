//! Channels that grow, by what lies in them.

use exeunt_smt::Int;

use super::{Checker, Wrong};
use crate::heap::numbers;
use crate::world::{Heap, World};
use crate::{Bag, Name};

impl<'p> Checker<'_, 'p> {
    pub(super) fn heap(&self, channel: usize) -> Option<&Bag> {
        self.certificate.bags.iter().find(|bag| bag.channel == channel)
    }

    /// Every heap is a channel with room for messages, and is named once.
    pub(super) fn heaps_exist(&self) -> Result<(), Wrong> {
        let all = &self.certificate.bags;
        for (index, bag) in all.iter().enumerate() {
            let twice = all[..index].iter().any(|other| other.channel == bag.channel);
            let exists = bag.channel < self.start.pipes.len();
            if twice || !exists || self.start.is_handshake(bag.channel) || bag.adds <= bag.takes {
                return Err(Wrong::new(format!("`{}` does not grow like that", bag.name)));
            }
        }
        Ok(())
    }

    /// Before a round it holds what it holds before the first one, and perhaps more of what grows.
    pub(super) fn any_heap(&mut self, bag: &Bag, world: &mut World<'p>) -> Result<(), Wrong> {
        let channel = bag.channel;
        let known = numbers(&self.start.pipes[channel])?;
        if known.len() != bag.length {
            return Err(Wrong::new(format!("`{}` does not start like that", bag.name)));
        }
        let length = self.fresh(bag.length as Int, None, &mut world.at);
        self.vars.insert(Name::Length(channel), length.as_var().expect("a new variable"));
        let wide = |message: &Vec<i64>| message.iter().map(|field| Int::from(*field)).collect();
        let pipe = &mut world.pipes[channel];
        pipe.endless = Some(length);
        pipe.bag = Some(Heap { grows: bag.grows.iter().map(wide).collect(), ..Heap::default() });
        Ok(())
    }

    /// Behind the round there is more of what grows, and the same of everything else, in the same order. Where the
    /// order matters to what the round did, the channel is sorted and stays so.
    pub(super) fn heaps_again(&mut self, world: &World<'_>) -> Result<(), Wrong> {
        for bag in &self.certificate.bags {
            let wrong = |what: &str| Wrong::new(format!("`{}` {what}", bag.name));
            let before = numbers(&self.start.pipes[bag.channel])?;
            let pipe = &world.pipes[bag.channel];
            let after = numbers(pipe)?;
            let heap = pipe.bag.as_ref().ok_or_else(|| wrong("is gone"))?;
            let count = |all: &[Vec<Int>], kind: &Vec<Int>| {
                all.iter().filter(|message| *message == kind).count()
            };
            if heap.grows.iter().any(|kind| count(&after, kind) < count(&before, kind)) {
                return Err(wrong("holds less of a message after the round"));
            }
            let rest = |all: &[Vec<Int>]| -> Vec<Vec<Int>> {
                all.iter().filter(|message| !heap.grows.contains(message)).cloned().collect()
            };
            if rest(&before) != rest(&after) {
                return Err(wrong("holds other messages after the round"));
            }
            if (heap.sorted || heap.front) && (heap.appended || !before.is_sorted()) {
                return Err(wrong("need not be sorted"));
            }
            self.proven += 1;
        }
        Ok(())
    }
}
