//! Growing channels by what lies in them.

use crate::config::{Channel, Config};
use crate::stop::Stop;
use crate::symbolic::Symbol;

/// The messages of a channel that a round leaves more of.
pub(super) fn grown(before: &Channel<i64>, after: &Channel<i64>) -> Result<Vec<Vec<i64>>, Stop> {
    let count = |channel: &Channel<i64>, kind: &[i64]| {
        channel.messages.iter().filter(|message| ***message == *kind).count()
    };
    let mut grows: Vec<Vec<i64>> = Vec::new();
    for message in after.messages.iter().chain(&before.messages) {
        let (old, new) = (count(before, message), count(after, message));
        if old > new {
            return Err(Stop::unknown("a channel that grows holds less and less of a message"));
        }
        if old < new && !grows.contains(&message.to_vec()) {
            grows.push(message.to_vec());
        }
    }
    let rest = |channel: &Channel<i64>| -> Vec<Vec<i64>> {
        let all = channel.messages.iter().map(|message| message.to_vec());
        all.filter(|message| !grows.contains(message)).collect()
    };
    match rest(before) == rest(after) {
        true => Ok(grows),
        false => Err(Stop::unknown("the messages in a channel that grows change their order")),
    }
}

/// Whether the order in which channels were used is one that their contents determine.
pub(super) fn confirm_order(start: &Config<i64>, end: &Config<Symbol>) -> Result<(), Stop> {
    for (before, after) in start.channels.iter().zip(&end.channels) {
        let Some(bag) = &after.bag else { continue };
        let sorted = before.messages.iter().is_sorted();
        if bag.ordered && (bag.plain || !sorted) {
            return Err(Stop::unknown("a channel that grows is not always sorted"));
        }
    }
    Ok(())
}
