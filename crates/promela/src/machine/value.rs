//! Values of expressions.

use exeunt_operator::{wrapping, wrapping_unary};

use crate::code::{Element, Expr, Place, RemoteLabel, RemoteVar, Space};
use crate::syntax::{Binary, Probe};

use super::memory::extract;
use super::trouble::Trouble;
use super::{Frame, Machine};

impl Machine<'_> {
    /// The value of an expression in a process. A `run` is not evaluated
    /// here, because it changes the state.
    pub(super) fn eval(&self, expr: &Expr, frame: Frame) -> i32 {
        match expr {
            Expr::Const(value) => *value,
            Expr::Cell(cell) => self.memory.load(cell, frame.base),
            Expr::CellConst(op, cell, number) => {
                let value = self.memory.load(cell, frame.base);
                match op {
                    Binary::Equal => i32::from(value == *number),
                    Binary::Unequal => i32::from(value != *number),
                    Binary::Less => i32::from(value < *number),
                    Binary::Greater => i32::from(value > *number),
                    Binary::Add => value.wrapping_add(*number),
                    Binary::Subtract => value.wrapping_sub(*number),
                    op => wrapping(*op, value, *number).unwrap_or(0),
                }
            }
            Expr::Element(element) => self.load_element(element, frame, frame.base),
            Expr::Unary(op, inner) => wrapping_unary(*op, self.eval(inner, frame)),
            Expr::Binary(op, left, right) => self.binary(*op, left, right, frame),
            Expr::Cond(parts) => {
                let (test, yes, no) = &**parts;
                let chosen = if self.eval(test, frame) != 0 { yes } else { no };
                self.eval(chosen, frame)
            }
            Expr::Probe(probe, chan) => self.probe(*probe, chan, frame),
            Expr::Poll(receive) => {
                let Some(channel) = self.channel_of(&receive.chan, frame) else { return 0 };
                if self.is_rendezvous(channel) {
                    self.complain(Trouble::PollRendezvous);
                    return 0;
                }
                i32::from(self.find_message(channel, receive, frame).is_some())
            }
            Expr::Enabled(pid) => {
                let pid = self.eval(pid, frame);
                i32::from(self.running(pid).is_some_and(|pid| self.is_enabled(pid)))
            }
            Expr::PcValue(pid) => {
                let pid = self.running(self.eval(pid, frame));
                pid.map_or(0, |pid| i32::from(self.memory.state_of(pid)))
            }
            Expr::GetPriority(pid) => {
                let pid = self.running(self.eval(pid, frame));
                pid.map_or(0, |pid| i32::from(self.memory.priority(pid)))
            }
            Expr::Timeout => i32::from(self.timeout),
            Expr::Anything => 0,
            Expr::NonProgress => i32::from(!self.any_marked(crate::Marking::Progress)),
            Expr::Pid => frame.pid as i32,
            Expr::RunningProcesses => self.memory.process_count() as i32,
            Expr::RemoteLabel(label) => self.remote_label(label, frame),
            Expr::RemoteVar(var) => self.remote_var(var, frame),
            Expr::Code(code) => self.code_value(code, frame),
            Expr::Run(_) => unreachable!("`run` is executed, not evaluated"),
        }
    }

    /// Whether a process can move. Processes that ask this of each other in a
    /// circle have no answer.
    fn is_enabled(&self, pid: u32) -> bool {
        if self.asking.get() > self.memory.process_count() {
            self.complain(Trouble::CircularEnabled);
            return false;
        }
        self.asking.set(self.asking.get() + 1);
        let answer = self.can_move(pid);
        self.asking.set(self.asking.get() - 1);
        answer
    }

    fn binary(&self, op: Binary, left: &Expr, right: &Expr, frame: Frame) -> i32 {
        let first = self.eval(left, frame);
        match op {
            Binary::And => i32::from(first != 0 && self.eval(right, frame) != 0),
            Binary::Or => i32::from(first != 0 || self.eval(right, frame) != 0),
            op => wrapping(op, first, self.eval(right, frame)).unwrap_or_else(|| {
                self.complain(Trouble::DivisionByZero);
                0
            }),
        }
    }

    fn load_element(&self, element: &Element, frame: Frame, base: u32) -> i32 {
        let Some(bits) = self.offset(element, frame) else { return 0 };
        let index = bits / 64 + if element.space == Space::Local { base } else { 0 };
        let width = element.width;
        extract(self.memory.word(index), (bits % 64) as u8, width.bits, width.signed)
    }

    /// Where an element lies, in bits; `None` if an index is out of range.
    fn offset(&self, element: &Element, frame: Frame) -> Option<u32> {
        let mut bits = element.base;
        for step in &element.steps {
            let index = self.eval(&step.index, frame);
            if index as u32 >= step.length {
                let array = step.array.clone();
                self.complain(Trouble::Index { array, index, length: step.length });
                return None;
            }
            bits += index as u32 * step.stride;
        }
        Some(bits)
    }

    pub(super) fn store_place(&mut self, place: &Place, value: i32, frame: Frame) {
        match place {
            Place::Cell(cell) => self.memory.store(cell, frame.base, value),
            Place::Element(element) => {
                let Some(bits) = self.offset(element, frame) else { return };
                let local = element.space == Space::Local;
                let index = bits / 64 + if local { frame.base } else { 0 };
                self.memory.store_bits(index, (bits % 64) as u8, element.width.bits, value);
            }
            Place::Nowhere => {}
        }
    }

    /// The process of this number, if it runs.
    fn running(&self, pid: i32) -> Option<u32> {
        let pid = u32::try_from(pid).ok()?;
        (pid < self.memory.process_count()).then_some(pid)
    }

    fn probe(&self, probe: Probe, chan: &Expr, frame: Frame) -> i32 {
        let Some(channel) = self.channel_of(chan, frame) else { return 0 };
        let length = self.length(channel);
        // A rendezvous channel has room for the message that passes through.
        let capacity = self.shape(channel).capacity.max(1);
        match probe {
            Probe::Length => length as i32,
            Probe::Full => i32::from(length == capacity),
            Probe::Empty => i32::from(length == 0),
            Probe::NotFull => i32::from(length != capacity),
            Probe::NotEmpty => i32::from(length != 0),
        }
    }

    /// The named process, or the first of its type.
    fn remote(&self, pid: Option<&Expr>, proc: crate::code::ProcId, frame: Frame) -> Option<u32> {
        match pid {
            Some(pid) => self.running(self.eval(pid, frame)),
            None => {
                (0..self.memory.process_count()).find(|pid| self.memory.process(*pid).proc == proc)
            }
        }
    }

    fn remote_label(&self, label: &RemoteLabel, frame: Frame) -> i32 {
        let state = self.program.remote_labels[label.state as usize];
        let pid = self.remote(label.pid.as_ref(), label.proc, frame);
        let there = pid.is_some_and(|pid| {
            self.memory.process(pid).proc == label.proc && self.memory.state_of(pid) == state
        });
        i32::from(there)
    }

    /// A variable of a process that does not run, or is of another type, is
    /// zero.
    fn remote_var(&self, var: &RemoteVar, frame: Frame) -> i32 {
        let Some(pid) = self.remote(var.pid.as_ref(), var.proc, frame) else { return 0 };
        let process = self.memory.process(pid);
        if process.proc != var.proc {
            return 0;
        }
        match &var.place {
            Place::Cell(cell) => self.memory.load(cell, process.base),
            Place::Element(element) => self.load_element(element, frame, process.base),
            Place::Nowhere => 0,
        }
    }
}
