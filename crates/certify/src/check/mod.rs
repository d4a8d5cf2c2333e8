//! The obligations of a certificate.

mod growing;
mod heaps;
mod reading;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use exeunt_promela::code::{Program, Width};
use exeunt_smt::{Assignment, Formula, Int, Ranges, Solver, Term, Var, Z3};

use crate::names::{self, Names};
use crate::world::World;
use crate::{Certificate, FORMAT, Fact, GrowingChannel, Integers, KIND, Name, arithmetic};
use growing::message_fact;
use reading::{formula, unknown};

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub reason: String,
}

impl Wrong {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Wrong { reason: reason.into() }
    }

    pub(crate) fn step(reason: impl Into<String>) -> Self {
        Wrong::new(reason)
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// What a certificate establishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified {
    /// Obligations that were proven.
    pub obligations: usize,
    /// Whether the proof needs an `int` without bounds.
    pub ideal: bool,
    pub growth: Vec<String>,
}

/// Checks a certificate for a model.
pub fn check(program: &Program, certificate: &Certificate) -> Result<Certified, Wrong> {
    if certificate.exeunt != KIND || certificate.format != FORMAT {
        return Err(Wrong::new("this is no certificate of a form that we know"));
    }
    if program.uses_priority && program.channels.iter().any(|channel| channel.capacity == 0) {
        return Err(Wrong::new("the model uses priorities and rendezvous channels"));
    }
    if certificate.cycle.is_empty() {
        return Err(Wrong::new("the cycle is empty"));
    }
    let start = stem(program, certificate)?;
    let first = first_round(&start, certificate)?;
    let mut checker = Checker {
        certificate,
        program,
        start: &start,
        first: &first,
        vars: BTreeMap::new(),
        next: 0,
        ranges: Vec::new(),
        bounds: Ranges::new(),
        looks: BTreeMap::new(),
        solver: Z3::new(),
        proven: 0,
    };
    checker.run()
}

/// The configuration that the stem leads to.
fn stem<'p>(program: &'p Program, certificate: &Certificate) -> Result<World<'p>, Wrong> {
    let mut world = World::new(program, certificate.integers)?;
    for (index, chosen) in certificate.stem.iter().enumerate() {
        let at = |wrong: Wrong| Wrong::new(format!("step {} of the stem: {wrong}", index + 1));
        world.play(chosen).map_err(at)?;
    }
    Ok(world)
}

/// The first round as it really goes: it gives the values of messages.
fn first_round<'p>(start: &World<'p>, certificate: &Certificate) -> Result<World<'p>, Wrong> {
    let mut world = start.clone();
    for pipe in &mut world.pipes {
        pipe.sent.clear();
        pipe.taken = 0;
    }
    play_round(&mut world, certificate)?;
    if world.places() != start.places() {
        return Err(Wrong::new("the cycle does not come back to where it starts"));
    }
    Ok(world)
}

fn play_round(world: &mut World<'_>, certificate: &Certificate) -> Result<(), Wrong> {
    for (index, chosen) in certificate.cycle.iter().enumerate() {
        let at = |wrong: Wrong| Wrong::new(format!("step {} of the cycle: {wrong}", index + 1));
        world.play(chosen).map_err(at)?;
    }
    Ok(())
}

struct Checker<'a, 'p> {
    certificate: &'a Certificate,
    program: &'p Program,
    start: &'a World<'p>,
    first: &'a World<'p>,
    /// The variables of an unknown configuration before a round.
    vars: BTreeMap<Name, Var>,
    next: u32,
    /// What the types of variables say about them.
    ranges: Vec<Formula>,
    bounds: Ranges,
    /// The messages a round can see in a growing channel, by channel.
    looks: BTreeMap<usize, Vec<Vec<Term>>>,
    solver: Z3,
    proven: usize,
}

impl<'p> Checker<'_, 'p> {
    fn run(&mut self) -> Result<Certified, Wrong> {
        self.channels_exist()?;
        let mut world = self.any_world()?;
        let now = world.at.clone();
        play_round(&mut world, self.certificate)?;
        if world.places() != self.start.places() {
            return Err(Wrong::new("the cycle does not come back to where it starts"));
        }
        let assumed = self.assumed()?;
        self.holds_at_first(&now)?;
        for condition in world.conditions.clone() {
            self.prove(&assumed, condition, "a step of the cycle need not be possible again")?;
        }
        self.lengths(&world)?;
        self.heaps_again(&world)?;
        let after = self.after(&world)?;
        self.fixed_again(&assumed, &after)?;
        self.invariant_again(&assumed, &after)?;
        self.messages_again(&assumed, &world)?;
        self.rows_again(&assumed, &after, &world)?;
        self.growth(&assumed, &after)?;
        Ok(Certified {
            obligations: self.proven,
            ideal: self.certificate.integers == Integers::Ideal,
            growth: self.certificate.growth.iter().map(|growth| growth.text.clone()).collect(),
        })
    }

    fn prove(&mut self, assumed: &[Formula], goal: Formula, wrong: &str) -> Result<(), Wrong> {
        let bounds = &self.bounds;
        let assumed: Vec<Formula> = assumed.iter().map(|part| part.unfolded(bounds)).collect();
        let assumed: Vec<&Formula> = assumed.iter().collect();
        if !self.solver.proves(&assumed, &goal.unfolded(bounds)) {
            return Err(Wrong::new(wrong));
        }
        self.proven += 1;
        Ok(())
    }

    /// Every growing channel is one, and is named once.
    fn channels_exist(&self) -> Result<(), Wrong> {
        let all = &self.certificate.channels;
        for (index, growing) in all.iter().enumerate() {
            let channel = growing.channel;
            let twice = all[..index].iter().any(|other| other.channel == channel);
            let twice = twice || self.heap(channel).is_some();
            if twice || channel >= self.start.pipes.len() || self.start.is_handshake(channel) {
                return Err(Wrong::new(format!("there is no channel {channel} to grow")));
            }
        }
        self.heaps_exist()
    }

    fn growing(&self, channel: usize) -> Option<&GrowingChannel> {
        self.certificate.channels.iter().find(|growing| growing.channel == channel)
    }

    fn fixed(&self, name: &Name) -> Option<i64> {
        self.certificate.fixed.iter().find(|(own, _)| own == name).map(|(_, value)| *value)
    }

    /// A configuration of which only the certificate's claims are known. The
    /// run that is played through it is the first round.
    fn any_world(&mut self) -> Result<World<'p>, Wrong> {
        let mut world = self.start.clone();
        world.conditions.clear();
        let globals = names::of_globals(self.program);
        let values = self.start.globals.clone();
        world.globals = self.any_cells(&globals, &values, &mut world.at, Name::Global)?;
        for (pid, actor) in self.start.actors.iter().enumerate() {
            let names = names::of(&self.program.procs[actor.proc.0 as usize].variables);
            let local = |name: String| Name::Local(pid as u32, name);
            let cells = self.any_cells(&names, &actor.cells, &mut world.at, local)?;
            world.actors[pid].cells = cells;
        }
        for channel in 0..self.start.pipes.len() {
            world.pipes[channel].sent.clear();
            world.pipes[channel].taken = 0;
            self.any_pipe(channel, &mut world)?;
        }
        Ok(world)
    }

    fn any_cells(
        &mut self,
        names: &Names,
        values: &BTreeMap<u32, Term>,
        at: &mut Assignment,
        name: impl Fn(String) -> Name,
    ) -> Result<BTreeMap<u32, Term>, Wrong> {
        let mut cells = BTreeMap::new();
        for (bit, (own, width)) in names {
            let term = self.any(name(own.clone()), &values[bit], *width, at)?;
            cells.insert(*bit, term);
        }
        Ok(cells)
    }

    /// A fixed number, or a variable.
    fn any(
        &mut self,
        name: Name,
        value: &Term,
        width: Width,
        at: &mut Assignment,
    ) -> Result<Term, Wrong> {
        let value = value.as_number().ok_or_else(|| Wrong::new("a value is no number"))?;
        match self.fixed(&name) {
            Some(fixed) if Int::from(fixed) == value => Ok(Term::number(value)),
            Some(_) => Err(Wrong::new(format!("{name:?} is {value} at first"))),
            None => {
                let term = self.fresh(value, Some(width), at);
                self.vars.insert(name, term.as_var().expect("a new variable"));
                Ok(term)
            }
        }
    }

    fn fresh(&mut self, value: Int, width: Option<Width>, at: &mut Assignment) -> Term {
        let var = Var(self.next);
        self.next += 1;
        at.insert(var, value);
        let term = Term::var(var);
        let integers = self.certificate.integers;
        if let Some((low, high)) = width.and_then(|width| arithmetic::bounds(width, integers)) {
            self.bounds.insert(var, (low, high));
            self.ranges.push(Formula::non_negative(term.add(-low)));
            self.ranges.push(Formula::non_negative(term.times(-1).add(high)));
        }
        term
    }

    fn widths(&self, channel: usize) -> Vec<Width> {
        let decl = self.start.pipes[channel].decl;
        let fields = &self.program.channels[decl.0 as usize].fields;
        fields.iter().map(|field| field.width).collect()
    }

    fn any_pipe(&mut self, channel: usize, world: &mut World<'p>) -> Result<(), Wrong> {
        let widths = self.widths(channel);
        if let Some(bag) = self.heap(channel).cloned() {
            return self.any_heap(&bag, world);
        }
        let Some(growing) = self.growing(channel).cloned() else {
            let queue = self.start.pipes[channel].queue.clone();
            let mut any = VecDeque::new();
            for (place, message) in queue.iter().enumerate() {
                let mut fields = Vec::new();
                for (field, value) in message.iter().enumerate() {
                    let name = Name::Message(channel, place, field);
                    fields.push(self.any(name, value, widths[field], &mut world.at)?);
                }
                any.push_back(fields);
            }
            world.pipes[channel].queue = any;
            return Ok(());
        };
        self.any_growing(&growing, &widths, world)
    }

    /// What is known before a round: the types, the invariant, and the facts
    /// about each message that the round sees.
    fn assumed(&self) -> Result<Vec<Formula>, Wrong> {
        let mut all = self.ranges.clone();
        for fact in &self.certificate.invariant {
            all.push(self.state_fact(fact)?);
        }
        for growing in &self.certificate.channels {
            for (place, message) in self.looks[&growing.channel].iter().enumerate() {
                let class = &growing.classes[place % growing.classes.len()];
                for fact in &class.facts {
                    let fact = message_fact(fact, message)?;
                    all.push(self.if_known(growing, place, fact));
                }
            }
        }
        Ok(all)
    }

    fn state_fact(&self, fact: &Fact) -> Result<Formula, Wrong> {
        formula(&fact.formula, &|name| self.state(name))
    }

    /// What a name stands for before a round.
    fn state(&self, name: &Name) -> Option<Term> {
        let var = self.vars.get(name).map(|var| Term::var(*var));
        var.or_else(|| self.fixed(name).map(|value| Term::number(Int::from(value))))
    }

    fn holds_at_first(&mut self, now: &Assignment) -> Result<(), Wrong> {
        for fact in &self.certificate.invariant {
            if self.state_fact(fact)?.holds(now) != Some(true) {
                return Err(Wrong::new(format!("`{}` does not hold at first", fact.text)));
            }
            self.proven += 1;
        }
        self.rows_at_first(now)?;
        for growing in &self.certificate.channels {
            let queue = &self.start.pipes[growing.channel].queue;
            for (place, message) in queue.iter().enumerate() {
                let class = &growing.classes[place % growing.classes.len()];
                self.fits_class(&[], class, message, &growing.name)?;
            }
            // That such messages exist is what makes it sound to assume the
            // facts of a class for a message that is only sent on the way.
            let sent = self.first.pipes[growing.channel].sent.clone();
            for (index, message) in sent.iter().enumerate() {
                let place = (growing.length + index) % growing.classes.len();
                self.fits_class(&[], &growing.classes[place], message, &growing.name)?;
            }
        }
        Ok(())
    }

    /// Every channel gets longer as claimed, or stays as long as it is.
    fn lengths(&mut self, world: &World<'_>) -> Result<(), Wrong> {
        for (channel, pipe) in world.pipes.iter().enumerate() {
            let moves = |takes, adds| pipe.taken == takes && pipe.sent.len() == adds;
            let fits = match (self.growing(channel), self.heap(channel)) {
                (Some(growing), _) => moves(growing.takes, growing.adds),
                (None, Some(bag)) => moves(bag.takes, bag.adds),
                (None, None) => pipe.queue.len() == self.start.pipes[channel].queue.len(),
            };
            if !fits {
                return Err(Wrong::new(format!(
                    "channel {channel} does not change its length as claimed"
                )));
            }
            self.proven += 1;
        }
        Ok(())
    }

    /// The value of everything behind the round, by the names before it.
    fn after(&self, world: &World<'_>) -> Result<BTreeMap<Name, Term>, Wrong> {
        let mut after = BTreeMap::new();
        for (bit, (name, _)) in names::of_globals(self.program) {
            after.insert(Name::Global(name), world.globals[&bit].clone());
        }
        for (pid, actor) in world.actors.iter().enumerate() {
            for (bit, (name, _)) in names::of(&self.program.procs[actor.proc.0 as usize].variables)
            {
                after.insert(Name::Local(pid as u32, name), actor.cells[&bit].clone());
            }
        }
        for (channel, pipe) in world.pipes.iter().enumerate() {
            if let Some(length) = &pipe.endless {
                after.insert(Name::Length(channel), length.clone());
                continue;
            }
            for (place, message) in pipe.queue.iter().enumerate() {
                for (field, term) in message.iter().enumerate() {
                    after.insert(Name::Message(channel, place, field), term.clone());
                }
            }
        }
        Ok(after)
    }

    fn fixed_again(
        &mut self,
        assumed: &[Formula],
        after: &BTreeMap<Name, Term>,
    ) -> Result<(), Wrong> {
        for (name, value) in &self.certificate.fixed {
            let term = after.get(name).ok_or_else(|| unknown(name))?;
            let goal = Formula::equal(term, &Term::number(Int::from(*value)));
            self.prove(assumed, goal, &format!("{name:?} need not be {value} again"))?;
        }
        Ok(())
    }

    fn invariant_again(
        &mut self,
        assumed: &[Formula],
        after: &BTreeMap<Name, Term>,
    ) -> Result<(), Wrong> {
        for fact in &self.certificate.invariant {
            let goal = formula(&fact.formula, &|name| after.get(name).cloned())?;
            self.prove(assumed, goal, &format!("`{}` need not hold again", fact.text))?;
        }
        Ok(())
    }

    fn growth(&mut self, assumed: &[Formula], after: &BTreeMap<Name, Term>) -> Result<(), Wrong> {
        for growth in &self.certificate.growth {
            let var = self.vars.get(&growth.name).ok_or_else(|| unknown(&growth.name))?;
            let change = after[&growth.name].minus(&Term::var(*var));
            let goal = Formula::equal(&change, &Term::number(Int::from(growth.by)));
            let wrong = format!("it is not shown that {}", growth.text);
            if growth.by == 0 {
                return Err(Wrong::new(wrong));
            }
            self.prove(assumed, goal, &wrong)?;
        }
        Ok(())
    }
}
