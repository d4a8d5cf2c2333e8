//! The configuration before a round, with terms for what is no fixed number.

use std::collections::{BTreeMap, VecDeque};

use exeunt_promela::code::Width;
use exeunt_smt::{Assignment, Formula, Int, Ranges, Term, Var};

use super::builder::Builder;
use super::{Class, Place, Summary};
use crate::config::{Bag, Channel, Config, Message, Process};
use crate::progression::{Guess, Progression};
use crate::symbolic::{Range, Symbol, range_of};

/// Variables as they are handed out.
#[derive(Default)]
pub(super) struct Symbols {
    pub next: u32,
    pub vars: BTreeMap<Place, Var>,
    pub now: Assignment,
    pub ranges: Ranges,
    pub seen: BTreeMap<Class, Vec<Vec<Term>>>,
}

impl Symbols {
    pub fn fresh(&mut self, range: Option<Range>) -> Var {
        let var = Var(self.next);
        self.next += 1;
        if let Some(range) = range {
            self.ranges.insert(var, range);
        }
        var
    }

    fn place(&mut self, place: Place, now: i64, range: Option<Range>) -> Symbol {
        let var = self.fresh(range);
        self.vars.insert(place, var);
        self.now.insert(var, Int::from(now));
        Symbol::var(now, var)
    }
}

impl Builder<'_> {
    /// The configuration before a round, in terms.
    pub fn config(&self, symbols: &mut Symbols) -> Config<Symbol> {
        let start = &self.lasso.start;
        let layout = self.source.layout;
        let globals = start.globals.iter().enumerate().map(|(slot, value)| {
            let range = range_of(layout.globals.slots[slot].width, self.integers);
            self.symbol(Place::Global(slot), *value, range, symbols)
        });
        let globals = globals.collect();
        let mut processes = Vec::new();
        for (pid, process) in start.processes.iter().enumerate() {
            let slots = &layout.locals[process.proc.0 as usize].slots;
            let locals = process.locals.iter().enumerate().map(|(slot, value)| {
                let range = range_of(slots[slot].width, self.integers);
                self.symbol(Place::Local(pid as u32, slot), *value, range, symbols)
            });
            let Process { proc, state, priority, .. } = *process;
            processes.push(Process { proc, state, priority, locals: locals.collect() });
        }
        let channels = (0..start.channels.len()).map(|index| self.channel(index, symbols));
        Config { globals, processes, channels: channels.collect(), holder: start.holder }
    }

    fn symbol(
        &self,
        place: Place,
        now: i64,
        range: Option<Range>,
        symbols: &mut Symbols,
    ) -> Symbol {
        match self.fixed.get(&place) {
            Some(value) => Symbol::number(*value),
            None => symbols.place(place, now, range),
        }
    }

    fn channel(&self, index: usize, symbols: &mut Symbols) -> Channel<Symbol> {
        let own = &self.lasso.start.channels[index];
        let widths = self.widths(index);
        if self.flows[index].grows() {
            let length = own.messages.len() as i64;
            let open = Some(symbols.place(Place::Length(index), length, None));
            if let Some(grows) = self.bags.get(&index) {
                let numbers = |message: &Message<i64>| -> Message<Symbol> {
                    message.iter().map(|value| Symbol::number(*value)).collect()
                };
                let messages = own.messages.iter().map(numbers).collect();
                let bag = Some(Bag { grows: grows.clone(), ..Bag::default() });
                return Channel { decl: own.decl, messages, open, bag };
            }
            let messages = self.front(index, &widths, symbols);
            return Channel { decl: own.decl, messages, open, bag: None };
        }
        let mut messages = VecDeque::new();
        for (slot, message) in own.messages.iter().enumerate() {
            let fields = message.iter().enumerate().map(|(field, value)| {
                let range = range_of(widths[field], self.integers);
                self.symbol(Place::Field(index, slot, field), *value, range, symbols)
            });
            messages.push_back(fields.collect());
        }
        Channel { decl: own.decl, messages, open: None, bag: None }
    }

    /// What a round can see of a growing channel: the messages it takes, and
    /// the one behind them. Each is any message of its class.
    fn front(
        &self,
        index: usize,
        widths: &[Width],
        symbols: &mut Symbols,
    ) -> VecDeque<Message<Symbol>> {
        let flow = self.flows[index];
        let queue = self.lasso.start.channels[index].messages.iter();
        let sent = self.round.traffic[index].sent.iter().map(Vec::as_slice);
        let all = queue.map(|message| &**message).chain(sent).take(flow.taken + 1);
        let mut front = VecDeque::new();
        for (place, message) in all.enumerate() {
            let class = Class { channel: index, class: flow.class_at(place) };
            let fields = message.iter().enumerate().map(|(field, value)| {
                if let Some(fixed) = self.fixed_fields.get(&(class, field)) {
                    return Symbol::number(*fixed);
                }
                let width = widths[field];
                if let Some(row) = self.progression(class, field, symbols) {
                    let number = Term::number((place / flow.classes()) as Int);
                    return Symbol::term(*value, row.at(&number, self.integers, &symbols.ranges));
                }
                let var = symbols.fresh(range_of(width, self.integers));
                symbols.now.insert(var, Int::from(*value));
                Symbol::var(*value, var)
            });
            let fields: Vec<Symbol> = fields.collect();
            let terms = fields.iter().map(|field| field.term.clone()).collect();
            symbols.seen.entry(class).or_default().push(terms);
            front.push_back(fields.into());
        }
        front
    }

    /// What a field is guessed to be, if its base is no fixed number.
    pub fn progression(
        &self,
        class: Class,
        field: usize,
        symbols: &Symbols,
    ) -> Option<Progression> {
        let Guess { base, offset, step, width } =
            *self.guesses?.get(&(class, field)).filter(|_| !self.is_fixed(class, field))?;
        let base = Term::var(*symbols.vars.get(&base)?).add(Int::from(offset));
        Some(Progression { field, base, step, width })
    }

    fn is_fixed(&self, class: Class, field: usize) -> bool {
        self.fixed_fields.contains_key(&(class, field))
    }

    /// That a round goes on with all progressions.
    pub fn kept_progressions(&self, summary: &Summary) -> Vec<Formula> {
        let (integers, ranges) = (self.integers, &summary.ranges);
        let mut kept = Vec::new();
        for (class, messages) in &summary.classes {
            let flow = self.flows[class.channel];
            let length = Term::var(summary.vars[&Place::Length(class.channel)]);
            let sends = (0..flow.added).filter(|send| flow.class_of_send(*send) == class.class);
            for row in &messages.progressions {
                let after = row.base.replaced(&summary.after);
                kept.push(row.moves_on(&after, flow, integers, ranges));
                for (send, sent) in sends.clone().zip(&messages.sent) {
                    let sent = &sent[row.field];
                    kept.push(row.goes_on(sent, send, &length, flow, integers, ranges));
                }
            }
        }
        kept.retain(|formula| *formula != Formula::True);
        kept
    }
}
