//! Channels that grow: what their messages are like, before any round.

use std::collections::{BTreeMap, VecDeque};

use exeunt_promela::code::Width;
use exeunt_smt::{Assignment, Formula, Int, Term};

use super::reading::{formula, term};
use super::{Checker, Wrong};
use crate::world::World;
use crate::{Class, Fact, GrowingChannel, Name, Progression, arithmetic};

impl<'p> Checker<'_, 'p> {
    /// A growing channel: its length is a variable, and each message that the
    /// round can see is any message of its class.
    pub(super) fn any_growing(
        &mut self,
        growing: &GrowingChannel,
        widths: &[Width],
        world: &mut World<'p>,
    ) -> Result<(), Wrong> {
        let channel = growing.channel;
        let count = growing.classes.len();
        let divides = |number: usize| count > 0 && number.is_multiple_of(count);
        if !divides(growing.takes) || !divides(growing.adds) || growing.adds <= growing.takes {
            return Err(Wrong::new(format!("`{}` does not grow like that", growing.name)));
        }
        let known = &self.start.pipes[channel].queue;
        let shape = |class: &Class| {
            let mut rows = class.progressions.iter();
            let fits = |row: &Progression| row.field < widths.len() && (1..=32).contains(&row.bits);
            class.fields.len() == widths.len() && rows.all(fits)
        };
        if known.len() != growing.length || !growing.classes.iter().all(shape) {
            return Err(Wrong::new(format!("`{}` does not start like that", growing.name)));
        }
        let length = self.fresh(growing.length as Int, None, &mut world.at);
        self.vars.insert(Name::Length(channel), length.as_var().expect("a new variable"));
        let messages: Vec<Vec<Term>> =
            known.iter().chain(&self.first.pipes[channel].sent).cloned().collect();
        let mut front = VecDeque::new();
        for (place, message) in messages.iter().take(growing.takes + 1).enumerate() {
            let class = &growing.classes[place % count];
            let mut fields = Vec::new();
            for (field, value) in message.iter().enumerate() {
                let value = value.as_number().ok_or_else(|| Wrong::new("no number"))?;
                let row = class.progressions.iter().find(|row| row.field == field);
                fields.push(match (class.fields[field], row) {
                    (Some(fixed), _) => Term::number(Int::from(fixed)),
                    (None, Some(row)) => {
                        let number = Term::number((place / count) as Int);
                        self.in_a_row(row, &number)?
                    }
                    (None, None) => self.fresh(value, Some(widths[field]), &mut world.at),
                });
            }
            front.push_back(fields);
        }
        self.looks.insert(channel, front.iter().cloned().collect());
        world.pipes[channel].queue = front;
        world.pipes[channel].endless = Some(length);
        Ok(())
    }

    /// The field of message number `number` of its class, by the names before a
    /// round.
    fn in_a_row(&self, row: &Progression, number: &Term) -> Result<Term, Wrong> {
        let base = term(&row.base, &|name| self.state(name))?;
        let sum = base.plus(&number.times(Int::from(row.step)));
        Ok(self.wrapped(row, &sum))
    }

    fn wrapped(&self, row: &Progression, term: &Term) -> Term {
        let Progression { bits, signed, .. } = *row;
        arithmetic::stored(term, Width { bits, signed }, self.certificate.integers)
    }

    /// The messages at first, and those that the first round sends, go on as
    /// the progressions say.
    pub(super) fn rows_at_first(&mut self, now: &Assignment) -> Result<(), Wrong> {
        for growing in &self.certificate.channels {
            let (channel, count) = (growing.channel, growing.classes.len());
            let queue = self.start.pipes[channel].queue.iter();
            for (place, message) in queue.chain(&self.first.pipes[channel].sent).enumerate() {
                for row in &growing.classes[place % count].progressions {
                    let number = Term::number((place / count) as Int);
                    let expected = self.in_a_row(row, &number)?.value(now);
                    let found = message[row.field].as_number();
                    if expected.is_none() || expected != found {
                        return Err(not_in_a_row(growing));
                    }
                    self.proven += 1;
                }
            }
        }
        Ok(())
    }

    /// A round moves all messages up and goes on behind the last one.
    pub(super) fn rows_again(
        &mut self,
        assumed: &[Formula],
        after: &BTreeMap<Name, Term>,
        world: &World<'_>,
    ) -> Result<(), Wrong> {
        for growing in &self.certificate.channels {
            let count = growing.classes.len() as Int;
            let length = Term::var(self.vars[&Name::Length(growing.channel)]);
            // Every round adds a multiple of the number of classes.
            let rest = length.add(-(growing.length as Int)).remainder(count);
            let assumed = [assumed, &[Formula::zero(rest)]].concat();
            let wrong = not_in_a_row(growing).reason;
            for row in growing.classes.iter().flat_map(|class| &class.progressions) {
                let goal = self.moved_up(row, growing, after)?;
                self.prove(&assumed, goal, &wrong)?;
            }
            for (index, message) in world.pipes[growing.channel].sent.iter().enumerate() {
                let class = (growing.length + index) % growing.classes.len();
                let number = length.add(index as Int - class as Int).quotient(count);
                for row in &growing.classes[class].progressions {
                    let expected = self.in_a_row(row, &number)?;
                    let goal = Formula::equal(&message[row.field], &expected);
                    self.prove(&assumed, goal, &wrong)?;
                }
            }
        }
        Ok(())
    }

    /// A fact about the message at a place, as far as it may be assumed. A
    /// message that the round itself sends is no more than its class, so it can
    /// be any such message; but where its fields are said by the state, to
    /// assume facts about it would be to assume them about the state.
    pub(super) fn if_known(
        &self,
        growing: &GrowingChannel,
        place: usize,
        fact: Formula,
    ) -> Formula {
        let class = &growing.classes[place % growing.classes.len()];
        if class.progressions.is_empty() {
            return fact;
        }
        let length = Term::var(self.vars[&Name::Length(growing.channel)]);
        Formula::at_least(&Term::number(place as Int), &length).either(fact)
    }

    fn moved_up(
        &self,
        row: &Progression,
        growing: &GrowingChannel,
        after: &BTreeMap<Name, Term>,
    ) -> Result<Formula, Wrong> {
        let taken = Term::number((growing.takes / growing.classes.len()) as Int);
        let expected = self.in_a_row(row, &taken)?;
        let base = term(&row.base, &|name| after.get(name).cloned())?;
        Ok(Formula::equal(&self.wrapped(row, &base), &expected))
    }

    /// That a message is one of its class.
    pub(super) fn fits_class(
        &mut self,
        assumed: &[Formula],
        class: &Class,
        message: &[Term],
        name: &str,
    ) -> Result<(), Wrong> {
        let wrong = format!("a message in `{name}` need not be of its class");
        for (fixed, field) in class.fields.iter().zip(message) {
            if let Some(fixed) = fixed {
                let goal = Formula::equal(field, &Term::number(Int::from(*fixed)));
                self.prove(assumed, goal, &wrong)?;
            }
        }
        for fact in &class.facts {
            self.prove(assumed, message_fact(fact, message)?, &wrong)?;
        }
        Ok(())
    }

    /// The messages that a round adds are of the classes of their places.
    pub(super) fn messages_again(
        &mut self,
        assumed: &[Formula],
        world: &World<'_>,
    ) -> Result<(), Wrong> {
        for growing in &self.certificate.channels {
            for (index, message) in world.pipes[growing.channel].sent.iter().enumerate() {
                let place = (growing.length + index) % growing.classes.len();
                self.fits_class(assumed, &growing.classes[place], message, &growing.name)?;
            }
        }
        Ok(())
    }
}

fn not_in_a_row(growing: &GrowingChannel) -> Wrong {
    Wrong::new(format!("the messages in `{}` need not go on in steps", growing.name))
}

/// A fact about one message.
pub(super) fn message_fact(fact: &Fact, message: &[Term]) -> Result<Formula, Wrong> {
    formula(&fact.formula, &|name| match name {
        Name::Field(field) => message.get(*field).cloned(),
        _ => None,
    })
}
