//! Messages that carry numbers in a row: in a growing channel the field of
//! message number q (of its class, from the front) is `base + step * q`, where
//! the base is a variable of the configuration plus a number. So a receiver
//! that expects the next number of a sender can be followed.
//!
//! Here progressions are only guessed, from the first rounds. That a round
//! keeps them is among the conditions of the cycle, and so is proven with
//! them.

use std::collections::BTreeMap;

use exeunt_promela::code::Width;
use exeunt_smt::{Formula, Int, Ranges, Term};

use crate::config::Config;
use crate::domain::Integers;
use crate::lasso::{Lasso, Round};
use crate::layout::Frame;
use crate::run::Source;
use crate::summary::{Class, Place};
use crate::symbolic::{range_of, wrapped};
use crate::words::Flow;

/// What a field is guessed to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guess {
    pub base: Place,
    /// What is added to it.
    pub offset: i64,
    pub step: i64,
    /// The row wraps around in this width: that of the field, or a smaller one
    /// of the base.
    pub width: Width,
}

pub(crate) type Guesses = BTreeMap<(Class, usize), Guess>;

/// A field of the messages of a class, in terms.
#[derive(Clone, Debug)]
pub(crate) struct Progression {
    pub field: usize,
    pub base: Term,
    pub step: i64,
    pub width: Width,
}

impl Progression {
    /// The field of message number `number` of its class.
    pub fn at(&self, number: &Term, integers: Integers, ranges: &Ranges) -> Term {
        let sum = self.base.plus(&number.times(Int::from(self.step)));
        self.fit(sum, integers, ranges)
    }

    fn fit(&self, term: Term, integers: Integers, ranges: &Ranges) -> Term {
        match range_of(self.width, integers) {
            Some(range) => wrapped(range, term, ranges),
            None => term,
        }
    }

    /// That all messages are one round further on, if `after` is the base
    /// then.
    pub fn moves_on(
        &self,
        after: &Term,
        flow: Flow,
        integers: Integers,
        ranges: &Ranges,
    ) -> Formula {
        let taken = Int::from(self.step) * (flow.taken / flow.classes()) as Int;
        let expected = self.fit(self.base.add(taken), integers, ranges);
        Formula::equal(&self.fit(after.clone(), integers, ranges), &expected)
    }

    /// That the send with this number in its round goes on with the row;
    /// `length` is that of the channel before the round.
    pub fn goes_on(
        &self,
        sent: &Term,
        index: usize,
        length: &Term,
        flow: Flow,
        integers: Integers,
        ranges: &Ranges,
    ) -> Formula {
        let class = flow.class_of_send(index) as Int;
        let number = length.add(index as Int - class).quotient(flow.classes() as Int);
        Formula::equal(sent, &self.at(&number, integers, ranges))
    }
}

/// Rounds that guesses are made from.
const ROUNDS: usize = 6;
/// Fewer messages than this say nothing.
const LEAST_MESSAGES: usize = 4;

/// What the fields of messages in growing channels look like.
pub(crate) fn guess(
    source: Source<'_>,
    integers: Integers,
    lasso: &Lasso,
    round: &Round,
) -> Guesses {
    let mut configs: Vec<Config<i64>> = Vec::new();
    let visit = &mut |_, config: &Config<i64>| configs.push(config.clone());
    if lasso.visit_rounds(source, integers, ROUNDS, visit).is_err() {
        return Guesses::new();
    }
    let mut guesses = Guesses::new();
    for channel in 0..lasso.start.channels.len() {
        let flow = round.flow(&lasso.start, channel);
        if !flow.grows() || flow.taken == 0 {
            continue;
        }
        let decl = lasso.start.channels[channel].decl;
        let fields = &source.program.channels[decl.0 as usize].fields;
        for class in 0..flow.classes() {
            for (field, shape) in fields.iter().enumerate() {
                let rows: Vec<Vec<i64>> =
                    configs.iter().map(|config| row(config, channel, flow, class, field)).collect();
                let found = one(source, integers, &configs, &rows, shape.width);
                guesses.extend(found.map(|found| ((Class { channel, class }, field), found)));
            }
        }
    }
    guesses
}

/// The field of the messages of a class, from the front.
fn row(config: &Config<i64>, channel: usize, flow: Flow, class: usize, field: usize) -> Vec<i64> {
    let messages = config.channels[channel].messages.iter().skip(class);
    messages.step_by(flow.classes()).map(|message| message[field]).collect()
}

/// A variable that the rows begin with, round after round.
fn one(
    source: Source<'_>,
    integers: Integers,
    configs: &[Config<i64>],
    rows: &[Vec<i64>],
    width: Width,
) -> Option<Guess> {
    let fit = |width: Width, value: i64| match range_of(width, integers) {
        Some((low, high)) => (Int::from(value) - low).rem_euclid(high - low + 1) + low,
        None => Int::from(value),
    };
    if rows.iter().map(Vec::len).sum::<usize>() < LEAST_MESSAGES {
        return None;
    }
    let step = rows.iter().find_map(|row| Some(row.get(1)? - row.first()?))?;
    let (first, row) = rows.iter().enumerate().find(|(_, row)| !row.is_empty())?;
    let mut candidates = places(source, &configs[0]).into_iter().flat_map(|(base, own)| {
        let narrower = Some(own).filter(|own| own.bits < width.bits);
        std::iter::once(width).chain(narrower).map(move |width| (base, width))
    });
    candidates.find_map(|(base, width)| {
        let offset = row[0] - base.value(&configs[first]);
        let expected = |config: &Config<i64>, number: usize| {
            fit(width, base.value(config) + offset + step * number as i64)
        };
        let mut pairs = configs.iter().zip(rows);
        let fits = pairs.all(|(config, row)| {
            let mut numbered = row.iter().enumerate();
            numbered.all(|(number, own)| Int::from(*own) == expected(config, number))
        });
        fits.then_some(Guess { base, offset, step, width })
    })
}

/// The variables that hold numbers, and their widths.
fn places(source: Source<'_>, config: &Config<i64>) -> Vec<(Place, Width)> {
    let mut all = Vec::new();
    let mut add = |frame: &Frame, place: &dyn Fn(usize) -> Place| {
        let numbers = frame.slots.iter().enumerate().filter(|(_, slot)| !slot.is_chan);
        all.extend(numbers.map(|(at, slot)| (place(at), slot.width)));
    };
    add(&source.layout.globals, &Place::Global);
    for (pid, process) in config.processes.iter().enumerate() {
        let frame = &source.layout.locals[process.proc.0 as usize];
        add(frame, &|slot| Place::Local(pid as u32, slot));
    }
    all
}
