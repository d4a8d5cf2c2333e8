//! Values of expressions, as terms.

use exeunt_promela::code::{Binary, Element, Expr, Place, Probe, ProcId, Unary};
use exeunt_smt::{Formula, Int, Term};

use crate::arithmetic::{self, int, is_true, truth};
use crate::check::Wrong;
use crate::world::World;

impl World<'_> {
    pub(crate) fn eval(&mut self, expr: &Expr, pid: u32) -> Result<Term, Wrong> {
        let flag = |value: bool| Term::number(Int::from(value));
        Ok(match expr {
            Expr::Const(value) => Term::number(Int::from(*value)),
            Expr::Cell(cell) => {
                self.cell(cell.space, cell.word * 64 + u32::from(cell.shift), pid)?.clone()
            }
            Expr::CellConst(op, cell, number) => {
                let bit = cell.word * 64 + u32::from(cell.shift);
                let left = self.cell(cell.space, bit, pid)?.clone();
                self.operate(*op, &left, &Term::number(Int::from(*number)))?
            }
            Expr::Element(element) => {
                let bit = self.bit_of(element, pid)?;
                self.cell(element.space, bit, pid)?.clone()
            }
            Expr::Unary(Unary::Not, inner) => truth(is_true(&self.eval(inner, pid)?).negated()),
            Expr::Unary(Unary::Negate, inner) => {
                int(self.eval(inner, pid)?.times(-1), self.integers)
            }
            Expr::Unary(Unary::Complement, inner) => self.eval(inner, pid)?.times(-1).add(-1),
            Expr::Binary(op @ (Binary::And | Binary::Or), left, right) => {
                self.connected(*op, left, right, pid)?
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.eval(left, pid)?, self.eval(right, pid)?);
                self.operate(*op, &left, &right)?
            }
            Expr::Cond(parts) => {
                let test = self.holds(&parts.0, pid)?;
                self.eval(if test { &parts.1 } else { &parts.2 }, pid)?
            }
            Expr::Run(run) => {
                let args: Result<Vec<Term>, Wrong> =
                    run.args.iter().map(|arg| self.eval(arg, pid)).collect();
                Term::number(Int::from(self.start(run.proc, &args?, run.priority)?))
            }
            Expr::Probe(probe, chan) => self.probe(*probe, chan, pid)?,
            Expr::Poll(receive) => {
                let pipe = self.pipe(&receive.chan, pid)?;
                if self.is_handshake(pipe) {
                    return Err(Wrong::step("a rendezvous channel is polled"));
                }
                flag(self.wanted(receive, pipe, pid)?.is_some())
            }
            Expr::Enabled(other) => {
                let other = self.eval(other, pid)?;
                let other = self.actor(&other)?;
                flag(match other {
                    Some(other) => self.could_move(other)?,
                    None => false,
                })
            }
            Expr::PcValue(other) => {
                let other = self.eval(other, pid)?;
                let other = self.actor(&other)?;
                Term::number(other.map_or(0, |pid| Int::from(self.actors[pid as usize].state)))
            }
            Expr::GetPriority(other) => {
                let other = self.eval(other, pid)?;
                let other = self.actor(&other)?;
                Term::number(other.map_or(0, |pid| Int::from(self.actors[pid as usize].priority)))
            }
            Expr::Code(_) => return Err(Wrong::step("C code is not known here")),
            Expr::Anything => return Err(Wrong::step("`_` has no value")),
            Expr::Timeout => flag(self.timeout),
            Expr::NonProgress => flag(!self.any_progress()),
            Expr::Pid => Term::number(Int::from(pid)),
            Expr::RunningProcesses => Term::number(self.actors.len() as Int),
            Expr::RemoteLabel(label) => {
                let other = self.remote(label.pid.as_ref(), label.proc, pid)?;
                let state = self.program.remote_labels[label.state as usize];
                flag(other.is_some_and(|pid| self.actors[pid as usize].state == state))
            }
            Expr::RemoteVar(var) => match self.remote(var.pid.as_ref(), var.proc, pid)? {
                None => Term::default(),
                Some(other) => match &var.place {
                    Place::Cell(cell) => {
                        let bit = cell.word * 64 + u32::from(cell.shift);
                        self.cell(cell.space, bit, other)?.clone()
                    }
                    Place::Element(element) => {
                        let bit = self.bit_of(element, pid)?;
                        self.cell(element.space, bit, other)?.clone()
                    }
                    Place::Nowhere => Term::default(),
                },
            },
        })
    }

    pub(crate) fn holds(&mut self, expr: &Expr, pid: u32) -> Result<bool, Wrong> {
        let value = self.eval(expr, pid)?;
        self.settle(is_true(&value))
    }

    /// `&&` and `||`. A right side that cannot go wrong need not wait for the
    /// left one.
    fn connected(
        &mut self,
        op: Binary,
        left: &Expr,
        right: &Expr,
        pid: u32,
    ) -> Result<Term, Wrong> {
        let first = is_true(&self.eval(left, pid)?);
        if harmless(right) {
            let second = is_true(&self.eval(right, pid)?);
            let both = op == Binary::And;
            return Ok(truth(if both { first.both(second) } else { first.either(second) }));
        }
        if self.settle(first)? == (op == Binary::Or) {
            return Ok(Term::number(Int::from(op == Binary::Or)));
        }
        Ok(truth(is_true(&self.eval(right, pid)?)))
    }

    fn operate(&mut self, op: Binary, a: &Term, b: &Term) -> Result<Term, Wrong> {
        if let Some(formula) = arithmetic::comparison(op, a, b) {
            return Ok(truth(formula));
        }
        let small = |term: &Term| term.magnitude() < 1 << 60;
        if !small(a) || !small(b) {
            return Err(Wrong::step("a number is too large"));
        }
        let result = match op {
            Binary::Add => a.plus(b),
            Binary::Subtract => a.minus(b),
            Binary::Multiply => a.product(b),
            Binary::Divide | Binary::Modulo => {
                let divisor = self.pin(b)?;
                if divisor == 0 {
                    return Err(Wrong::step("division by zero"));
                }
                let (quotient, rest) = arithmetic::division(a, divisor);
                if op == Binary::Divide { quotient } else { rest }
            }
            Binary::ShiftLeft => a.times(1 << (self.pin(b)? & 31)),
            Binary::ShiftRight => a.quotient(1 << (self.pin(b)? & 31)),
            Binary::BitAnd | Binary::BitOr | Binary::BitXor => self.bits(op, a, b)?,
            other => unreachable!("{other:?} was a comparison or a connective"),
        };
        Ok(int(result, self.integers))
    }

    fn bits(&mut self, op: Binary, a: &Term, b: &Term) -> Result<Term, Wrong> {
        for (mask, other) in [(a, b), (b, a)] {
            if let Some(number) = mask.as_number()
                && op == Binary::BitAnd
                && number >= 0
                && number & (number + 1) == 0
            {
                return Ok(other.remainder(number + 1));
            }
        }
        let (a, b) = (self.pin(a)?, self.pin(b)?);
        Ok(Term::number(Int::from(arithmetic::bits(op, a as i64, b as i64))))
    }

    pub(crate) fn bit_of(&mut self, element: &Element, pid: u32) -> Result<u32, Wrong> {
        let mut bit = element.base;
        for step in &element.steps {
            let index = self.eval(&step.index, pid)?;
            let index = self.pin(&index)?;
            if !(0..Int::from(step.length)).contains(&index) {
                return Err(Wrong::step("an index is out of range"));
            }
            bit += index as u32 * step.stride;
        }
        Ok(bit)
    }

    fn probe(&mut self, probe: Probe, chan: &Expr, pid: u32) -> Result<Term, Wrong> {
        let pipe = self.pipe(chan, pid)?;
        let length = self.length(pipe);
        let full = self.passing.as_ref().is_some_and(|(passing, _)| *passing == pipe);
        Ok(match probe {
            Probe::Length => length,
            Probe::Empty => truth(Formula::zero(length)),
            Probe::NotEmpty => truth(Formula::zero(length).negated()),
            Probe::Full => Term::number(Int::from(full)),
            Probe::NotFull => Term::number(Int::from(!full)),
        })
    }

    /// A running process by its number.
    pub(crate) fn actor(&mut self, pid: &Term) -> Result<Option<u32>, Wrong> {
        let pid = self.pin(pid)?;
        Ok((0..self.actors.len() as u32).find(|own| Int::from(*own) == pid))
    }

    fn remote(
        &mut self,
        named: Option<&Expr>,
        proc: ProcId,
        pid: u32,
    ) -> Result<Option<u32>, Wrong> {
        let mut of_type = (0..self.actors.len() as u32).collect::<Vec<_>>();
        of_type.retain(|pid| self.actors[*pid as usize].proc == proc);
        match named {
            None => Ok(of_type.first().copied()),
            Some(expr) => {
                let number = self.eval(expr, pid)?;
                Ok(self.actor(&number)?.filter(|pid| of_type.contains(pid)))
            }
        }
    }

    fn any_progress(&self) -> bool {
        self.actors.iter().any(|actor| {
            let proc = &self.program.procs[actor.proc.0 as usize];
            proc.states[actor.state as usize].progress
        })
    }
}

/// Whether evaluating can neither fail nor change what else is asked.
fn harmless(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Cell(_) | Expr::Pid | Expr::Timeout | Expr::NonProgress => true,
        Expr::RunningProcesses => true,
        Expr::CellConst(Binary::Divide | Binary::Modulo, _, by) => *by != 0,
        Expr::CellConst(..) => true,
        Expr::Unary(_, inner) | Expr::Probe(_, inner) => harmless(inner),
        Expr::Binary(Binary::Divide | Binary::Modulo, ..) => false,
        Expr::Binary(_, left, right) => harmless(left) && harmless(right),
        _ => false,
    }
}
