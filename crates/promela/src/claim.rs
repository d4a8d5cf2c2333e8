//! Claims: never claims, trace assertions and formulas. They are compiled
//! here and checked by an engine that builds the product.

use std::sync::Arc;

use exeunt_model::Location;

use crate::check::Checker;
use crate::code::{Expr, ProcId};
use crate::syntax::{self, BodyKind, Formula, Spec};

/// Something a model says about itself besides its assertions.
#[derive(Clone, Debug)]
pub struct Claim {
    pub name: Arc<str>,
    pub kind: ClaimKind,
    pub location: Location,
}

#[derive(Clone, Debug)]
pub enum ClaimKind {
    /// An automaton of what must not happen: a table like that of a process.
    Never(ProcId),
    /// Only these sends and receives may happen, in this order.
    Trace(ProcId),
    /// This order of sends and receives must not be completed.
    Notrace(ProcId),
    /// A formula over numbered conditions of the state.
    Ltl { text: Arc<str>, formula: Ltl, conditions: Vec<Condition> },
}

/// A condition of the state that a formula speaks of.
#[derive(Clone, Debug)]
pub struct Condition {
    pub text: Arc<str>,
    pub(crate) expr: Expr,
    pub(crate) location: Location,
}

/// A formula whose propositions are numbers of conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ltl {
    Condition(usize),
    Not(Box<Ltl>),
    And(Box<Ltl>, Box<Ltl>),
    Or(Box<Ltl>, Box<Ltl>),
    Implies(Box<Ltl>, Box<Ltl>),
    Equivalent(Box<Ltl>, Box<Ltl>),
    Next(Box<Ltl>),
    Always(Box<Ltl>),
    Eventually(Box<Ltl>),
    Until(Box<Ltl>, Box<Ltl>),
    WeakUntil(Box<Ltl>, Box<Ltl>),
    Release(Box<Ltl>, Box<Ltl>),
}

impl Claim {
    /// For messages: "never claim `c`".
    pub fn describe(&self) -> String {
        let kind = match self.kind {
            ClaimKind::Never(_) => "never claim",
            ClaimKind::Trace(_) | ClaimKind::Notrace(_) => "the assertion",
            ClaimKind::Ltl { .. } => "formula",
        };
        format!("{kind} `{}`", self.name)
    }
}

/// Compiles the conditions of all formulas, so that remote references in
/// them are known before tables are made.
pub(crate) fn resolve_formulas(checker: &mut Checker<'_>, spec: &Spec) {
    checker.scope = Default::default();
    for decl in &spec.formulas {
        let mut conditions = Vec::new();
        let formula = ltl(checker, &decl.formula, &mut conditions);
        let location = checker.sources.location(decl.pos, &decl.name);
        let text: Arc<str> = decl.formula.to_string().into();
        let kind = ClaimKind::Ltl { text, formula, conditions };
        checker.formulas.push(Claim { name: decl.name.clone(), kind, location });
    }
}

/// All claims of a model.
pub(crate) fn claims(checker: &mut Checker<'_>, spec: &Spec) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (index, proc) in spec.proctypes.iter().enumerate() {
        let id = ProcId(index as u16);
        let kind = match proc.kind {
            BodyKind::Never => ClaimKind::Never(id),
            BodyKind::Trace => ClaimKind::Trace(id),
            BodyKind::Notrace => ClaimKind::Notrace(id),
            BodyKind::Proctype | BodyKind::Init => continue,
        };
        let location = checker.sources.location(proc.pos, &proc.name);
        claims.push(Claim { name: proc.name.clone(), kind, location });
    }
    claims.append(&mut checker.formulas);
    claims
}

fn ltl(checker: &mut Checker<'_>, formula: &Formula, out: &mut Vec<Condition>) -> Ltl {
    if let Formula::Holds(expr) = formula {
        return Ltl::Condition(condition(checker, expr, out));
    }
    let mut one = |inner: &Formula| Box::new(ltl(checker, inner, out));
    match formula {
        Formula::Holds(_) => unreachable!("handled above"),
        Formula::Not(a) => Ltl::Not(one(a)),
        Formula::And(a, b) => Ltl::And(one(a), one(b)),
        Formula::Or(a, b) => Ltl::Or(one(a), one(b)),
        Formula::Implies(a, b) => Ltl::Implies(one(a), one(b)),
        Formula::Equivalent(a, b) => Ltl::Equivalent(one(a), one(b)),
        Formula::Next(a) => Ltl::Next(one(a)),
        Formula::Always(a) => Ltl::Always(one(a)),
        Formula::Eventually(a) => Ltl::Eventually(one(a)),
        Formula::Until(a, b) => Ltl::Until(one(a), one(b)),
        Formula::WeakUntil(a, b) => Ltl::WeakUntil(one(a), one(b)),
        Formula::Release(a, b) => Ltl::Release(one(a), one(b)),
    }
}

/// The number of a condition; equal texts are the same condition.
fn condition(checker: &mut Checker<'_>, expr: &syntax::Expr, out: &mut Vec<Condition>) -> usize {
    let text: Arc<str> = expr.to_string().into();
    if let Some(index) = out.iter().position(|known| known.text == text) {
        return index;
    }
    let location = checker.sources.location(expr.pos, "");
    let expr = checker.operand(expr);
    out.push(Condition { text, expr, location });
    out.len() - 1
}
