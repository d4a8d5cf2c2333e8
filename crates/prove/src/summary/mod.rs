//! What one round of a cycle does to any configuration in which it can run:
//! new values as terms over old ones, and the conditions for taking the same
//! way again.
//!
//! Everything that is the same number before every round is found first and
//! put in as that number. It is guessed from the first round; what the terms
//! do not confirm is taken back, until all is confirmed.

mod bags;
mod builder;
mod terms;

use std::collections::{BTreeMap, BTreeSet};

use exeunt_smt::{Assignment, Formula, Ranges, Term, Var};

use crate::config::Config;
use crate::domain::Integers;
use crate::lasso::{Lasso, Round};
use crate::progression::{Guesses, Progression};
use crate::run::Source;
use crate::stop::Stop;
use crate::words::Flow;
use builder::Builder;

/// A number that belongs to a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Place {
    Global(usize),
    Local(u32, usize),
    /// Channel, place of the message, field: of a channel that keeps its
    /// length.
    Field(usize, usize, usize),
    /// Of a channel that grows.
    Length(usize),
}

impl Place {
    pub fn value(self, config: &Config<i64>) -> i64 {
        match self {
            Place::Global(slot) => config.globals[slot],
            Place::Local(pid, slot) => config.processes[pid as usize].locals[slot],
            Place::Field(channel, slot, field) => config.channels[channel].messages[slot][field],
            Place::Length(channel) => config.channels[channel].messages.len() as i64,
        }
    }
}

/// The messages of a channel that grows which meet the same receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Class {
    pub channel: usize,
    pub class: usize,
}

/// What is known of the messages of a class before any proof.
#[derive(Clone, Debug)]
pub(crate) struct Messages {
    /// A number where the field always is that number; otherwise the variable
    /// that stands for the field of any message of the class.
    pub fields: Vec<Result<i64, Var>>,
    /// The messages of the class that lie in the channel before the first
    /// round.
    pub at_first: Vec<Vec<i64>>,
    /// The messages that one round adds to the class.
    pub sent: Vec<Vec<Term>>,
    /// The messages that one round looks at, by variables of their own.
    pub seen: Vec<Vec<Term>>,
    /// Fields that go on in steps, from message to message.
    pub progressions: Vec<Progression>,
}

#[derive(Clone, Debug)]
pub(crate) struct Summary {
    /// What always is the same number.
    pub fixed: BTreeMap<Place, i64>,
    /// The other numbers.
    pub vars: BTreeMap<Place, Var>,
    /// Their values before the first round.
    pub now: Assignment,
    /// Their values after a round.
    pub after: BTreeMap<Var, Term>,
    pub conditions: Vec<Formula>,
    pub ranges: Ranges,
    pub flows: Vec<Flow>,
    pub classes: BTreeMap<Class, Messages>,
    pub bags: Bags,
}

/// The growing channels that are told by what lies in them, with the messages of which each round leaves more.
pub(crate) type Bags = BTreeMap<usize, Vec<Vec<i64>>>;

/// How growing channels are described.
#[derive(Clone, Copy)]
pub(crate) enum Description<'g> {
    /// By the classes of their places, with guesses what fields are.
    Places(&'g Guesses),
    /// By what lies in them.
    Contents,
}

impl Summary {
    /// Spells rests out where that helps solvers.
    fn unfold(&mut self) {
        let ranges = &self.ranges;
        self.after.values_mut().for_each(|term| *term = term.unfolded(ranges));
        self.conditions = self.conditions.iter().map(|part| part.unfolded(ranges)).collect();
        let sent = self.classes.values_mut().flat_map(|messages| &mut messages.sent).flatten();
        sent.for_each(|term| *term = term.unfolded(ranges));
    }

    /// The variables that the conditions depend on, now or in later rounds.
    pub fn cone(&self) -> BTreeSet<Var> {
        let mut cone = BTreeSet::new();
        self.conditions.iter().for_each(|condition| condition.collect_vars(&mut cone));
        loop {
            let known = cone.len();
            for var in cone.clone() {
                if let Some(term) = self.after.get(&var) {
                    term.collect_vars(&mut cone);
                }
            }
            for messages in self.classes.values() {
                for (field, own) in messages.fields.iter().enumerate() {
                    let looked_at = messages
                        .seen
                        .iter()
                        .any(|seen| seen[field].as_var().is_some_and(|var| cone.contains(&var)));
                    if looked_at && own.is_err() {
                        messages.sent.iter().for_each(|sent| sent[field].collect_vars(&mut cone));
                    }
                }
            }
            if cone.len() == known {
                return cone;
            }
        }
    }
}

pub(crate) fn summarise(
    source: Source<'_>,
    integers: Integers,
    lasso: &Lasso,
    round: &Round,
    description: Description<'_>,
) -> Result<Summary, Stop> {
    let mut builder = Builder::new(source, integers, lasso, round, description)?;
    loop {
        let (summary, wrong) = builder.run()?;
        if wrong.places.is_empty() && wrong.fields.is_empty() {
            return Ok(summary);
        }
        builder.take_back(&wrong);
    }
}
