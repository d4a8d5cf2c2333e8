//! What one round of a cycle does to any configuration in which it can run:
//! new values as terms over old ones, and the conditions for taking the same
//! way again.
//!
//! Everything that is the same number before every round is found first and
//! put in as that number. It is guessed from the first round; what the terms
//! do not confirm is taken back, until all is confirmed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use exeunt_promela::code::Width;
use exeunt_smt::{Assignment, Formula, Int, Ranges, Term, Var};

use crate::config::{Channel, Config, Message, Process};
use crate::domain::Integers;
use crate::lasso::{Lasso, Round};
use crate::progression::{Guess, Guesses, Progression};
use crate::run::{Machine, Source};
use crate::stop::Stop;
use crate::symbolic::{Range, Symbol, Symbolic, range_of};
use crate::words::Flow;

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
    guesses: &Guesses,
) -> Result<Summary, Stop> {
    let mut builder = Builder::new(source, integers, lasso, round, guesses)?;
    loop {
        let (summary, wrong) = builder.run()?;
        if wrong.places.is_empty() && wrong.fields.is_empty() {
            return Ok(summary);
        }
        builder.take_back(&wrong);
    }
}

/// Guesses that the terms did not confirm.
#[derive(Default)]
struct Wrong {
    places: BTreeSet<Place>,
    fields: BTreeSet<(Class, usize)>,
}

struct Builder<'a> {
    source: Source<'a>,
    integers: Integers,
    lasso: &'a Lasso,
    round: &'a Round,
    flows: Vec<Flow>,
    fixed: BTreeMap<Place, i64>,
    fixed_fields: BTreeMap<(Class, usize), i64>,
    guesses: &'a Guesses,
}

impl<'a> Builder<'a> {
    fn new(
        source: Source<'a>,
        integers: Integers,
        lasso: &'a Lasso,
        round: &'a Round,
        guesses: &'a Guesses,
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
        let mut builder = Builder {
            source,
            integers,
            lasso,
            round,
            flows,
            fixed: BTreeMap::new(),
            fixed_fields: BTreeMap::new(),
            guesses,
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
        let growing = self.flows.iter().enumerate().filter(|(_, flow)| flow.grows());
        let of = |(channel, flow): (usize, &Flow)| {
            (0..flow.classes()).map(move |class| Class { channel, class })
        };
        growing.flat_map(of).collect()
    }

    fn widths(&self, channel: usize) -> Vec<Width> {
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

    fn take_back(&mut self, wrong: &Wrong) {
        self.fixed.retain(|place, _| !wrong.places.contains(place));
        self.fixed_fields.retain(|key, _| !wrong.fields.contains(key));
    }

    /// Runs one round on terms.
    fn run(&self) -> Result<(Summary, Wrong), Stop> {
        let mut symbols = Symbols::default();
        let config = self.config(&mut symbols);
        let classes = self.empty_classes(&mut symbols);
        let domain = Symbolic::new(self.integers, symbols.ranges);
        let mut machine = Machine::new(self.source, domain, config);
        machine.count_traffic();
        for step in &self.lasso.cycle {
            machine.take_step(step)?;
        }
        let mut summary = Summary {
            fixed: self.fixed.clone(),
            vars: symbols.vars,
            now: symbols.now,
            after: BTreeMap::new(),
            conditions: Vec::new(),
            ranges: std::mem::take(&mut machine.domain.ranges),
            flows: self.flows.clone(),
            classes,
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
                .filter_map(|field| self.progression(class, field, widths[field], symbols))
                .collect();
            let messages = Messages { fields, at_first, sent: Vec::new(), seen, progressions };
            classes.insert(class, messages);
        }
        classes
    }

    /// The configuration before a round, in terms.
    fn config(&self, symbols: &mut Symbols) -> Config<Symbol> {
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
            let (proc, state) = (process.proc, process.state);
            processes.push(Process { proc, state, locals: locals.collect() });
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
            let open = symbols.place(Place::Length(index), length, None);
            let messages = self.front(index, &widths, symbols);
            return Channel { decl: own.decl, messages, open: Some(open) };
        }
        let mut messages = VecDeque::new();
        for (slot, message) in own.messages.iter().enumerate() {
            let fields = message.iter().enumerate().map(|(field, value)| {
                let range = range_of(widths[field], self.integers);
                self.symbol(Place::Field(index, slot, field), *value, range, symbols)
            });
            messages.push_back(fields.collect());
        }
        Channel { decl: own.decl, messages, open: None }
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
                if let Some(row) = self.progression(class, field, width, symbols) {
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
    fn progression(
        &self,
        class: Class,
        field: usize,
        width: Width,
        symbols: &Symbols,
    ) -> Option<Progression> {
        let Guess { base, offset, step } =
            *self.guesses.get(&(class, field)).filter(|_| !self.is_fixed(class, field))?;
        let base = Term::var(*symbols.vars.get(&base)?).add(Int::from(offset));
        Some(Progression { field, base, step, width })
    }

    fn is_fixed(&self, class: Class, field: usize) -> bool {
        self.fixed_fields.contains_key(&(class, field))
    }

    /// That a round goes on with all progressions.
    fn kept_progressions(&self, summary: &Summary) -> Vec<Formula> {
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
        if !flow.grows() {
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

/// Variables as they are handed out.
#[derive(Default)]
struct Symbols {
    next: u32,
    vars: BTreeMap<Place, Var>,
    now: Assignment,
    ranges: Ranges,
    seen: BTreeMap<Class, Vec<Vec<Term>>>,
}

impl Symbols {
    fn fresh(&mut self, range: Option<Range>) -> Var {
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
