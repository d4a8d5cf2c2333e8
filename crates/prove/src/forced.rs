//! Runs without a choice. Where a configuration has one step only, and so has each one behind it,
//! up to one in which nothing can move, there is one run and it ends. Following it needs no
//! storage, so it can be long: a `short` that counts until it wraps around makes a hundred
//! thousand configurations, each with a longer channel than the one before.

use std::sync::atomic::{AtomicBool, Ordering};

use exeunt_promela::code::Message;

use crate::concrete::Concrete;
use crate::config::Config;
use crate::run::{Machine, Source};

/// Steps after which a run is given up: as many as a `short` that wraps around needs where each
/// round has four steps.
const MOST: u64 = 1 << 17;
/// The same where a step looks through a channel, which takes time like its length.
const MOST_SEARCHING: u64 = 1 << 11;

/// Where following a run has led.
pub(crate) enum Followed {
    /// It ends after so many steps, in this configuration.
    Ends { steps: u64, last: Config<i64> },
    /// There is a choice, a fault, or something that is not known.
    Branches,
    /// It is longer than we follow.
    Long,
}

/// Follows the one run from a configuration.
pub(crate) fn follow(source: Source<'_>, start: &Config<i64>, interrupt: &AtomicBool) -> Followed {
    let mut machine = Machine::new(source, Concrete::search(), start.clone());
    let most = if searches(source) { MOST_SEARCHING } else { MOST };
    for steps in 0..most {
        if interrupt.load(Ordering::Relaxed) {
            return Followed::Long;
        }
        let Ok(possible) = machine.steps() else { return Followed::Branches };
        match possible.as_slice() {
            [] => return Followed::Ends { steps, last: machine.config },
            [step] => {
                let step = *step;
                if machine.take_step(&step).is_err() {
                    return Followed::Branches;
                }
            }
            [..] => return Followed::Branches,
        }
    }
    Followed::Long
}

/// Whether some statement looks for a place in a channel.
pub(crate) fn searches(source: Source<'_>) -> bool {
    let states = source.program.procs.iter().flat_map(|proc| &proc.states);
    let transitions = states.flat_map(|state| &state.transitions);
    transitions.flat_map(|transition| transition.action.messages()).any(|message| match message {
        Message::Send(send) => send.sorted,
        Message::Receive(receive) => receive.random,
    })
}
