//! Terms and formulas in SMT-LIB's language.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::term::Kind;
use crate::{Atom, Formula, Int, Term, Var};

/// A complete question: declarations, assertions, `check-sat`.
pub(crate) fn question(formulas: &[&Formula]) -> String {
    let hardest = formulas.iter().map(|formula| formula.kind()).max();
    let logic = match hardest {
        Some(Kind::Bits) => "ALL",
        Some(Kind::Product) => "QF_NIA",
        Some(Kind::Linear | Kind::Division) | None => "QF_LIA",
    };
    let mut text = format!("(set-logic {logic})\n");
    for var in vars(formulas) {
        let _ = writeln!(text, "(declare-const {} Int)", name(var));
    }
    for one in formulas {
        let _ = writeln!(text, "(assert {})", formula(one));
    }
    text.push_str("(check-sat)\n");
    text
}

pub(crate) fn vars(formulas: &[&Formula]) -> BTreeSet<Var> {
    let mut vars = BTreeSet::new();
    formulas.iter().for_each(|formula| formula.collect_vars(&mut vars));
    vars
}

pub(crate) fn name(var: Var) -> String {
    format!("v{}", var.0)
}

pub(crate) fn number(value: Int) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

pub(crate) fn formula(formula: &Formula) -> String {
    let each = |word: &str, parts: &[Formula]| {
        let parts: Vec<String> = parts.iter().map(self::formula).collect();
        format!("({word} {})", parts.join(" "))
    };
    match formula {
        Formula::True => "true".into(),
        Formula::False => "false".into(),
        Formula::NonNegative(sum) => format!("(>= {} 0)", term(sum)),
        Formula::Zero(sum) => format!("(= {} 0)", term(sum)),
        Formula::NonZero(sum) => format!("(not (= {} 0))", term(sum)),
        Formula::And(parts) => each("and", parts),
        Formula::Or(parts) => each("or", parts),
    }
}

pub(crate) fn term(sum: &Term) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (part, factor) in sum.parts() {
        parts.push(match factor {
            1 => atom(part),
            factor => format!("(* {} {})", number(factor), atom(part)),
        });
    }
    if sum.constant() != 0 || parts.is_empty() {
        parts.push(number(sum.constant()));
    }
    if parts.len() == 1 { parts.remove(0) } else { format!("(+ {})", parts.join(" ")) }
}

fn atom(atom: &Atom) -> String {
    match atom {
        Atom::Var(var) => name(*var),
        Atom::Product(a, b) => format!("(* {} {})", term(a), term(b)),
        Atom::Quotient(a, divisor) => format!("(div {} {})", term(a), number(*divisor)),
        Atom::Remainder(a, divisor) => format!("(mod {} {})", term(a), number(*divisor)),
        Atom::Choice(test, yes, no) => {
            format!("(ite {} {} {})", formula(test), term(yes), term(no))
        }
        Atom::Bits(op, width, a, b) => {
            let vector = |number: &Term| format!("((_ int2bv {width}) {})", term(number));
            format!("(bv2nat {})", op.vector(*width, &vector(a), &vector(b)))
        }
    }
}
