//! What statements touch of the shared state.
//!
//! A statement may touch less than what is found here, never more. Sends to
//! and receives from a channel that buffers touch different ends of it: a
//! message that comes in does not change the oldest one, and taking that out
//! makes no difference to where the next goes.
//!
//! What can only enable a statement does not touch it: two steps depend on each other if one can disable the other, or if
//! their order makes a difference where both are enabled. So a send does not touch the end
//! that room comes from, and neither does a guard `nfull(c)`. That is different where somebody notices that the statement
//! is *not* enabled yet: beside an `else` or an escape (`unless`), and inside of an atomic
//! sequence, which loses control there. There both ends are read, and of a rendezvous
//! channel, who offers to meet.

use crate::code::{
    Action, Binary, Code, DNode, DStep, Element, Expr, Initial, Place, Probe, ProcId, Receive,
    Slot, Space, StateInfo, Transition,
};

use super::facts::{Atom, BIRTHS, DEATHS, Facts, OFFERS, TRACED, is_alert, place_of, places};
use super::seen::Sighting;
use crate::Marking;
use crate::machine::{Frame, Machine};

/// What a statement touches.
#[derive(Clone, Debug, Default)]
pub(super) struct Foot {
    pub reads: Vec<Atom>,
    pub writes: Vec<Atom>,
    /// It looks at where other processes are.
    pub looks: bool,
    /// What it looks at there, as far as that can be listed.
    pub sightings: Vec<Sighting>,
    /// It asks something about processes that cannot.
    pub asks: bool,
    /// It asks for priorities or sets them. (Models with priorities are not reduced but for merged steps.)
    pub prioritises: bool,
    /// It asks whether nothing else can move.
    pub waits: bool,
    /// It may be one half of a rendezvous.
    pub meets: bool,
}

impl Foot {
    pub fn is_private(&self) -> bool {
        let touches = !self.reads.is_empty() || !self.writes.is_empty();
        !(touches || self.looks || self.waits || self.prioritises)
    }

    pub fn tidy(&mut self) {
        for list in [&mut self.reads, &mut self.writes] {
            list.sort_unstable();
            list.dedup();
        }
    }
}

/// Which values can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// Those of the model: the process does not exist yet.
    Model,
    /// Also those that a process keeps all its life.
    Life,
    /// Also those that it has now.
    Now,
}

/// Looks at statements of one process (or of one that may be started).
pub(super) struct Look<'m, 'a> {
    pub machine: &'m Machine<'a>,
    pub facts: &'m Facts,
    pub proc: ProcId,
    pub frame: Frame,
    pub sight: Sight,
    /// Whether the statement is not the first of its step, so that being
    /// blocked there makes a difference.
    pub inner: bool,
    pub foot: Foot,
}

impl Look<'_, '_> {
    /// A transition of a state of the process.
    pub fn transition(&mut self, state: &StateInfo, transition: &Transition) {
        let inner = self.inner;
        self.inner |= is_alert(state);
        match &transition.action {
            Action::Guard(expr) if !self.inner => self.guard(expr),
            action => self.action(action),
        }
        self.inner = inner;
        if self.facts.offers_matter {
            let states = &self.machine.program.procs[self.proc.0 as usize].states;
            let arrives = states.get(transition.target as usize);
            if self.offers(state) || arrives.is_some_and(|target| self.offers(target)) {
                self.foot.writes.push(OFFERS);
            }
        }
    }

    /// Whether a process in this state may be ready for a rendezvous.
    fn offers(&self, state: &StateInfo) -> bool {
        let offers = |chan: &Expr| {
            let nobody = Frame { pid: u32::MAX, base: 0 };
            match self.is_known(chan, Sight::Model) {
                true => self.may_meet((self.machine.eval(chan, nobody) as u32).wrapping_sub(1)),
                false => true,
            }
        };
        state.transitions.iter().any(|transition| match &transition.action {
            Action::Send(send) => offers(&send.chan),
            Action::Receive(receive) => offers(&receive.chan),
            action => matches!(action, Action::DStep(_)),
        })
    }

    /// A condition whose being false nobody notices: what can only make it true does not touch it.
    fn guard(&mut self, expr: &Expr) {
        match expr {
            Expr::Binary(Binary::And | Binary::Or, left, right) => {
                self.guard(left);
                self.guard(right);
            }
            Expr::Probe(Probe::NotFull | Probe::Empty, chan) => self.probe_end(chan, true),
            Expr::Probe(Probe::NotEmpty | Probe::Full, chan) => self.probe_end(chan, false),
            Expr::Poll(receive) => {
                self.slots(receive);
                self.probe_end(&receive.chan, false);
            }
            _ => self.expr(expr),
        }
    }

    pub fn action(&mut self, action: &Action) {
        match action {
            Action::Skip | Action::Else => {}
            Action::Guard(expr) | Action::GuardRun(expr) | Action::Assert(expr) => self.expr(expr),
            Action::Assign(place, value) => {
                self.expr(value);
                self.place(place);
            }
            Action::Send(send) => {
                send.args.iter().for_each(|arg| self.expr(arg));
                self.send(&send.chan, send.sorted);
            }
            Action::Receive(receive) => self.receive(receive),
            Action::Print { args, .. } => args.iter().for_each(|arg| self.printed(arg)),
            Action::PrintMtype(value) => self.printed(value),
            Action::SetPriority(parts) => {
                self.expr(&parts.0);
                self.expr(&parts.1);
                self.foot.prioritises = true;
            }
            Action::Code(code) => {
                self.cells(code);
                for cell in code.cells.iter().chain([&code.memory]) {
                    self.place(&Place::Cell(*cell));
                }
            }
            Action::DStep(program) => self.d_step(program),
            Action::End => {
                self.life(self.proc);
                self.foot.writes.push(DEATHS);
                if !self.facts.numbers_hidden {
                    self.foot.reads.push(BIRTHS);
                }
                if self.inner {
                    self.foot.reads.extend([BIRTHS, DEATHS]);
                }
            }
        }
    }

    /// What is printed is no part of a state: it makes a difference only if it has no value.
    fn printed(&mut self, expr: &Expr) {
        if !always_has_a_value(expr) {
            self.expr(expr);
        }
    }

    /// Variables change on the way through it.
    fn d_step(&mut self, program: &DStep) {
        let (sight, inner) = (self.sight, self.inner);
        self.sight = sight.min_life();
        self.inner = true;
        for node in &program.nodes {
            if let DNode::Act { action, .. } = node {
                self.action(action);
            }
        }
        (self.sight, self.inner) = (sight, inner);
    }

    pub fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_) | Expr::Pid => {}
            Expr::Cell(cell) | Expr::CellConst(_, cell, _) => {
                if cell.space == Space::Global {
                    self.foot.reads.extend(self.facts.variable(place_of(cell)));
                }
            }
            Expr::Element(element) => {
                let found = self.element(element);
                self.foot.reads.extend(found);
            }
            Expr::Unary(_, inner) => self.expr(inner),
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Cond(parts) => {
                let (test, yes, no) = &**parts;
                [test, yes, no].into_iter().for_each(|part| self.expr(part));
            }
            Expr::Run(run) => {
                run.args.iter().for_each(|arg| self.expr(arg));
                self.start(run.proc);
            }
            Expr::Probe(_, chan) => self.probe(chan),
            Expr::Poll(receive) => {
                self.slots(receive);
                self.probe(&receive.chan);
            }
            Expr::Timeout => self.foot.waits = true,
            Expr::RunningProcesses => self.foot.reads.extend([BIRTHS, DEATHS]),
            Expr::RemoteLabel(label) => {
                label.pid.iter().for_each(|pid| self.expr(pid));
                let state = self.machine.program.remote_labels[label.state as usize];
                self.sees(Sighting::Place(label.proc, state));
            }
            Expr::RemoteVar(var) => {
                var.pid.iter().for_each(|pid| self.expr(pid));
                if let Place::Element(element) = &var.place {
                    element.steps.iter().for_each(|step| self.expr(&step.index));
                }
                self.sees(Sighting::Variable(var.proc, var.place.clone()));
            }
            Expr::Code(code) => self.cells(code),
            Expr::NonProgress => self.sees(Sighting::Marking(Marking::Progress)),
            Expr::GetPriority(pid) => {
                self.expr(pid);
                self.foot.prioritises = true;
                self.foot.asks = true;
            }
            Expr::Enabled(_) | Expr::PcValue(_) | Expr::Anything => {
                self.foot.looks = true;
                self.foot.asks = true;
            }
        }
    }

    /// What C code reads.
    fn cells(&mut self, code: &Code) {
        for cell in code.cells.iter().chain([&code.memory]) {
            self.expr(&Expr::Cell(*cell));
        }
        if code.counts {
            self.expr(&Expr::RunningProcesses);
        }
    }

    /// A process of this type begins or ends, perhaps in the memory of the C code.
    fn life(&mut self, proc: ProcId) {
        let program = self.machine.program;
        if let (Some(_), Some(memory)) = (program.code_life(proc), program.code_memory) {
            self.expr(&Expr::Cell(memory));
            self.place(&Place::Cell(memory));
        }
    }

    fn sees(&mut self, sighting: Sighting) {
        self.foot.looks = true;
        self.foot.sightings.push(sighting);
    }

    /// A new process has the lowest free number, and so have its channels.
    fn start(&mut self, proc: ProcId) {
        self.foot.writes.push(BIRTHS);
        if !self.facts.numbers_hidden {
            self.foot.reads.push(DEATHS);
        }
        self.life(proc);
        let child = &self.machine.program.procs[proc.0 as usize];
        if self.facts.offers_matter && self.offers(&child.states[child.start as usize]) {
            self.foot.writes.push(OFFERS);
        }
        let sight = std::mem::replace(&mut self.sight, Sight::Model);
        for initial in &self.machine.program.procs[proc.0 as usize].initial {
            if let Initial::Store(_, value) = initial {
                self.expr(value);
            }
        }
        self.sight = sight;
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::Cell(cell) if cell.space == Space::Global => {
                self.foot.writes.extend(self.facts.variable(place_of(cell)));
            }
            Place::Element(element) => {
                let found = self.element(element);
                self.foot.writes.extend(found);
            }
            Place::Cell(_) | Place::Nowhere => {}
        }
    }

    /// The global variables that an element can be.
    fn element(&mut self, element: &Element) -> Vec<Atom> {
        element.steps.iter().for_each(|step| self.expr(&step.index));
        if element.space == Space::Local {
            return Vec::new();
        }
        let indices: Vec<Option<u32>> = element
            .steps
            .iter()
            .map(|step| {
                let index = u32::try_from(self.value(&step.index)?).ok()?;
                (index < step.length).then_some(index)
            })
            .collect();
        let found = places(element, |number| indices[number]);
        found.into_iter().filter_map(|place| self.facts.variable(place)).collect()
    }

    fn slots(&mut self, receive: &Receive) {
        for arg in &receive.args {
            if let Slot::Match(expr) = arg {
                self.expr(expr);
            }
        }
        // Fields are stored one after the other: an index may be among them.
        let sight = self.sight;
        self.sight = sight.min_life();
        for arg in &receive.args {
            if let Slot::Store(place) = arg {
                self.place(place);
            }
        }
        self.sight = sight;
    }

    /// The channel is looked at.
    fn probe(&mut self, chan: &Expr) {
        for channel in self.channels(chan) {
            let (into, out) = self.facts.ends(channel);
            self.foot.reads.extend([into, out]);
        }
    }

    /// The end of a channel is looked at where messages go in, or where they come out.
    fn probe_end(&mut self, chan: &Expr, into: bool) {
        for channel in self.channels(chan) {
            let (first, last) = self.facts.ends(channel);
            match self.may_meet(channel) {
                true => self.foot.reads.extend([first, last]),
                false => self.foot.reads.push(if into { first } else { last }),
            }
        }
    }

    fn send(&mut self, chan: &Expr, sorted: bool) {
        for channel in self.channels(chan) {
            let (into, out) = self.facts.ends(channel);
            self.foot.writes.push(into);
            self.foot.meets |= self.may_meet(channel);
            if sorted {
                self.foot.writes.push(out);
            }
            if self.inner {
                self.foot.reads.push(out);
            }
            self.noticed(channel);
            self.traced(false, channel);
        }
        self.claimed();
    }

    fn receive(&mut self, receive: &Receive) {
        self.slots(receive);
        for channel in self.channels(&receive.chan) {
            let (into, out) = self.facts.ends(channel);
            match self.facts.rendezvous(self.machine.program, channel) {
                Some(true) => self.foot.writes.push(into),
                Some(false) if receive.peek => self.foot.reads.push(out),
                Some(false) => self.foot.writes.push(out),
                None => self.foot.writes.extend([into, out]),
            }
            self.foot.meets |= self.may_meet(channel);
            if self.inner {
                self.foot.reads.push(into);
            }
            self.noticed(channel);
            self.traced(true, channel);
        }
        self.claimed();
    }

    /// Whether a partner is there already may make a difference.
    fn noticed(&mut self, channel: u32) {
        if self.inner && self.facts.offers_matter && self.may_meet(channel) {
            self.foot.reads.push(OFFERS);
        }
    }

    /// The order of messages may be watched. A handshake is both: it is sent and received.
    fn traced(&mut self, receive: bool, channel: u32) {
        let program = self.machine.program;
        let Some(trace) = &program.trace else { return };
        let both = self.may_meet(channel);
        let states = &program.procs[trace.proc.0 as usize].states;
        for transition in states.iter().flat_map(|state| &state.transitions) {
            match &transition.action {
                Action::Send(send) if (!receive || both) && self.may_name(&send.chan, channel) => {
                    self.foot.writes.push(TRACED);
                    send.args.iter().for_each(|arg| self.compared(arg));
                }
                Action::Receive(other)
                    if (receive || both) && self.may_name(&other.chan, channel) =>
                {
                    self.foot.writes.push(TRACED);
                    for arg in &other.args {
                        if let Slot::Match(expr) = arg {
                            self.compared(expr);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// What a trace compares messages with.
    fn compared(&mut self, expr: &Expr) {
        if !matches!(expr, Expr::Anything) {
            self.expr(expr);
        }
    }

    /// Whether an expression of a trace, which has no variables of its own, can be this channel.
    fn may_name(&self, chan: &Expr, channel: u32) -> bool {
        let nobody = Frame { pid: u32::MAX, base: 0 };
        !self.is_known(chan, Sight::Model) || self.machine.eval(chan, nobody) as u32 == channel + 1
    }

    fn may_meet(&self, channel: u32) -> bool {
        self.facts.rendezvous(self.machine.program, channel) != Some(false)
    }

    /// Whether a use is allowed depends on who is alive. If it is not now, that
    /// is a violation whoever dies first, so only births matter.
    fn claimed(&mut self) {
        if self.machine.model.has_exclusive {
            self.foot.reads.push(BIRTHS);
        }
    }

    /// The channels that an expression can name.
    pub fn channels(&mut self, chan: &Expr) -> Vec<u32> {
        self.expr(chan);
        let found: Vec<u32> = match self.value(chan) {
            Some(number) => u32::try_from(number - 1).into_iter().collect(),
            None => self.facts.all_channels().collect(),
        };
        let local = found.iter().any(|channel| self.facts.is_local(*channel));
        if local && self.facts.has_local_channels && !self.facts.numbers_hidden {
            self.foot.reads.extend([BIRTHS, DEATHS]);
        }
        found
    }

    /// The value of an expression that cannot change as far as one sees.
    pub fn value(&mut self, expr: &Expr) -> Option<i32> {
        if !self.is_known(expr, self.sight) {
            return None;
        }
        let value = self.machine.eval(expr, self.frame);
        match self.machine.take_trouble() {
            Some(_) => None,
            None => Some(value),
        }
    }

    pub fn is_known(&self, expr: &Expr, sight: Sight) -> bool {
        let scalar = |space: Space, place: u32, bits: u8| match space {
            Space::Global => self.facts.variable(place).is_none(),
            Space::Local => match sight {
                Sight::Model => false,
                Sight::Life => self.facts.is_fixed(self.proc, place, bits),
                Sight::Now => true,
            },
        };
        match expr {
            Expr::Const(_) => true,
            Expr::Pid => sight != Sight::Model,
            Expr::Cell(cell) | Expr::CellConst(_, cell, _) => {
                scalar(cell.space, place_of(cell), cell.width.bits)
            }
            Expr::Element(element) => {
                element.steps.iter().all(|step| self.is_known(&step.index, sight))
                    && places(element, |_| None)
                        .into_iter()
                        .all(|place| scalar(element.space, place, element.width.bits))
            }
            Expr::Unary(_, inner) => self.is_known(inner, sight),
            Expr::Binary(_, left, right) => {
                self.is_known(left, sight) && self.is_known(right, sight)
            }
            Expr::Cond(parts) => {
                let (test, yes, no) = &**parts;
                [test, yes, no].into_iter().all(|part| self.is_known(part, sight))
            }
            Expr::Run(_)
            | Expr::Probe(..)
            | Expr::Poll(_)
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::GetPriority(_)
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::Anything
            | Expr::RunningProcesses
            | Expr::Code(_)
            | Expr::RemoteLabel(_)
            | Expr::RemoteVar(_) => false,
        }
    }
}

impl Sight {
    /// Without the values that change on the way.
    pub fn min_life(self) -> Self {
        match self {
            Sight::Now => Sight::Life,
            other => other,
        }
    }
}

/// Whether nothing can go wrong while an expression is evaluated, wherever and whenever.
fn always_has_a_value(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_)
        | Expr::Pid
        | Expr::Cell(_)
        | Expr::RunningProcesses
        | Expr::Timeout
        | Expr::NonProgress => true,
        Expr::CellConst(op, _, _) => is_total(*op),
        Expr::Unary(_, inner) | Expr::GetPriority(inner) => always_has_a_value(inner),
        Expr::Binary(op, left, right) => {
            is_total(*op) && always_has_a_value(left) && always_has_a_value(right)
        }
        Expr::Cond(parts) => {
            let (test, yes, no) = &**parts;
            [test, yes, no].into_iter().all(always_has_a_value)
        }
        Expr::Element(_)
        | Expr::Run(_)
        | Expr::Probe(..)
        | Expr::Poll(_)
        | Expr::Enabled(_)
        | Expr::PcValue(_)
        | Expr::Anything
        | Expr::RemoteLabel(_)
        | Expr::RemoteVar(_)
        | Expr::Code(_) => false,
    }
}

fn is_total(op: Binary) -> bool {
    let partial = [Binary::Divide, Binary::Modulo, Binary::ShiftLeft, Binary::ShiftRight];
    !partial.contains(&op)
}
