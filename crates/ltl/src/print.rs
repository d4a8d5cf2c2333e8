//! Formulas as text that parses to the same formula.

use std::fmt;

use crate::formula::{Binary, Formula, Unary};
use crate::parse::parse;

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::True => f.write_str("true"),
            Formula::False => f.write_str("false"),
            Formula::Proposition(text) => proposition(f, text),
            Formula::Unary(op, inner) => unary(f, *op, inner),
            Formula::Binary(op, left, right) => {
                operand(f, left)?;
                write!(f, " {} ", sign(*op))?;
                operand(f, right)
            }
        }
    }
}

fn unary(f: &mut fmt::Formatter<'_>, op: Unary, inner: &Formula) -> fmt::Result {
    f.write_str(match op {
        Unary::Not => "!",
        Unary::Next => "X ",
        Unary::Always => "G ",
        Unary::Eventually => "F ",
    })?;
    operand(f, inner)
}

/// Everything of two operands is put into parentheses: clearer than knowing
/// which binds more.
fn operand(f: &mut fmt::Formatter<'_>, inner: &Formula) -> fmt::Result {
    match inner {
        Formula::Binary(..) => write!(f, "({inner})"),
        Formula::Proposition(text) if text.contains(' ') && is_bare(text) => write!(f, "({text})"),
        _ => write!(f, "{inner}"),
    }
}

fn sign(op: Binary) -> &'static str {
    match op {
        Binary::And => "&&",
        Binary::Or => "||",
        Binary::Implies => "->",
        Binary::Equivalent => "<->",
        Binary::LeadsTo => "~>",
        Binary::Until => "U",
        Binary::Release => "R",
        Binary::WeakUntil => "W",
        Binary::StrongRelease => "M",
    }
}

fn proposition(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if is_bare(text) { f.write_str(text) } else { write!(f, "{{{text}}}") }
}

/// Whether it is read as the same proposition without braces.
fn is_bare(text: &str) -> bool {
    let bare = |same: Formula| matches!(same, Formula::Proposition(same) if *same == *text);
    !text.contains(['{', '}']) && parse(text).is_ok_and(bare)
}
