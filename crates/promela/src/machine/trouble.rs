//! What can go wrong on a step, and how it is told.

use std::sync::Arc;

use exeunt_model::{Fault, Location, Property, Unsupported};

use crate::embedded::Wrong;

/// A fault before it has words.
#[derive(Clone, Debug)]
pub(crate) enum Trouble {
    Assertion(Arc<str>),
    Index {
        array: Arc<str>,
        index: i32,
        length: u32,
    },
    DivisionByZero,
    NoChannel {
        number: i32,
    },
    Fields {
        wanted: usize,
        given: usize,
    },
    TooManyProcesses,
    TooManyChannels,
    Priority(i32),
    PollRendezvous,
    BlockedInDStep,
    EndlessDStep,
    RendezvousInDStep,
    NotDeterministic,
    CircularEnabled,
    TraceBroken {
        receive: bool,
    },
    NotraceDone,
    Exclusive {
        receive: bool,
        channel: Arc<str>,
        owner: u32,
        user: u32,
    },
    /// What must hold before C code does not.
    Precondition(Arc<str>),
    /// C code went wrong.
    Code(Box<Fault>),
    /// Something that we cannot execute.
    Limit(Unsupported),
}

/// What becomes of trouble.
pub(crate) enum Outcome {
    Fault(Fault),
    Limit(Unsupported),
}

impl From<Wrong> for Trouble {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Fault(fault) => Trouble::Code(fault),
            Wrong::Unsupported(limit) => Trouble::Limit(limit),
        }
    }
}

impl Trouble {
    /// A fault of the model, or a limit of ours.
    pub fn outcome(&self, location: &Location) -> Outcome {
        match self {
            Trouble::Limit(limit) => {
                let location = limit.location.clone().or_else(|| Some(location.clone()));
                Outcome::Limit(Unsupported { location, ..limit.clone() })
            }
            other => Outcome::Fault(other.fault(location.clone())),
        }
    }

    /// In words; C code that went wrong knows the place better.
    pub fn fault(&self, location: Location) -> Fault {
        let mut fault = self.in_words();
        let own = fault.location.take().map(|own| match own.function.is_empty() {
            true => Location { function: location.function.clone(), ..own },
            false => own,
        });
        fault.location = Some(own.unwrap_or(location));
        fault
    }

    fn in_words(&self) -> Fault {
        match self {
            Trouble::Assertion(text) => {
                Fault::new(Property::Assertion, format!("assertion `{text}` does not hold"))
            }
            Trouble::Precondition(text) => {
                let message = format!("`{text}`, which must hold before this C code, does not");
                Fault::new(Property::Assertion, message)
            }
            Trouble::Code(fault) => (**fault).clone(),
            // Asked for a fault where no limit can be told: who asks does not conclude anything.
            Trouble::Limit(limit) => Fault::new(Property::Misuse, limit.to_string()),
            Trouble::Index { array, index, length } => {
                let message =
                    format!("index {index} of array `{array}`, which has {length} elements");
                Fault::new(Property::Memory, message)
                    .help(format!("indices of `{array}` run from 0 to {}", length - 1))
            }
            Trouble::DivisionByZero => Fault::new(Property::Undefined, "division by zero"),
            Trouble::NoChannel { number: 0 } => {
                Fault::new(Property::Misuse, "a channel variable is used that names no channel")
                    .help("initialise it with `= [n] of { … }` or assign a channel to it first")
            }
            Trouble::NoChannel { number } => {
                Fault::new(Property::Misuse, format!("there is no channel number {number}"))
                    .help("a channel that a process declares is gone when that process has ended")
            }
            Trouble::Fields { wanted, given } => {
                let message = format!("the channel's messages have {wanted} fields, not {given}");
                Fault::new(Property::Misuse, message)
            }
            Trouble::TooManyProcesses => {
                Fault::new(Property::Misuse, "more than 255 processes are running")
            }
            Trouble::TooManyChannels => {
                Fault::new(Property::Misuse, "more than 255 channels exist")
                    .help("processes that wait or end late keep their channels")
            }
            Trouble::Priority(number) => {
                let message = format!("priority {number} is not between 1 and 255");
                Fault::new(Property::Misuse, message)
            }
            Trouble::PollRendezvous => {
                Fault::new(Property::Misuse, "a rendezvous channel is polled")
                    .help("a rendezvous channel never holds a message that could be seen")
            }
            Trouble::BlockedInDStep => {
                Fault::new(Property::Misuse, "a statement inside a d_step cannot be executed")
                    .help("only the first statement of a d_step may wait; use `atomic`")
            }
            Trouble::EndlessDStep => Fault::new(Property::Termination, "this d_step never ends"),
            Trouble::RendezvousInDStep => {
                Fault::new(Property::Misuse, "a rendezvous send inside a d_step")
                    .help("use `atomic`: the receiver has to move in the middle")
            }
            Trouble::NotDeterministic => {
                Fault::new(Property::Misuse, "two statements of a D_proctype can be executed")
                    .help("declare it as `proctype` if the choice is intended")
            }
            Trouble::CircularEnabled => {
                Fault::new(Property::Misuse, "processes ask in a circle whether they are enabled")
                    .help("`enabled(p)` must not depend on itself")
            }
            Trouble::TraceBroken { receive } => {
                let what = if *receive { "receive" } else { "send" };
                Fault::new(Property::Assertion, format!("this {what} does not follow the trace"))
                    .help("the model\'s `trace` allows another order of messages only")
            }
            Trouble::NotraceDone => Fault::new(
                Property::Assertion,
                "the order of messages that `notrace` forbids happens",
            ),
            Trouble::Exclusive { receive, channel, owner, user } => {
                let (what, claim) =
                    if *receive { ("receives from", "xr") } else { ("sends to", "xs") };
                let message = format!(
                    "process {user} {what} `{channel}`, which process {owner} has claimed with `{claim}`"
                );
                Fault::new(Property::Misuse, message)
            }
        }
    }
}
