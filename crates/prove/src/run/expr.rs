//! Values of expressions.

use exeunt_promela::code::{
    Binary, Element, Expr, Place, Probe, Receive, RemoteLabel, RemoteVar, Unary,
};

use crate::domain::Domain;
use crate::layout;
use crate::stop::Stop;

use super::Machine;

impl<D: Domain> Machine<'_, D> {
    pub(super) fn eval(&mut self, expr: &Expr, pid: u32) -> Result<D::Value, Stop> {
        Ok(match expr {
            Expr::Const(value) => self.domain.number(i64::from(*value)),
            Expr::Cell(cell) => self.read(layout::is_local(cell.space), layout::offset(cell), pid),
            Expr::CellConst(op, cell, number) => {
                let value = self.read(layout::is_local(cell.space), layout::offset(cell), pid);
                let number = self.domain.number(i64::from(*number));
                self.domain.binary(*op, &value, &number)?
            }
            Expr::Element(element) => {
                let offset = self.element(element, pid)?;
                self.read(layout::is_local(element.space), offset, pid)
            }
            Expr::Unary(op, inner) => {
                let value = self.eval(inner, pid)?;
                self.domain.unary(*op, &value)?
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right, pid)?,
            Expr::Cond(parts) => {
                let (test, yes, no) = &**parts;
                let chosen = if self.truth(test, pid)? { yes } else { no };
                self.eval(chosen, pid)?
            }
            Expr::Probe(probe, chan) => self.probe(*probe, chan, pid)?,
            Expr::Poll(receive) => {
                let found = self.poll(receive, pid)?;
                self.domain.number(i64::from(found))
            }
            Expr::Enabled(other) => {
                self.must_know_channels()?;
                self.must_know_others()?;
                let other = self.eval(other, pid)?;
                let enabled = match self.running(&other) {
                    Some(other) => self.is_enabled(other)?,
                    None => false,
                };
                self.domain.number(i64::from(enabled))
            }
            Expr::PcValue(other) => {
                self.must_know_others()?;
                let other = self.eval(other, pid)?;
                let state = self.running(&other);
                let state = state.map_or(0, |pid| self.config.processes[pid as usize].state);
                self.domain.number(i64::from(state))
            }
            Expr::Anything => return Err(Stop::unknown("`_` has no value")),
            Expr::Timeout => self.domain.number(i64::from(self.timeout)),
            Expr::NonProgress => {
                self.must_know_others()?;
                let progress = self.pids().any(|pid| self.place(pid).progress);
                self.domain.number(i64::from(!progress))
            }
            Expr::Pid => self.domain.number(i64::from(pid)),
            Expr::RunningProcesses => {
                self.must_know_others()?;
                self.domain.number(self.config.processes.len() as i64)
            }
            Expr::RemoteLabel(label) => self.remote_label(label, pid)?,
            Expr::RemoteVar(var) => self.remote_var(var, pid)?,
            Expr::Code(_) => return Err(Stop::unknown("C code is not known here")),
            Expr::GetPriority(other) => {
                self.must_know_others()?;
                let other = self.eval(other, pid)?;
                let other = self.running(&other);
                let priority = other.map_or(0, |pid| self.config.processes[pid as usize].priority);
                self.domain.number(i64::from(priority))
            }
            Expr::Run(run) => {
                self.must_know_others()?;
                let args: Result<Vec<_>, Stop> =
                    run.args.iter().map(|arg| self.eval(arg, pid)).collect();
                let started = self.start(run.proc, &args?, run.priority)?;
                self.domain.number(i64::from(started))
            }
        })
    }

    /// Whether an expression is not zero; the run depends on it.
    pub(super) fn truth(&mut self, expr: &Expr, pid: u32) -> Result<bool, Stop> {
        let value = self.eval(expr, pid)?;
        Ok(self.domain.decide(&value))
    }

    /// What cannot go wrong is evaluated on both sides, so that a condition
    /// stays one condition; otherwise the left side decides.
    fn binary(
        &mut self,
        op: Binary,
        left: &Expr,
        right: &Expr,
        pid: u32,
    ) -> Result<D::Value, Stop> {
        let first = self.eval(left, pid)?;
        if matches!(op, Binary::And | Binary::Or) && !is_total(right) {
            let decided = self.domain.decide(&first);
            if decided == (op == Binary::Or) {
                return Ok(self.domain.number(i64::from(decided)));
            }
            let second = self.truth(right, pid)?;
            return Ok(self.domain.number(i64::from(second)));
        }
        let second = self.eval(right, pid)?;
        self.domain.binary(op, &first, &second)
    }

    /// Where an element lies, in bits.
    fn element(&mut self, element: &Element, pid: u32) -> Result<u32, Stop> {
        let mut bits = element.base;
        for step in &element.steps {
            let index = self.eval(&step.index, pid)?;
            let index = self.domain.fix(&index);
            if index < 0 || index >= i64::from(step.length) {
                return Err(Stop::fault(format!("index {index} of array `{}`", step.array)));
            }
            bits += index as u32 * step.stride;
        }
        Ok(bits)
    }

    pub(super) fn store_place(
        &mut self,
        place: &Place,
        value: &D::Value,
        pid: u32,
    ) -> Result<(), Stop> {
        match place {
            Place::Cell(cell) => self.store(cell, pid, value),
            Place::Element(element) => {
                let offset = self.element(element, pid)?;
                let value = self.domain.truncate(element.width, value);
                self.write(layout::is_local(element.space), offset, pid, value);
            }
            Place::Nowhere => {}
        }
        Ok(())
    }

    /// The channel an expression names, counted from zero.
    pub(super) fn channel(&mut self, chan: &Expr, pid: u32) -> Result<u32, Stop> {
        let number = self.eval(chan, pid)?;
        let number = self.domain.fix(&number);
        match u32::try_from(number - 1) {
            Ok(index) if (index as usize) < self.config.channels.len() => Ok(index),
            _ => Err(Stop::fault(format!("there is no channel number {number}"))),
        }
    }

    pub(super) fn is_rendezvous(&self, channel: u32) -> bool {
        let decl = self.config.channels[channel as usize].decl;
        self.source.program.channels[decl.0 as usize].capacity == 0
    }

    pub(super) fn length(&self, channel: u32) -> D::Value {
        let own = &self.config.channels[channel as usize];
        match &own.open {
            _ if self.passes(channel) => self.domain.number(1),
            Some(length) => length.clone(),
            None => self.domain.number(own.messages.len() as i64),
        }
    }

    pub(super) fn passes(&self, channel: u32) -> bool {
        self.passing.as_ref().is_some_and(|(passing, _)| *passing == channel)
    }

    fn probe(&mut self, probe: Probe, chan: &Expr, pid: u32) -> Result<D::Value, Stop> {
        let channel = self.channel(chan, pid)?;
        match probe {
            Probe::Length | Probe::Empty | Probe::NotEmpty => self.must_know_channels()?,
            Probe::Full | Probe::NotFull => {}
        }
        let length = self.length(channel);
        let zero = self.domain.number(0);
        // A channel without a bound is never full.
        let full = self.is_rendezvous(channel) && self.passes(channel);
        match probe {
            Probe::Length => Ok(length),
            Probe::Full => Ok(self.domain.number(i64::from(full))),
            Probe::NotFull => Ok(self.domain.number(i64::from(!full))),
            Probe::Empty => self.domain.binary(Binary::Equal, &length, &zero),
            Probe::NotEmpty => self.domain.binary(Binary::Unequal, &length, &zero),
        }
    }

    fn must_know_channels(&self) -> Result<(), Stop> {
        match self.ignores_channels {
            true => Err(Stop::unknown("it is not known what lies in channels")),
            false => Ok(()),
        }
    }

    fn poll(&mut self, receive: &Receive, pid: u32) -> Result<bool, Stop> {
        self.must_know_channels()?;
        let channel = self.channel(&receive.chan, pid)?;
        if self.is_rendezvous(channel) {
            return Err(Stop::fault("a rendezvous channel is polled"));
        }
        Ok(self.find_message(channel, receive, pid)?.is_some())
    }

    /// The process of this number, if it runs.
    pub(super) fn running(&mut self, pid: &D::Value) -> Option<u32> {
        let pid = u32::try_from(self.domain.fix(pid)).ok()?;
        self.pids().contains(&pid).then_some(pid)
    }

    fn is_enabled(&mut self, pid: u32) -> Result<bool, Stop> {
        if self.asking > self.config.processes.len() as u32 {
            return Err(Stop::fault("processes ask each other whether they are enabled"));
        }
        self.asking += 1;
        let could = self.could_move(pid);
        self.asking -= 1;
        could
    }

    /// The named process, or the first of its type.
    fn remote(
        &mut self,
        named: Option<&Expr>,
        proc: exeunt_promela::code::ProcId,
        pid: u32,
    ) -> Result<Option<u32>, Stop> {
        self.must_know_others()?;
        let Some(expr) = named else {
            return Ok(self.pids().find(|pid| self.config.processes[*pid as usize].proc == proc));
        };
        let value = self.eval(expr, pid)?;
        let found = self.running(&value);
        Ok(found.filter(|pid| self.config.processes[*pid as usize].proc == proc))
    }

    fn remote_label(&mut self, label: &RemoteLabel, pid: u32) -> Result<D::Value, Stop> {
        let state = self.source.program.remote_labels[label.state as usize];
        let other = self.remote(label.pid.as_ref(), label.proc, pid)?;
        let there = other.is_some_and(|pid| self.config.processes[pid as usize].state == state);
        Ok(self.domain.number(i64::from(there)))
    }

    fn remote_var(&mut self, var: &RemoteVar, pid: u32) -> Result<D::Value, Stop> {
        let Some(other) = self.remote(var.pid.as_ref(), var.proc, pid)? else {
            return Ok(self.domain.number(0));
        };
        Ok(match &var.place {
            Place::Cell(cell) => {
                self.read(layout::is_local(cell.space), layout::offset(cell), other)
            }
            Place::Element(element) => {
                let offset = self.element(element, pid)?;
                self.read(layout::is_local(element.space), offset, other)
            }
            Place::Nowhere => self.domain.number(0),
        })
    }
}

/// Whether evaluating can neither go wrong nor depend on who asks.
fn is_total(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Cell(_) | Expr::Timeout | Expr::NonProgress | Expr::Pid => true,
        Expr::RunningProcesses => true,
        Expr::CellConst(Binary::Divide | Binary::Modulo, _, number) => *number != 0,
        Expr::CellConst(..) => true,
        Expr::Unary(Unary::Not | Unary::Complement, inner) => is_total(inner),
        Expr::Binary(op, left, right) => {
            let total = matches!(
                op,
                Binary::Or
                    | Binary::And
                    | Binary::Equal
                    | Binary::Unequal
                    | Binary::Less
                    | Binary::LessEqual
                    | Binary::Greater
                    | Binary::GreaterEqual
                    | Binary::Add
                    | Binary::Subtract
            );
            total && is_total(left) && is_total(right)
        }
        Expr::Probe(_, chan) => is_total(chan),
        _ => false,
    }
}
