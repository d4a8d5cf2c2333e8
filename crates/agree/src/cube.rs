//! The cases of a formula, each a conjunction of linear inequalities.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_smt::{Answer, Assignment, Atom, Formula, Int, Oracle, Solver, Term, Var};

/// More cases of one path than that are given up.
const MOST_CUBES: usize = 48;
/// With more results of operations on bits than that, or more variables in them, the rest are not compared.
const MOST_RESULTS: usize = 8;

/// A conjunction of linear terms that are at least zero.
#[derive(Clone, Debug)]
pub(crate) struct Cube {
    pub inequalities: Vec<Linear>,
}

/// A sum of multiples of variables and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Linear {
    pub parts: BTreeMap<Var, Int>,
    pub constant: Int,
}

/// All cases that can hold. `Err` if there are too many or the solver gives up.
pub(crate) fn cubes(
    solver: &mut Oracle,
    facts: &[Formula],
    fresh: &mut dyn FnMut() -> Var,
) -> Result<Vec<Cube>, String> {
    let mut asked: Vec<Formula> = facts.to_vec();
    let mut found = Vec::new();
    loop {
        let all: Vec<&Formula> = asked.iter().collect();
        let model = match solver.check(&all) {
            Answer::Unsat => return Ok(found),
            Answer::Unknown => return Err("the solver gave up on a path".into()),
            Answer::Sat(model) => model,
        };
        let (mut atoms, mut chosen) = (Vec::new(), Vec::new());
        for fact in facts {
            choose(fact, &model, false, &mut atoms, &mut chosen)
                .ok_or("numbers on a path are too large")?;
        }
        atoms.extend(learnt(solver, &atoms, &model));
        found.push(cube(&atoms, fresh));
        if found.len() > MOST_CUBES {
            return Err(format!("a path has more than {MOST_CUBES} cases"));
        }
        if chosen.is_empty() {
            return Ok(found);
        }
        asked.push(Formula::all(chosen).negated());
    }
}

/// The atoms of the case that the model is in; `chosen` has those that are
/// in a disjunction.
fn choose(
    formula: &Formula,
    model: &Assignment,
    inside: bool,
    atoms: &mut Vec<Formula>,
    chosen: &mut Vec<Formula>,
) -> Option<()> {
    match formula {
        Formula::True => {}
        Formula::False => return None,
        Formula::NonNegative(_) | Formula::Zero(_) => {
            atoms.push(formula.clone());
            if inside {
                chosen.push(formula.clone());
            }
        }
        Formula::NonZero(term) => {
            let above = Formula::non_negative(term.add(-1));
            let side = if above.holds(model)? {
                above
            } else {
                Formula::non_negative(term.times(-1).add(-1))
            };
            atoms.push(side.clone());
            chosen.push(side);
        }
        Formula::And(parts) => {
            for part in parts {
                choose(part, model, inside, atoms, chosen)?;
            }
        }
        Formula::Or(parts) => {
            for part in parts {
                if part.holds(model)? {
                    return choose(part, model, true, atoms, chosen);
                }
            }
            return None;
        }
    }
    Some(())
}

/// Inequalities between results of operations on bits, their operands and variables that follow in this case.
fn learnt(solver: &mut Oracle, atoms: &[Formula], model: &Assignment) -> Vec<Formula> {
    let mut results = BTreeSet::new();
    atoms.iter().for_each(|atom| atom.collect_bits(&mut results));
    let results: Vec<Term> = results.into_iter().take(MOST_RESULTS).collect();
    let mut vars = BTreeSet::new();
    results.iter().for_each(|result| result.collect_vars(&mut vars));
    let vars: Vec<Var> = vars.into_iter().take(MOST_RESULTS).collect();
    let known: Vec<&Formula> = atoms.iter().collect();
    let mut learnt = Vec::new();
    let mut follows = |guess: Formula| {
        let is_new = guess.holds(model) == Some(true) && !atoms.contains(&guess);
        let follows = is_new && solver.proves(&known, &guess);
        if follows {
            learnt.push(guess);
        }
        follows
    };
    for (index, result) in results.iter().enumerate() {
        follows(Formula::non_negative(result.add(-1)));
        follows(Formula::non_negative(result.times(-1)));
        for other in compared(result, &results[..index], &vars) {
            let _ = follows(Formula::at_least(&other, &result.add(1)))
                || follows(Formula::at_least(&other, result));
            let _ = follows(Formula::at_least(result, &other.add(1)))
                || follows(Formula::at_least(result, &other));
            follows(Formula::at_least(&other, &result.times(2)));
        }
    }
    learnt
}

/// What a result is compared with: operands in it, other results, and the variables in any of them.
fn compared(result: &Term, others: &[Term], vars: &[Var]) -> BTreeSet<Term> {
    let mut terms: BTreeSet<Term> = vars.iter().copied().map(Term::var).collect();
    for (atom, _) in result.parts() {
        if let Atom::Bits(_, _, a, b) = atom {
            let operands = [a, b].into_iter().map(|operand| (**operand).clone());
            terms.extend(operands.filter(|operand| operand.as_number().is_none()));
        }
    }
    terms.extend(others.iter().cloned());
    terms
}

fn cube(atoms: &[Formula], fresh: &mut dyn FnMut() -> Var) -> Cube {
    let mut names: BTreeMap<Atom, Linear> = BTreeMap::new();
    let mut inequalities = Vec::new();
    for atom in atoms {
        match atom {
            Formula::NonNegative(term) => {
                let row = linear(term, &mut names, &mut inequalities, fresh);
                inequalities.push(row);
            }
            Formula::Zero(term) => {
                let row = linear(term, &mut names, &mut inequalities, fresh);
                let minus = linear(&term.times(-1), &mut names, &mut inequalities, fresh);
                inequalities.extend([row, minus]);
            }
            Formula::True
            | Formula::False
            | Formula::NonZero(_)
            | Formula::And(_)
            | Formula::Or(_) => unreachable!("cases are made of inequalities"),
        }
    }
    Cube { inequalities }
}

/// The term with fresh variables for what is not linear, and what is known of them.
pub(crate) fn linear(
    term: &Term,
    names: &mut BTreeMap<Atom, Linear>,
    known: &mut Vec<Linear>,
    fresh: &mut dyn FnMut() -> Var,
) -> Linear {
    let mut sum = Linear { parts: BTreeMap::new(), constant: term.constant() };
    for (atom, factor) in term.parts() {
        let part = match (atom, names.get(atom)) {
            (Atom::Var(var), _) => Linear::var(*var),
            (_, Some(row)) => row.clone(),
            (Atom::Product(..) | Atom::Choice(..), None) => Linear::var(fresh()),
            (Atom::Bits(op, width, ..), None) => {
                let result = Linear::var(fresh());
                let largest = Linear { constant: op.largest(*width), ..Linear::default() };
                known.extend([result.clone(), largest.plus(&result, -1)]);
                result
            }
            (Atom::Quotient(inner, divisor), None) => {
                let inner = linear(inner, names, known, fresh);
                quotient(&inner, *divisor, known, fresh)
            }
            (Atom::Remainder(inner, divisor), None) => {
                let inner = linear(inner, names, known, fresh);
                let quotient = quotient(&inner, *divisor, known, fresh);
                inner.plus(&quotient, -divisor)
            }
        };
        names.insert(atom.clone(), part.clone());
        sum = sum.plus(&part, factor);
    }
    sum
}

/// A variable for the quotient, between whose multiples the term lies.
fn quotient(
    inner: &Linear,
    divisor: Int,
    known: &mut Vec<Linear>,
    fresh: &mut dyn FnMut() -> Var,
) -> Linear {
    let quotient = Linear::var(fresh());
    let rest = inner.plus(&quotient, -divisor);
    let mut below = Linear { constant: divisor - 1, ..Linear::default() };
    below = below.plus(&rest, -1);
    known.extend([rest, below]);
    quotient
}

impl Linear {
    pub fn var(var: Var) -> Linear {
        Linear { parts: BTreeMap::from([(var, 1)]), constant: 0 }
    }

    pub fn plus(&self, other: &Linear, factor: Int) -> Linear {
        let mut sum = self.clone();
        sum.constant += factor * other.constant;
        for (var, own) in &other.parts {
            let entry = sum.parts.entry(*var).or_insert(0);
            *entry += factor * own;
            if *entry == 0 {
                sum.parts.remove(var);
            }
        }
        sum
    }
}
