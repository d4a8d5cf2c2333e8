//! Measures that are no sums: where its lowest one is, of a register that is shifted to the left; and how far one number
//! is from another one, if it goes on behind the largest number with the smallest.
//!
//! A mask that goes to the left neither grows nor falls as a number, because it leaves the register at the top. An index that
//! runs after another one until both are the same may wrap around on its way. Ranking functions have a variable for such a
//! measure, whose value is known where a path begins and where it ends.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{System, Thread, VarKind, lifted};
use exeunt_smt::{Atom, BitOp, Formula, Int, Ranges, Term, Var};

use crate::path::{Path, Walker};
use crate::rank::Ranking;

/// More registers than that have no measures.
const MOST: usize = 4;
/// More distances than that are not looked at.
const MOST_DISTANCES: usize = 4;
/// With more paths than that, distances are not looked at: each doubles the cases of every path.
const MOST_PATHS: usize = 8;

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

/// How far variables are from each other or from numbers, as far as paths ask whether they are the same.
fn distances(walker: &Walker<'_>, paths: &[&Path], vars: &[Var]) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    let mut todo: Vec<&Formula> = paths.iter().flat_map(|path| &path.state.facts).collect();
    while let Some(formula) = todo.pop() {
        let (term, exactly) = match formula {
            Formula::And(parts) | Formula::Or(parts) => {
                todo.extend(parts);
                continue;
            }
            Formula::NonNegative(term) => (term, false),
            Formula::Zero(term) | Formula::NonZero(term) => (term, true),
            Formula::True | Formula::False => continue,
        };
        let Some(round) = round(walker, term, vars) else { continue };
        let distance = match term.parts().count() {
            // Of an inequality the number says little: `a > b` is `a - b - 1 >= 0`.
            2 if !exactly => Some(term.add(-term.constant())),
            1 if !exactly => next_to_an_end(walker, term),
            _ => Some(term.clone()),
        };
        let both = |term: Term| [term.remainder(round), term.times(-1).remainder(round)];
        found.extend(distance.into_iter().flat_map(both));
    }
    found
}

/// The distance from its smallest or its largest number, if an inequality says that a variable is not that.
fn next_to_an_end(walker: &Walker<'_>, term: &Term) -> Option<Term> {
    let (Atom::Var(var), factor) = term.parts().next()? else { return None };
    let (low, high) = walker.system.vars.get(var.0 as usize)?.range?;
    let end = if factor > 0 { -term.constant() - 1 } else { term.constant() + 1 };
    (factor.abs() == 1 && end == if factor > 0 { low } else { high })
        .then(|| Term::var(*var).add(-end))
}

/// In how many steps the variables of a difference come back to where they were, if all of them do in the same.
fn round(walker: &Walker<'_>, term: &Term, vars: &[Var]) -> Option<Int> {
    let mut rounds = BTreeSet::new();
    let mut sum = 0;
    for (atom, factor) in term.parts() {
        let Atom::Var(var) = atom else { return None };
        let variable = walker.system.vars.get(var.0 as usize).filter(|_| vars.contains(var))?;
        let (low, high) = variable.range?;
        rounds.insert(high - low + 1);
        sum += factor;
        if factor.abs() != 1 {
            return None;
        }
    }
    let fits = match term.parts().count() {
        1 => true,
        2 => sum == 0,
        _ => false,
    };
    let round = rounds.pop_first().filter(|round| rounds.is_empty() && round.count_ones() == 1);
    round.filter(|_| fits)
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

    /// Distances, which are looked at where nothing else ranks these paths; `None` if there are none, or many.
    pub fn of_distances(walker: &mut Walker<'_>, paths: &[&Path], vars: &[Var]) -> Option<Self> {
        let found = distances(walker, paths, vars);
        let few = (1..=MOST_DISTANCES).contains(&found.len()) && paths.len() <= MOST_PATHS;
        let range = |term: &Term| term.range(&walker.ranges);
        let ranges: Vec<_> = found.iter().map(range).collect();
        let named = found.into_iter().zip(ranges);
        few.then(|| named.map(|(term, range)| (walker.fresh(range), term)).collect())
            .map(|names| Measures { names })
    }

    pub fn vars(&self) -> impl Iterator<Item = Var> {
        self.names.keys().copied()
    }

    /// What a variable stands for.
    pub fn of(&self, var: Var) -> Option<&Term> {
        self.names.get(&var)
    }

    /// The values of these variables where a path begins.
    pub fn facts(&self, ranges: &Ranges) -> Vec<Formula> {
        let value = |(var, term): (&Var, &Term)| {
            lifted(&Formula::equal(&Term::var(*var), &term.unfolded(ranges)))
        };
        self.names.iter().map(value).collect()
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
