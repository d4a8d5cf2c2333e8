//! Formulas of `ltl` units.
//!
//! From loosest to tightest: `->` `<->`, `||`, `&&`, `U` `W` `V`, then the
//! unary operators, then conditions of the model.

use crate::lexer::Tok;
use crate::syntax::Formula;

use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        let mut left = self.formula_or()?;
        let mut length = 0;
        loop {
            self.lengthen(&mut length)?;
            let make = if self.accept("->") || self.accept_word("implies") {
                Formula::Implies
            } else if self.sign("<") && self.ahead(1).is("->") {
                self.advance();
                self.advance();
                Formula::Equivalent
            } else if self.accept_word("equivalent") {
                Formula::Equivalent
            } else {
                return Ok(left);
            };
            left = make(Box::new(left), Box::new(self.formula_or()?));
        }
    }

    fn formula_or(&mut self) -> Parsed<Formula> {
        let mut left = self.formula_and()?;
        let mut length = 0;
        while self.accept("||") || self.accept("\\/") {
            self.lengthen(&mut length)?;
            left = Formula::Or(Box::new(left), Box::new(self.formula_and()?));
        }
        Ok(left)
    }

    fn formula_and(&mut self) -> Parsed<Formula> {
        let mut left = self.formula_until()?;
        let mut length = 0;
        while self.accept("&&") || self.accept("/\\") {
            self.lengthen(&mut length)?;
            left = Formula::And(Box::new(left), Box::new(self.formula_until()?));
        }
        Ok(left)
    }

    fn formula_until(&mut self) -> Parsed<Formula> {
        let mut left = self.formula_unary()?;
        let mut length = 0;
        loop {
            self.lengthen(&mut length)?;
            let make = match &self.peek().tok {
                Tok::Name(word) => match &**word {
                    "U" | "until" | "stronguntil" => Formula::Until,
                    "W" | "weakuntil" => Formula::WeakUntil,
                    "V" | "R" | "release" => Formula::Release,
                    _ => return Ok(left),
                },
                _ => return Ok(left),
            };
            self.advance();
            left = make(Box::new(left), Box::new(self.formula_unary()?));
        }
    }

    fn formula_unary(&mut self) -> Parsed<Formula> {
        let pair = (self.peek().tok.clone(), self.ahead(1).tok.clone());
        let (length, make): (usize, fn(Box<Formula>) -> Formula) = match pair {
            (Tok::Sign("["), Tok::Sign("]")) => (2, Formula::Always),
            (Tok::Sign("<"), Tok::Sign(">")) => (2, Formula::Eventually),
            (Tok::Sign("!"), _) => (1, Formula::Not),
            (Tok::Name(word), _) if matches!(&*word, "always" | "G") => (1, Formula::Always),
            (Tok::Name(word), _) if &*word == "eventually" => (1, Formula::Eventually),
            (Tok::Name(word), _) if matches!(&*word, "X" | "next") => (1, Formula::Next),
            (Tok::Sign("("), _) => return self.formula_in_parentheses(),
            _ => return Ok(Formula::Holds(self.binary(3)?)),
        };
        for _ in 0..length {
            self.advance();
        }
        Ok(make(Box::new(self.nested(Self::formula_unary)?)))
    }

    /// A formula in parentheses, unless they belong to an expression that
    /// goes on behind them: `(a + b) == c`.
    fn formula_in_parentheses(&mut self) -> Parsed<Formula> {
        let (start, errors) = (self.next, self.errors.len());
        self.advance();
        let inner = self.nested(Self::formula);
        let closed = inner.is_ok() && self.accept(")");
        if let (Ok(inner), true, false) = (inner, closed, self.at_arithmetic()) {
            return Ok(inner);
        }
        self.next = start;
        self.errors.truncate(errors);
        Ok(Formula::Holds(self.binary(3)?))
    }

    fn at_arithmetic(&self) -> bool {
        let eventually = self.sign("<") && self.ahead(1).is("->");
        let Tok::Sign(sign) = self.peek().tok else { return false };
        let arithmetic =
            crate::syntax::Binary::all().any(|op| op.level() >= 3 && op.sign() == sign);
        arithmetic && !eventually
    }
}
