//! Simple statements to actions. What has parts is taken apart in `flow`.

use crate::code::{Action, Code, Exclusive, Expr, Initial, Place, ProcId, Send};
use crate::embedded::Purpose;
use crate::source::Pos;
use crate::syntax::{self, ExprKind, Stmt, StmtKind, VarDecl, VarRef};

use super::Checker;
use super::types::{Type, Variable};

impl Checker<'_> {
    /// The action of a statement without parts.
    pub(crate) fn action(&mut self, stmt: &Stmt) -> Action {
        match &stmt.kind {
            StmtKind::Condition(expr) => self.condition(expr),
            StmtKind::Assign { target, value } => self.assign(target, value),
            StmtKind::Send { chan, args, sorted } => self.send(chan, args, *sorted, stmt.pos),
            StmtKind::Receive(receive) => {
                Action::Receive(Box::new(self.receive(receive, stmt.pos)))
            }
            StmtKind::Else => Action::Else,
            StmtKind::Assert(expr) => Action::Assert(self.operand(expr)),
            StmtKind::Print { format, args } => {
                let args: Vec<Expr> = args.iter().map(|arg| self.operand(arg)).collect();
                Action::Print { format: format.clone(), args }
            }
            StmtKind::PrintMtype(value) => Action::PrintMtype(self.operand(value)),
            StmtKind::SetPriority { pid, value } => {
                self.look_at_priorities(stmt.pos);
                let parts = (self.operand(pid), self.operand(value));
                Action::SetPriority(Box::new(parts))
            }
            StmtKind::Code { condition, body } => {
                let mut code = self.code(body, &Purpose::Execute(condition.as_ref()));
                code.condition = condition.as_ref().map(|code| code.text.trim().into());
                Action::Code(Box::new(code))
            }
            kind => unreachable!("{kind:?} has parts"),
        }
    }

    /// A piece of C code of the body at hand.
    pub(super) fn code(&mut self, text: &syntax::Code, purpose: &Purpose<'_>) -> Code {
        let (function, cells, counts) = self.add_code(text, purpose);
        let memory = self.program.code_memory.expect("reserved where there is C code");
        Code { function, cells, counts, memory, condition: None }
    }

    pub(crate) fn condition(&mut self, expr: &syntax::Expr) -> Action {
        if let ExprKind::Code(code) = &expr.kind {
            return Action::Guard(Expr::Code(Box::new(self.code(code, &Purpose::Truth))));
        }
        match self.expr(expr) {
            Expr::Const(number) if number != 0 && matches!(expr.kind, ExprKind::Number(1)) => {
                Action::Skip
            }
            run @ Expr::Run(_) => Action::GuardRun(run),
            other => Action::Guard(other),
        }
    }

    pub(crate) fn assign(&mut self, target: &VarRef, value: &syntax::Expr) -> Action {
        let value = self.expr(value);
        Action::Assign(self.target(target), value)
    }

    /// Where an assignment stores.
    pub(crate) fn target(&mut self, var: &VarRef) -> Place {
        if let Some(name) = var.simple() {
            match &**name {
                "_" => return Place::Nowhere,
                "_pid" | "_nr_pr" | "_last" => {
                    self.error(var.pos, format!("`{name}` cannot be assigned"), &[]);
                    return Place::Nowhere;
                }
                _ if self.lookup(name).is_none() && self.mtype_values.contains_key(name) => {
                    self.error(var.pos, format!("`{name}` is the name of a value"), &[]);
                    return Place::Nowhere;
                }
                _ => {}
            }
        }
        let Some(found) = self.find(var) else { return Place::Nowhere };
        self.scalar(found).unwrap_or(Place::Nowhere)
    }

    fn send(&mut self, chan: &VarRef, args: &[syntax::Expr], sorted: bool, pos: Pos) -> Action {
        let (channel, declared) = self.channel(chan);
        let args = self.values(args);
        if let Some(id) = declared {
            let fields = self.program.channels[id.0 as usize].fields.len();
            if args.len() > fields {
                let message = format!(
                    "messages of `{chan}` have {fields} fields, {} are sent here",
                    args.len()
                );
                self.error(pos, message, &[]);
            } else if args.len() < fields {
                self.wrong_fields(chan, fields, args.len(), pos);
            }
        }
        Action::Send(Box::new(Send { chan: channel, args, sorted }))
    }

    /// `xr` and `xs`: remembered with the process type.
    pub(crate) fn claim_exclusive(&mut self, receive: bool, channels: &[VarRef], pos: Pos) {
        let proc = self.scope.proc.expect("inside a process type");
        for var in channels {
            // A whole array of channels is claimed element by element.
            let length = self.find(var).and_then(|found| found.length);
            let Some(length) = length else {
                let (chan, _) = self.channel(var);
                self.add_exclusive(proc, receive, chan, var);
                continue;
            };
            for index in 0..length {
                let mut element = var.clone();
                let number = syntax::Expr { pos, kind: ExprKind::Number(index as i32) };
                let part = element.parts.last_mut().expect("a reference has a part");
                part.index = Some(Box::new(number));
                let (chan, _) = self.channel(&element);
                self.add_exclusive(proc, receive, chan, &element);
            }
        }
    }

    fn add_exclusive(&mut self, proc: ProcId, receive: bool, chan: Expr, var: &VarRef) {
        let claim = Exclusive { receive, chan, name: var.to_string().into() };
        self.program.procs[proc.0 as usize].exclusive.push(claim);
    }

    /// What a declaration at the start of a process type sets.
    pub(crate) fn initialise_local(&mut self, variable: &Variable, decl: &VarDecl) {
        let proc = self.scope.proc.expect("inside a process type").0 as usize;
        let mut initial = Vec::new();
        self.initial_values(variable, decl, &mut initial);
        for entry in initial {
            if let Initial::Channel(_, id) = entry {
                self.program.procs[proc].channels.push(id);
            }
            self.program.procs[proc].initial.push(entry);
        }
    }

    /// The loop variable of `for` and `select`: a plain number.
    pub(crate) fn loop_variable(&mut self, var: &VarRef) -> Option<Type> {
        let found = self.find(var)?;
        Some(found.ty)
    }
}
