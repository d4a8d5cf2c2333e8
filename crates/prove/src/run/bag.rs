//! Growing channels by what lies in them: with sorted sends and random receives, where a message lies
//! says little, and how many there are says enough.
//!
//! Invariant: in any round, at the same step, the channel holds the messages that it holds in the first one, those that do not
//! grow in number in the same order, and perhaps more of those that do. Where something is sorted into it or looked
//! for at its front, all of it is sorted. What a receive finds has to be the same in all such channels.

use std::collections::BTreeSet;

use exeunt_promela::code::Receive;

use crate::domain::Domain;
use crate::stop::Stop;

use super::Machine;

impl<D: Domain> Machine<'_, D> {
    pub(super) fn put_into_bag(
        &mut self,
        channel: u32,
        message: &[D::Value],
        sorted: bool,
    ) -> Result<(), Stop> {
        let numbers: Vec<i64> = message.iter().map(|value| self.domain.fix(value)).collect();
        let message: Vec<D::Value> =
            numbers.into_iter().map(|value| self.domain.number(value)).collect();
        let place = match sorted {
            true => self.sorted_place(channel, &message)?,
            false => self.config.channels[channel as usize].messages.len(),
        };
        self.lengthen(channel, 1);
        let own = &mut self.config.channels[channel as usize];
        own.messages.insert(place, message.into());
        if let Some(bag) = &mut own.bag {
            bag.ordered |= sorted;
            bag.plain |= !sorted;
        }
        Ok(())
    }

    /// Which message a receive takes, if it takes the same in every such channel.
    pub(super) fn find_in_bag(
        &mut self,
        channel: u32,
        receive: &Receive,
        pid: u32,
    ) -> Result<Option<usize>, Stop> {
        let own = &mut self.config.channels[channel as usize];
        let Some(bag) = &mut own.bag else { return Ok(None) };
        bag.ordered |= !receive.random;
        let grows = bag.grows.clone();
        let messages = own.messages.clone();
        let mut lying: Vec<Vec<i64>> = Vec::new();
        for message in &messages {
            lying.push(message.iter().map(|value| self.domain.fix(value)).collect());
        }
        if !receive.random {
            // More of what grows lies behind this one, or is the same.
            let (front, message) = match (lying.first(), messages.front()) {
                (Some(front), Some(message)) => (front, message),
                _ => return Err(unclear()),
            };
            if grows.iter().any(|other| other < front) {
                return Err(unclear());
            }
            return Ok(self.asks_for(receive, message, pid)?.then_some(0));
        }
        let mut fitting = BTreeSet::new();
        for kind in lying.iter().chain(&grows).cloned().collect::<BTreeSet<_>>() {
            let message: Vec<D::Value> =
                kind.iter().map(|value| self.domain.number(*value)).collect();
            if self.asks_for(receive, &message, pid)? {
                fitting.insert(kind);
            }
        }
        let found = lying.iter().position(|message| fitting.contains(message));
        let clear = match found.map(|slot| &lying[slot]) {
            None => fitting.is_empty(),
            Some(taken) if grows.contains(taken) => fitting.len() == 1,
            Some(_) => !grows.iter().any(|other| fitting.contains(other)),
        };
        if clear { Ok(found) } else { Err(unclear()) }
    }
}

fn unclear() -> Stop {
    Stop::unknown("which message is received from a channel that grows is not always the same")
}
