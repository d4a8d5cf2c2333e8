//! Expressions: names to cells, numbers folded.

use crate::code::{Expr, Place, Receive, RemoteLabel, RemoteVar, Run, Slot};
use crate::embedded::Purpose;
use crate::source::Pos;
use exeunt_operator::{wrapping, wrapping_unary};

use crate::syntax::{self, Binary, ExprKind, Name, ReceiveArg, Unary, VarRef};

use super::Checker;
use super::types::Type;

/// SPIN's limit on the number of processes.
pub(crate) const MAX_PROCESSES: usize = 255;
pub(crate) const MAX_CHANNELS: usize = 255;

impl Checker<'_> {
    /// Compiles an expression; after an error it is some number.
    pub(crate) fn expr(&mut self, expr: &syntax::Expr) -> Expr {
        let pos = expr.pos;
        match &expr.kind {
            ExprKind::Number(number) => Expr::Const(*number),
            ExprKind::Ref(var) => self.value_of(var),
            ExprKind::Unary(op, inner) => unary(*op, self.operand(inner)),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.operand(left), self.operand(right));
                binary(*op, left, right)
            }
            ExprKind::Cond(test, yes, no) => {
                let parts = (self.operand(test), self.operand(yes), self.operand(no));
                Expr::Cond(Box::new(parts))
            }
            ExprKind::Run { name, args, priority } => self.run(name, args, *priority, pos),
            ExprKind::Probe(probe, chan) => Expr::Probe(*probe, Box::new(self.channel(chan).0)),
            ExprKind::Poll(receive) => Expr::Poll(Box::new(self.poll(receive, pos))),
            ExprKind::Enabled(pid) => Expr::Enabled(Box::new(self.operand(pid))),
            ExprKind::PcValue(pid) => Expr::PcValue(Box::new(self.operand(pid))),
            ExprKind::GetPriority(pid) => {
                self.look_at_priorities(pos);
                Expr::GetPriority(Box::new(self.operand(pid)))
            }
            ExprKind::Timeout => {
                self.program.uses_timeout = true;
                Expr::Timeout
            }
            ExprKind::NonProgress => Expr::NonProgress,
            ExprKind::Code(code) => Expr::Code(Box::new(self.code(code, &Purpose::Value))),
            ExprKind::RemoteLabel { process, pid, label } => {
                self.remote_label(process, pid.as_deref(), label, pos)
            }
            ExprKind::RemoteVar { process, pid, var } => {
                self.remote_var(process, pid.as_deref(), var, pos)
            }
        }
    }

    /// A part of a larger expression: no process may be started in it.
    pub(crate) fn operand(&mut self, expr: &syntax::Expr) -> Expr {
        if matches!(expr.kind, ExprKind::Run { .. }) {
            let help = ["start the process in a statement of its own: `p = run P()`"];
            self.error(expr.pos, "`run` inside a larger expression", &help);
        }
        self.expr(expr)
    }

    fn value_of(&mut self, var: &VarRef) -> Expr {
        if let Some(name) = var.simple() {
            if let Some(value) = self.predefined(name, var.pos) {
                return value;
            }
            if self.lookup(name).is_none()
                && let Some((value, _)) = self.mtype_values.get(name)
            {
                return Expr::Const(*value);
            }
        }
        let place = match self.find(var) {
            Some(found) => self.scalar(found),
            None => None,
        };
        place.map_or(Expr::Const(0), load)
    }

    fn predefined(&mut self, name: &Name, pos: Pos) -> Option<Expr> {
        match &**name {
            "_pid" => Some(Expr::Pid),
            "_nr_pr" => Some(Expr::RunningProcesses),
            "_last" => self.program.last.map(Expr::Cell),
            "_priority" => {
                self.look_at_priorities(pos);
                Some(Expr::GetPriority(Box::new(Expr::Pid)))
            }
            "_" if matches!(&*self.scope.function, "trace" | "notrace") => Some(Expr::Anything),
            "_" => {
                self.error(pos, "`_` has no value", &["it only takes values that are not needed"]);
                Some(Expr::Const(0))
            }
            _ => None,
        }
    }

    fn run(&mut self, name: &Name, args: &[syntax::Expr], priority: Option<i32>, pos: Pos) -> Expr {
        let args = self.values(args);
        let Some(proc) = self.procs.get(name).copied() else {
            self.error(pos, format!("there is no process type `{name}`"), &[]);
            return Expr::Const(0);
        };
        let params = self.program.procs[proc.0 as usize].params.len();
        if args.len() != params {
            let message = format!("`{name}` takes {params} arguments, {} are given", args.len());
            self.error(pos, message, &[]);
        }
        let priority = self.priority(priority, pos);
        Expr::Run(Box::new(Run { proc, args, priority }))
    }

    /// A statement or expression has to do with the priorities of processes.
    pub(super) fn look_at_priorities(&mut self, pos: Pos) {
        self.program.uses_priority = true;
        if self.program.rules.no_priorities {
            let message =
                "priorities mean nothing here, and a model cannot look at them or set them";
            self.error(pos, message, &["leave `-o6` (`--no-priorities`) out"]);
        }
    }

    pub(crate) fn priority(&mut self, priority: Option<i32>, pos: Pos) -> u8 {
        let counts = !self.program.rules.no_priorities;
        self.program.uses_priority |= priority.is_some() && counts;
        match priority.unwrap_or(1) {
            1..=255 if !counts => 1,
            number @ 1..=255 => number as u8,
            number => {
                self.error(pos, format!("priority {number} is not between 1 and 255"), &[]);
                1
            }
        }
    }

    /// Values for a message or for parameters: a structure counts as all its
    /// fields.
    pub(crate) fn values(&mut self, args: &[syntax::Expr]) -> Vec<Expr> {
        let mut out = Vec::new();
        for arg in args {
            match self.structure(arg) {
                Some(places) => out.extend(places.into_iter().map(load)),
                None => out.push(self.operand(arg)),
            }
        }
        out
    }

    fn structure(&mut self, arg: &syntax::Expr) -> Option<Vec<Place>> {
        let ExprKind::Ref(var) = &arg.kind else { return None };
        self.lookup(&var.parts[0].name)?;
        let before = self.errors.len();
        let found = self.find(var);
        match found {
            Some(found) if matches!(found.ty, Type::Struct(_)) => self.scalars(found),
            _ => {
                self.errors.truncate(before);
                None
            }
        }
    }

    /// A channel and its declaration, if that is known.
    pub(crate) fn channel(&mut self, var: &VarRef) -> (Expr, Option<crate::code::ChanDeclId>) {
        let Some(found) = self.find(var) else { return (Expr::Const(0), None) };
        if found.ty != Type::Chan {
            // SPIN lets any number serve as a channel's name.
            if !matches!(found.ty, Type::Number(_)) {
                self.error(var.pos, format!("`{var}` is not a channel"), &[]);
                return (Expr::Const(0), None);
            }
        }
        let declared = found.channel;
        let place = self.scalar(found);
        (place.map_or(Expr::Const(0), load), declared)
    }

    pub(crate) fn receive(&mut self, receive: &syntax::Receive, pos: Pos) -> Receive {
        let (chan, declared) = self.channel(&receive.chan);
        let mut args = Vec::new();
        for arg in &receive.args {
            self.receive_slot(arg, &mut args);
        }
        if let Some(id) = declared {
            let fields = self.program.channels[id.0 as usize].fields.len();
            if fields != args.len() {
                self.wrong_fields(&receive.chan, fields, args.len(), pos);
            }
        }
        Receive { chan, args, random: receive.random, peek: receive.peek }
    }

    /// A poll may name fewer fields than messages have: the rest may be anything.
    fn poll(&mut self, receive: &syntax::Receive, pos: Pos) -> Receive {
        let (_, declared) = self.channel(&receive.chan);
        let fields = declared.map(|id| self.program.channels[id.0 as usize].fields.len());
        let mut receive = receive.clone();
        let missing = fields.map_or(0, |fields| fields.saturating_sub(receive.args.len()));
        receive.args.extend(std::iter::repeat_n(ReceiveArg::Anything, missing));
        self.receive(&receive, pos)
    }

    /// As SPIN does, a receive and a send of too few values are accepted: they go wrong when they
    /// are executed.
    pub(crate) fn wrong_fields(&mut self, chan: &VarRef, fields: usize, given: usize, pos: Pos) {
        let message = format!("messages of `{chan}` have {fields} fields, {given} are named here");
        self.warn(pos, message, &["use `_` for a field whose value is not needed"]);
    }

    fn receive_slot(&mut self, arg: &ReceiveArg, out: &mut Vec<Slot>) {
        match arg {
            ReceiveArg::Anything => out.push(Slot::Store(Place::Nowhere)),
            ReceiveArg::Number(number) => out.push(Slot::Match(Expr::Const(*number))),
            ReceiveArg::Eval(inner) => {
                let value = self.operand(inner);
                out.push(Slot::Match(value));
            }
            ReceiveArg::Into(var) => {
                if let Some(name) = var.simple()
                    && self.lookup(name).is_none()
                    && let Some((value, _)) = self.mtype_values.get(name)
                {
                    out.push(Slot::Match(Expr::Const(*value)));
                    return;
                }
                if let Some(name) = var.simple()
                    && ["_pid", "_nr_pr", "_last"].contains(&&**name)
                {
                    self.error(var.pos, format!("`{name}` cannot be assigned"), &[]);
                    return;
                }
                let places = self.find(var).and_then(|found| self.scalars(found));
                out.extend(places.unwrap_or_default().into_iter().map(Slot::Store));
            }
        }
    }

    fn remote_label(
        &mut self,
        process: &Name,
        pid: Option<&syntax::Expr>,
        label: &Name,
        pos: Pos,
    ) -> Expr {
        let pid = pid.map(|pid| self.operand(pid));
        let Some(proc) = self.procs.get(process).copied() else {
            self.error(pos, format!("there is no process type `{process}`"), &[]);
            return Expr::Const(0);
        };
        let state = self.remote_labels.len() as u16;
        self.remote_labels.push((process.clone(), label.clone(), pos));
        Expr::RemoteLabel(Box::new(RemoteLabel { proc, pid, state }))
    }

    fn remote_var(
        &mut self,
        process: &Name,
        pid: Option<&syntax::Expr>,
        var: &VarRef,
        pos: Pos,
    ) -> Expr {
        let pid = pid.map(|pid| self.operand(pid));
        let Some(proc) = self.procs.get(process).copied() else {
            self.error(pos, format!("there is no process type `{process}`"), &[]);
            return Expr::Const(0);
        };
        let name = &var.parts[0].name;
        let locals = &self.locals[proc.0 as usize];
        let Some(variable) = locals.iter().find(|local| local.name == *name).cloned() else {
            self.error(pos, format!("`{process}` has no variable `{name}`"), &[]);
            return Expr::Const(0);
        };
        let place = self.walk(variable, var).and_then(|found| self.scalar(found));
        match place {
            Some(place) => Expr::RemoteVar(Box::new(RemoteVar { proc, pid, place })),
            None => Expr::Const(0),
        }
    }
}

pub(crate) fn load(place: Place) -> Expr {
    match place {
        Place::Cell(cell) => Expr::Cell(cell),
        Place::Element(element) => Expr::Element(element),
        Place::Nowhere => Expr::Const(0),
    }
}

fn unary(op: Unary, inner: Expr) -> Expr {
    match (op, inner) {
        (op, Expr::Const(value)) => Expr::Const(wrapping_unary(op, value)),
        (op, inner) => Expr::Unary(op, Box::new(inner)),
    }
}

fn binary(op: Binary, left: Expr, right: Expr) -> Expr {
    match (left, right) {
        (Expr::Const(a), Expr::Const(b)) if wrapping(op, a, b).is_some() => {
            Expr::Const(wrapping(op, a, b).expect("just checked"))
        }
        (Expr::Cell(cell), Expr::Const(number))
            if !matches!(op, Binary::Divide | Binary::Modulo) =>
        {
            Expr::CellConst(op, cell, number)
        }
        (left, right) => Expr::Binary(op, Box::new(left), Box::new(right)),
    }
}
