//! Formulas as people write them. What they mean is in `word`, what the
//! construction works on is in `normal`.

use std::sync::Arc;

/// A formula over propositions that are opaque texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    True,
    False,
    Proposition(Arc<str>),
    Unary(Unary, Arc<Formula>),
    Binary(Binary, Arc<Formula>, Arc<Formula>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    Not,
    Next,
    Always,
    Eventually,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    And,
    Or,
    Implies,
    Equivalent,
    /// `a ~> b`: always, if `a` then eventually `b`.
    LeadsTo,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
}

impl Formula {
    pub fn proposition(text: &str) -> Formula {
        Formula::Proposition(text.into())
    }

    pub fn unary(op: Unary, inner: Formula) -> Formula {
        Formula::Unary(op, Arc::new(inner))
    }

    pub fn binary(op: Binary, left: Formula, right: Formula) -> Formula {
        Formula::Binary(op, Arc::new(left), Arc::new(right))
    }

    pub fn negated(&self) -> Formula {
        Formula::unary(Unary::Not, self.clone())
    }

    /// The texts of its propositions, in the order in which they occur. Their
    /// positions in this list are their numbers in letters and guards.
    pub fn propositions(&self) -> Vec<Arc<str>> {
        let mut found = Vec::new();
        self.visit(&mut |formula| {
            if let Formula::Proposition(text) = formula
                && !found.contains(text)
            {
                found.push(text.clone());
            }
        });
        found
    }

    /// Whether it says "next". A formula that does not is insensitive to
    /// stuttering, so reductions that only merge steps keep it.
    pub fn has_next(&self) -> bool {
        let mut found = false;
        self.visit(&mut |formula| found |= matches!(formula, Formula::Unary(Unary::Next, _)));
        found
    }

    /// The formula with propositions replaced; those for which `by` has nothing
    /// are kept.
    pub fn replaced(&self, by: &impl Fn(&str) -> Option<Formula>) -> Formula {
        match self {
            Formula::True | Formula::False => self.clone(),
            Formula::Proposition(text) => by(text).unwrap_or_else(|| self.clone()),
            Formula::Unary(op, inner) => Formula::unary(*op, inner.replaced(by)),
            Formula::Binary(op, left, right) => {
                Formula::binary(*op, left.replaced(by), right.replaced(by))
            }
        }
    }

    fn visit(&self, see: &mut impl FnMut(&Formula)) {
        see(self);
        match self {
            Formula::True | Formula::False | Formula::Proposition(_) => {}
            Formula::Unary(_, inner) => inner.visit(see),
            Formula::Binary(_, left, right) => {
                left.visit(see);
                right.visit(see);
            }
        }
    }
}
