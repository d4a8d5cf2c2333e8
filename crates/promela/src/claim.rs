//! Claims: never claims, trace assertions and formulas. They are compiled
//! here and checked by an engine that builds the product.

use std::collections::HashMap;
use std::sync::Arc;

use exeunt_ltl::{Binary, Formula, Unary};
use exeunt_model::Location;

use crate::check::Checker;
use crate::code::{Expr, ProcId};
use crate::syntax::{self, BodyKind, Spec};

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
    /// A formula whose propositions are names of these conditions.
    Ltl { text: Arc<str>, formula: Formula, conditions: Vec<Condition> },
}

/// A condition of the state that a formula speaks of.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What the formula calls it.
    pub name: Arc<str>,
    pub text: Arc<str>,
    pub(crate) expr: Expr,
    pub(crate) location: Location,
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
/// them are known before tables are made. Each proposition of a formula that is
/// asked from outside was read as a unit of its own, named by [`part_name`].
pub(crate) fn resolve_formulas(
    checker: &mut Checker<'_>,
    spec: &Spec,
    asked: &[(String, Formula)],
) {
    checker.scope = Default::default();
    let mut parts: HashMap<String, &syntax::LtlDecl> = HashMap::new();
    for (name, formula) in asked {
        for number in 0..formula.propositions().len() {
            let part = part_name(name, number);
            let unit = spec.formulas.iter().find(|decl| *decl.name == *part);
            parts.extend(unit.map(|unit| (part, unit)));
        }
    }
    for decl in spec.formulas.iter().filter(|decl| !parts.contains_key(&*decl.name)) {
        let mut conditions = Vec::new();
        let formula = ltl(checker, &decl.formula, &mut conditions);
        let location = checker.sources.location(decl.pos, &decl.name);
        let text: Arc<str> = decl.formula.to_string().into();
        let kind = ClaimKind::Ltl { text, formula, conditions };
        checker.formulas.push(Claim { name: decl.name.clone(), kind, location });
    }
    for (name, formula) in asked {
        let claim = asked_claim(checker, name, formula, &parts);
        checker.formulas.push(claim);
    }
}

/// The name of the unit that a proposition of a formula is read as.
pub(crate) fn part_name(formula: &str, number: usize) -> String {
    format!("{formula}_{number}")
}

/// A formula with its propositions replaced by what they mean in the model. A
/// macro may stand for a formula, so that need not be a condition.
fn asked_claim(
    checker: &mut Checker<'_>,
    name: &str,
    formula: &Formula,
    parts: &HashMap<String, &syntax::LtlDecl>,
) -> Claim {
    let mut conditions = Vec::new();
    let mut location = Location::in_function(name);
    let mut meanings: HashMap<Arc<str>, Formula> = HashMap::new();
    for (number, text) in formula.propositions().into_iter().enumerate() {
        let Some(unit) = parts.get(&part_name(name, number)) else { continue };
        location = checker.sources.location(unit.pos, name);
        meanings.insert(text, ltl(checker, &unit.formula, &mut conditions));
    }
    let text: Arc<str> = formula.to_string().into();
    let formula = formula.replaced(&|text| meanings.get(text).cloned());
    Claim { name: name.into(), kind: ClaimKind::Ltl { text, formula, conditions }, location }
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

fn ltl(checker: &mut Checker<'_>, formula: &syntax::Formula, out: &mut Vec<Condition>) -> Formula {
    use syntax::Formula as Written;
    let mut read = |part: &Written| ltl(checker, part, out);
    let (op, a, b) = match formula {
        Written::Holds(expr) => return Formula::Proposition(condition(checker, expr, out)),
        Written::Not(a) => return Formula::unary(Unary::Not, read(a)),
        Written::Next(a) => return Formula::unary(Unary::Next, read(a)),
        Written::Always(a) => return Formula::unary(Unary::Always, read(a)),
        Written::Eventually(a) => return Formula::unary(Unary::Eventually, read(a)),
        Written::And(a, b) => (Binary::And, a, b),
        Written::Or(a, b) => (Binary::Or, a, b),
        Written::Implies(a, b) => (Binary::Implies, a, b),
        Written::Equivalent(a, b) => (Binary::Equivalent, a, b),
        Written::Until(a, b) => (Binary::Until, a, b),
        Written::WeakUntil(a, b) => (Binary::WeakUntil, a, b),
        Written::Release(a, b) => (Binary::Release, a, b),
    };
    let left = read(a);
    Formula::binary(op, left, read(b))
}

/// The name of a condition; equal texts are the same condition.
fn condition(checker: &mut Checker<'_>, expr: &syntax::Expr, out: &mut Vec<Condition>) -> Arc<str> {
    let text: Arc<str> = expr.to_string().into();
    if let Some(known) = out.iter().find(|known| known.text == text) {
        return known.name.clone();
    }
    let location = checker.sources.location(expr.pos, "");
    let expr = checker.operand(expr);
    let name: Arc<str> = format!("c{}", out.len()).into();
    out.push(Condition { name: name.clone(), text, expr, location });
    name
}
