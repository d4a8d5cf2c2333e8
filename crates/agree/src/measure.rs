//! Measures of registers that are no sums: where its lowest one is, of a register that is shifted to the left.
//!
//! A mask that goes to the left neither grows nor falls as a number, because it leaves the register at the top. Ranking
//! functions have a variable for such a measure, whose value is known where a path begins and where it ends.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{System, Thread, VarKind};
use exeunt_smt::{Atom, BitOp, Formula, Term, Var};

use crate::path::Walker;
use crate::rank::Ranking;

/// More registers than that have no measures.
const MOST: usize = 4;

/// Registers of a thread that it shifts to the left, with their widths.
pub(crate) fn shifted(system: &System, thread: &Thread) -> BTreeMap<Var, u8> {
    let mut found = BTreeSet::new();
    for edge in &thread.edges {
        edge.sets.values().for_each(|term| collect(term, &mut found));
    }
    let widths = found.into_iter().filter_map(|var| {
        let variable = system.variable(var);
        let (low, high) = variable.range?;
        let count = high - low + 1;
        let is_local = matches!(variable.kind, VarKind::Local(_));
        (is_local && count.count_ones() == 1).then(|| (var, count.trailing_zeros() as u8))
    });
    widths.take(MOST).collect()
}

fn collect(term: &Term, out: &mut BTreeSet<Var>) {
    for (atom, _) in term.parts() {
        match atom {
            Atom::Var(_) => {}
            Atom::Product(a, b) => {
                collect(a, out);
                collect(b, out);
            }
            Atom::Quotient(a, _) => collect(a, out),
            Atom::Remainder(a, _) => {
                out.extend(doubled(a));
                collect(a, out);
            }
            Atom::Choice(_, yes, no) => {
                collect(yes, out);
                collect(no, out);
            }
            Atom::Bits(op, _, a, b) => {
                if *op == BitOp::Left {
                    a.collect_vars(out);
                }
                for operand in [a, b] {
                    out.extend(doubled(operand));
                    collect(operand, out);
                }
            }
        }
    }
}

/// Shifted by a constant: two times a register, or four times.
fn doubled(term: &Term) -> impl Iterator<Item = Var> {
    term.parts().filter_map(|(atom, factor)| match atom {
        Atom::Var(var) if factor % 2 == 0 => Some(*var),
        _ => None,
    })
}

/// At most one bit is set.
pub(crate) fn single_bits(system: &System, thread: &Thread) -> Vec<Formula> {
    let ones = |(var, width): (Var, u8)| {
        let ones = Term::bits(BitOp::Ones, width, &Term::var(var), &Term::number(0));
        Formula::non_negative(ones.times(-1).add(1))
    };
    shifted(system, thread).into_iter().map(ones).collect()
}

/// Variables that stand for measures.
#[derive(Default)]
pub(crate) struct Measures {
    names: BTreeMap<Var, Term>,
}

impl Measures {
    pub fn new(walker: &mut Walker<'_>) -> Self {
        let mut names = BTreeMap::new();
        for (var, width) in shifted(walker.system, walker.thread) {
            let zeros = Term::bits(BitOp::LowZeros, width, &Term::var(var), &Term::number(0));
            names.insert(walker.fresh(Some((0, width.into()))), zeros);
        }
        Measures { names }
    }

    pub fn vars(&self) -> impl Iterator<Item = Var> {
        self.names.keys().copied()
    }

    /// What a variable stands for.
    pub fn of(&self, var: Var) -> Option<&Term> {
        self.names.get(&var)
    }

    /// The values of these variables where a path begins.
    pub fn facts(&self) -> impl Iterator<Item = Formula> {
        self.names.iter().map(|(var, term)| Formula::equal(&Term::var(*var), term))
    }

    /// The ranking with measures in place of their variables.
    pub fn spelled_out(&self, ranking: Ranking) -> Ranking {
        let spelled = |levels: Vec<Vec<Term>>| {
            let level = |terms: Vec<Term>| terms.iter().map(|t| t.replaced(&self.names)).collect();
            levels.into_iter().map(level).collect()
        };
        ranking.into_iter().map(|(head, levels)| (head, spelled(levels))).collect()
    }
}
