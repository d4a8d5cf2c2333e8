//! Makes a summary: guesses what is fixed, runs a round on terms, and takes
//! back what they do not confirm.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_promela::code::Width;
use exeunt_smt::Int;

use super::bags::{confirm_order, grown};
use super::terms::Symbols;
use super::{Bags, Class, Description, Messages, Place, Summary};
use crate::config::Config;
use crate::domain::Integers;
use crate::lasso::{Lasso, Round};
use crate::progression::Guesses;
use crate::run::{Machine, Source};
use crate::stop::Stop;
use crate::symbolic::{Symbol, Symbolic, range_of};
use crate::words::Flow;

/// Guesses that the terms did not confirm.
#[derive(Default)]
pub(super) struct Wrong {
    pub places: BTreeSet<Place>,
    pub fields: BTreeSet<(Class, usize)>,
}

pub(super) struct Builder<'a> {
    pub source: Source<'a>,
    pub integers: Integers,
    pub lasso: &'a Lasso,
    pub round: &'a Round,
    pub flows: Vec<Flow>,
    pub fixed: BTreeMap<Place, i64>,
    pub fixed_fields: BTreeMap<(Class, usize), i64>,
    /// `None`: growing channels are described by what lies in them.
    pub guesses: Option<&'a Guesses>,
    pub bags: Bags,
}

impl<'a> Builder<'a> {
    pub fn new(
        source: Source<'a>,
        integers: Integers,
        lasso: &'a Lasso,
        round: &'a Round,
        description: Description<'a>,
    ) -> Result<Self, Stop> {
        let channels = 0..lasso.start.channels.len();
        let flows: Vec<Flow> = channels.map(|index| round.flow(&lasso.start, index)).collect();
        for (flow, channel) in flows.iter().zip(&round.end.channels) {
            if flow.added < flow.taken {
                return Err(Stop::NotEnabled);
            }
            if flow.length + flow.added != channel.messages.len() + flow.taken {
                return Err(Stop::unknown("a channel is closed and opened again in the cycle"));
            }
        }
        let (guesses, bags) = match description {
            Description::Places(guesses) => (Some(guesses), Bags::new()),
            Description::Contents => (None, bags(&flows, lasso, round)?),
        };
        let mut builder = Builder {
            source,
            integers,
            lasso,
            round,
            flows,
            fixed: BTreeMap::new(),
            fixed_fields: BTreeMap::new(),
            guesses,
            bags,
        };
        let after: BTreeMap<Place, i64> = builder.numbers(&round.end).into_iter().collect();
        let same = |(place, value): &(Place, i64)| after.get(place) == Some(value);
        builder.fixed = builder.numbers(&lasso.start).into_iter().filter(same).collect();
        builder.fixed_fields = builder.guessed_fields();
        Ok(builder)
    }

    /// All numbers of a configuration, except what lies in growing channels.
    fn numbers(&self, config: &Config<i64>) -> Vec<(Place, i64)> {
        let mut all = Vec::new();
        for (slot, value) in config.globals.iter().enumerate() {
            all.push((Place::Global(slot), *value));
        }
        for (pid, process) in config.processes.iter().enumerate() {
            for (slot, value) in process.locals.iter().enumerate() {
                all.push((Place::Local(pid as u32, slot), *value));
            }
        }
        for (index, channel) in config.channels.iter().enumerate() {
            if self.flows[index].grows() {
                all.push((Place::Length(index), channel.messages.len() as i64));
                continue;
            }
            for (slot, message) in channel.messages.iter().enumerate() {
                for (field, value) in message.iter().enumerate() {
                    all.push((Place::Field(index, slot, field), *value));
                }
            }
        }
        all
    }

    /// The messages of a class that the first round shows.
    fn known(&self, class: Class) -> (Vec<Vec<i64>>, Vec<Vec<i64>>) {
        let flow = self.flows[class.channel];
        let queue = self.lasso.start.channels[class.channel].messages.iter().enumerate();
        let at_first = queue.filter(|(place, _)| flow.class_at(*place) == class.class);
        let sent = self.round.traffic[class.channel].sent.iter().enumerate();
        let sent = sent.filter(|(index, _)| flow.class_of_send(*index) == class.class);
        let at_first = at_first.map(|(_, message)| message.to_vec()).collect();
        (at_first, sent.map(|(_, message)| message.clone()).collect())
    }

    fn classes(&self) -> Vec<Class> {
        let growing = self.flows.iter().enumerate();
        let growing =
            growing.filter(|(index, flow)| flow.grows() && !self.bags.contains_key(index));
        let of = |(channel, flow): (usize, &Flow)| {
            (0..flow.classes()).map(move |class| Class { channel, class })
        };
        growing.flat_map(of).collect()
    }

    pub fn widths(&self, channel: usize) -> Vec<Width> {
        let decl = self.lasso.start.channels[channel].decl;
        let fields = &self.source.program.channels[decl.0 as usize].fields;
        fields.iter().map(|field| field.width).collect()
    }

    fn guessed_fields(&self) -> BTreeMap<(Class, usize), i64> {
        let mut guesses = BTreeMap::new();
        for class in self.classes() {
            let (at_first, sent) = self.known(class);
            for field in 0..self.widths(class.channel).len() {
                let mut values = at_first.iter().chain(&sent).map(|message| message[field]);
                if let Some(first) = values.next()
                    && values.all(|value| value == first)
                {
                    guesses.insert((class, field), first);
                }
            }
        }
        guesses
    }

    pub fn take_back(&mut self, wrong: &Wrong) {
        self.fixed.retain(|place, _| !wrong.places.contains(place));
        self.fixed_fields.retain(|key, _| !wrong.fields.contains(key));
    }

    /// Runs one round on terms.
    pub fn run(&self) -> Result<(Summary, Wrong), Stop> {
        let mut symbols = Symbols::default();
        let config = self.config(&mut symbols);
        let classes = self.empty_classes(&mut symbols);
        let domain = Symbolic::new(self.integers, symbols.ranges);
        let mut machine = Machine::new(self.source, domain, config);
        machine.count_traffic();
        for step in &self.lasso.cycle {
            machine.take_step(step)?;
        }
        confirm_order(&self.lasso.start, &machine.config)?;
        let mut summary = Summary {
            fixed: self.fixed.clone(),
            vars: symbols.vars,
            now: symbols.now,
            after: BTreeMap::new(),
            conditions: Vec::new(),
            ranges: std::mem::take(&mut machine.domain.ranges),
            flows: self.flows.clone(),
            classes,
            bags: self.bags.clone(),
        };
        summary.conditions = std::mem::take(&mut machine.domain.conditions);
        let mut wrong = Wrong::default();
        self.read_places(&machine.config, &mut summary, &mut wrong);
        let traffic = machine.take_traffic();
        for (channel, traffic) in traffic.iter().enumerate() {
            self.read_sent(channel, &traffic.sent, &mut summary, &mut wrong);
        }
        let kept = self.kept_progressions(&summary);
        summary.conditions.extend(kept);
        summary.unfold();
        Ok((summary, wrong))
    }

    fn empty_classes(&self, symbols: &mut Symbols) -> BTreeMap<Class, Messages> {
        let mut classes = BTreeMap::new();
        for class in self.classes() {
            let widths = self.widths(class.channel);
            let fields =
                (0..widths.len()).map(|field| match self.fixed_fields.get(&(class, field)) {
                    Some(value) => Ok(*value),
                    None => Err(symbols.fresh(range_of(widths[field], self.integers))),
                });
            let fields = fields.collect();
            let seen = symbols.seen.remove(&class).unwrap_or_default();
            let at_first = self.known(class).0;
            let progressions = (0..widths.len())
                .filter_map(|field| self.progression(class, field, symbols))
                .collect();
            let messages = Messages { fields, at_first, sent: Vec::new(), seen, progressions };
            classes.insert(class, messages);
        }
        classes
    }

    fn read_places(&self, end: &Config<Symbol>, summary: &mut Summary, wrong: &mut Wrong) {
        let mut read = |place: Place, symbol: &Symbol| match self.fixed.get(&place) {
            Some(value) => {
                if symbol.term.as_number() != Some(Int::from(*value)) {
                    wrong.places.insert(place);
                }
            }
            None => {
                summary.after.insert(summary.vars[&place], symbol.term.clone());
            }
        };
        for (slot, symbol) in end.globals.iter().enumerate() {
            read(Place::Global(slot), symbol);
        }
        for (pid, process) in end.processes.iter().enumerate() {
            for (slot, symbol) in process.locals.iter().enumerate() {
                read(Place::Local(pid as u32, slot), symbol);
            }
        }
        for (index, channel) in end.channels.iter().enumerate() {
            if let Some(length) = &channel.open {
                read(Place::Length(index), length);
                continue;
            }
            for (slot, message) in channel.messages.iter().enumerate() {
                for (field, symbol) in message.iter().enumerate() {
                    read(Place::Field(index, slot, field), symbol);
                }
            }
        }
    }

    fn read_sent(
        &self,
        channel: usize,
        sent: &[Vec<Symbol>],
        summary: &mut Summary,
        wrong: &mut Wrong,
    ) {
        let flow = self.flows[channel];
        if !flow.grows() || self.bags.contains_key(&channel) {
            return;
        }
        for (index, message) in sent.iter().enumerate() {
            let class = Class { channel, class: flow.class_of_send(index) };
            for (field, symbol) in message.iter().enumerate() {
                if let Some(value) = self.fixed_fields.get(&(class, field))
                    && symbol.term.as_number() != Some(Int::from(*value))
                {
                    wrong.fields.insert((class, field));
                }
            }
            let terms = message.iter().map(|symbol| symbol.term.clone()).collect();
            summary.classes.get_mut(&class).expect("every class is known").sent.push(terms);
        }
    }
}

/// What each round leaves more of in the channels that grow.
fn bags(flows: &[Flow], lasso: &Lasso, round: &Round) -> Result<Bags, Stop> {
    let growing = flows.iter().enumerate().filter(|(_, flow)| flow.grows());
    let grown = |(index, _)| -> Result<_, Stop> {
        Ok((index, grown(&lasso.start.channels[index], &round.end.channels[index])?))
    };
    growing.map(grown).collect()
}
