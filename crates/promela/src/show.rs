//! The syntax tree as text again, for messages, stories and tables.

use std::fmt;

use crate::syntax::{
    Binary, Expr, ExprKind, Formula, Part, Probe, Receive, ReceiveArg, Stmt, StmtKind, VarRef,
};

impl fmt::Display for VarRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Part { name, index }) in self.parts.iter().enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            f.write_str(name)?;
            if let Some(index) = index {
                write!(f, "[{index}]")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        expr(f, self, 0)
    }
}

fn expr(f: &mut fmt::Formatter<'_>, node: &Expr, level: u8) -> fmt::Result {
    match &node.kind {
        ExprKind::Number(number) => write!(f, "{number}"),
        ExprKind::Ref(var) => write!(f, "{var}"),
        ExprKind::Unary(op, inner) => {
            f.write_str(op.sign())?;
            expr(f, inner, 11)
        }
        ExprKind::Binary(op, left, right) => binary(f, *op, left, right, level),
        ExprKind::Cond(test, yes, no) => write!(f, "({test} -> {yes} : {no})"),
        ExprKind::Run { name, args, .. } => write!(f, "run {name}({})", list(args)),
        ExprKind::Probe(probe, chan) => write!(f, "{}({chan})", probe_name(*probe)),
        ExprKind::Poll(receive) => {
            let sign = if receive.random { "??" } else { "?" };
            write!(f, "{}{sign}[{}]", receive.chan, list(&receive.args))
        }
        ExprKind::Enabled(pid) => write!(f, "enabled({pid})"),
        ExprKind::PcValue(pid) => write!(f, "pc_value({pid})"),
        ExprKind::GetPriority(pid) => write!(f, "get_priority({pid})"),
        ExprKind::Timeout => f.write_str("timeout"),
        ExprKind::NonProgress => f.write_str("np_"),
        ExprKind::Code(code) => write!(f, "c_expr {{ {} }}", code.text.trim()),
        ExprKind::RemoteLabel { process, pid, label } => {
            write!(f, "{process}{}@{label}", bracketed(pid))
        }
        ExprKind::RemoteVar { process, pid, var } => {
            write!(f, "{process}{}:{var}", bracketed(pid))
        }
    }
}

fn binary(
    f: &mut fmt::Formatter<'_>,
    op: Binary,
    left: &Expr,
    right: &Expr,
    level: u8,
) -> fmt::Result {
    let own = op.level();
    if own < level {
        f.write_str("(")?;
    }
    expr(f, left, own)?;
    write!(f, " {} ", op.sign())?;
    expr(f, right, own + 1)?;
    if own < level {
        f.write_str(")")?;
    }
    Ok(())
}

fn bracketed(pid: &Option<Box<Expr>>) -> String {
    pid.as_ref().map_or(String::new(), |pid| format!("[{pid}]"))
}

fn probe_name(probe: Probe) -> &'static str {
    match probe {
        Probe::Length => "len",
        Probe::Full => "full",
        Probe::Empty => "empty",
        Probe::NotFull => "nfull",
        Probe::NotEmpty => "nempty",
    }
}

fn list<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for ReceiveArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReceiveArg::Into(var) => write!(f, "{var}"),
            ReceiveArg::Anything => f.write_str("_"),
            ReceiveArg::Number(number) => write!(f, "{number}"),
            ReceiveArg::Eval(inner) => write!(f, "eval({inner})"),
        }
    }
}

impl fmt::Display for Receive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.random { "??" } else { "?" };
        let (open, close) = if self.peek { ("<", ">") } else { ("", "") };
        write!(f, "{}{sign}{open}{}{close}", self.chan, list(&self.args))
    }
}

impl StmtKind {
    /// Whether it consists of other statements.
    pub fn has_parts(&self) -> bool {
        matches!(
            self,
            StmtKind::If(_)
                | StmtKind::Do(_)
                | StmtKind::For { .. }
                | StmtKind::ForIn { .. }
                | StmtKind::Select { .. }
                | StmtKind::Atomic(_)
                | StmtKind::DStep(_)
                | StmtKind::Block(_)
                | StmtKind::Unless(..)
        )
    }
}

impl fmt::Display for Stmt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.text.is_empty() {
            return f.write_str(&self.text);
        }
        match &self.kind {
            StmtKind::Condition(Expr { kind: ExprKind::Number(1), .. }) => f.write_str("skip"),
            StmtKind::Condition(expr) => write!(f, "{expr}"),
            StmtKind::Assign { target, value } => write!(f, "{target} = {value}"),
            StmtKind::Send { chan, args, sorted } => {
                write!(f, "{chan}{}{}", if *sorted { "!!" } else { "!" }, list(args))
            }
            StmtKind::Receive(receive) => write!(f, "{receive}"),
            StmtKind::If(_) => f.write_str("if"),
            StmtKind::Do(_) => f.write_str("do"),
            StmtKind::For { var, from, to, .. } => write!(f, "for ({var} : {from} .. {to})"),
            StmtKind::ForIn { var, within, .. } => write!(f, "for ({var} in {within})"),
            StmtKind::Select { var, from, to } => write!(f, "select ({var} : {from} .. {to})"),
            StmtKind::Goto(label) => write!(f, "goto {label}"),
            StmtKind::Break => f.write_str("break"),
            StmtKind::Else => f.write_str("else"),
            StmtKind::Assert(expr) => write!(f, "assert({expr})"),
            StmtKind::Print { format, .. } => write!(f, "printf(\"{format}\")"),
            StmtKind::PrintMtype(expr) => write!(f, "printm({expr})"),
            StmtKind::SetPriority { pid, value } => write!(f, "set_priority({pid}, {value})"),
            StmtKind::Code { body, .. } => write!(f, "c_code {{ {} }}", body.text.trim()),
            StmtKind::Atomic(_) => f.write_str("atomic"),
            StmtKind::DStep(_) => f.write_str("d_step"),
            StmtKind::Block(_) => f.write_str("{ … }"),
            StmtKind::Unless(..) => f.write_str("unless"),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::Holds(expr) => write!(f, "({expr})"),
            Formula::Not(a) => write!(f, "!{a}"),
            Formula::And(a, b) => write!(f, "({a} && {b})"),
            Formula::Or(a, b) => write!(f, "({a} || {b})"),
            Formula::Implies(a, b) => write!(f, "({a} -> {b})"),
            Formula::Equivalent(a, b) => write!(f, "({a} <-> {b})"),
            Formula::Next(a) => write!(f, "X {a}"),
            Formula::Always(a) => write!(f, "[] {a}"),
            Formula::Eventually(a) => write!(f, "<> {a}"),
            Formula::Until(a, b) => write!(f, "({a} U {b})"),
            Formula::WeakUntil(a, b) => write!(f, "({a} W {b})"),
            Formula::Release(a, b) => write!(f, "({a} V {b})"),
        }
    }
}
