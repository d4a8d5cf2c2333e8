//! Lexicographic linear ranking functions for loop heads.
//!
//! For each level one affine function for each loop head, which no transition
//! increases and some transition decreases while it is not negative; these
//! transitions are left out on the next level. By the lemma of Farkas such
//! functions are the solutions of a linear system (Podelski, Rybalchenko, "A
//! complete method for the synthesis of linear ranking functions", 2004), so
//! what is linear is found.

use std::collections::BTreeMap;

use exeunt_counter::NodeId;
use exeunt_smt::rational::{Demand, Row, solution};
use exeunt_smt::{Int, Term, Var};

use crate::cube::{Cube, Linear};

/// More levels than that are given up.
const MOST_LEVELS: usize = 8;

/// A path in one of its cases.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub from: NodeId,
    pub to: NodeId,
    pub cube: Cube,
    /// The values at the end, of variables that ranking functions may use.
    pub end: BTreeMap<Var, Linear>,
    /// The path it is of.
    pub path: usize,
}

/// For each loop head one affine function a level.
pub(crate) type Ranking = BTreeMap<NodeId, Vec<Term>>;

/// A ranking that uses only these variables, or the transitions that none was
/// found for.
pub(crate) fn ranking(
    heads: &[NodeId],
    transitions: &[Transition],
    vars: &[Var],
) -> Result<Ranking, Vec<usize>> {
    let mut ranking: Ranking = heads.iter().map(|head| (*head, Vec::new())).collect();
    let mut left: Vec<usize> = (0..transitions.len()).collect();
    for _ in 0..MOST_LEVELS {
        if left.is_empty() {
            return Ok(ranking);
        }
        let Some((level, decreased)) = level(heads, transitions, &left, vars) else { break };
        for (head, term) in level {
            ranking.get_mut(&head).expect("all heads have a row").push(term);
        }
        left.retain(|index| !decreased.contains(index));
    }
    if left.is_empty() { Ok(ranking) } else { Err(left) }
}

type Level = BTreeMap<NodeId, Term>;

/// One level: functions, and the transitions that they decrease.
fn level(
    heads: &[NodeId],
    transitions: &[Transition],
    left: &[usize],
    vars: &[Var],
) -> Option<(Level, Vec<usize>)> {
    for few in subsets(vars) {
        for &target in left {
            let mut system = Unknowns::new(heads, &few);
            for &index in left {
                let transition = &transitions[index];
                let least = Int::from(index == target);
                system.decreases(transition, least);
            }
            system.is_bounded(&transitions[target]);
            let Some(level) = system.solved(heads, &few) else { continue };
            let mut decreased = vec![target];
            // Others that the same functions decrease.
            for &index in left {
                if index != target && decreases(&transitions[index], &level) {
                    decreased.push(index);
                }
            }
            return Some((level, decreased));
        }
    }
    None
}

/// Small sets of variables first: what is found is then easy to read.
fn subsets(vars: &[Var]) -> Vec<Vec<Var>> {
    let mut sets = vec![Vec::new()];
    sets.extend(vars.iter().map(|var| vec![*var]));
    for (index, a) in vars.iter().enumerate() {
        sets.extend(vars[index + 1..].iter().map(|b| vec![*a, *b]));
    }
    if vars.len() > 2 {
        sets.push(vars.to_vec());
    }
    sets
}

/// The linear system: factors of all functions, then multipliers.
struct Unknowns {
    factors: BTreeMap<(NodeId, Var), usize>,
    constants: BTreeMap<NodeId, usize>,
    count: usize,
    first_multiplier: usize,
    rows: Vec<(Row, Demand)>,
}

impl Unknowns {
    fn new(heads: &[NodeId], vars: &[Var]) -> Self {
        let mut count = 0;
        let mut next = || {
            count += 1;
            count - 1
        };
        let mut factors = BTreeMap::new();
        let mut constants = BTreeMap::new();
        for head in heads {
            constants.insert(*head, next());
            for var in vars {
                factors.insert((*head, *var), next());
            }
        }
        Unknowns { factors, constants, count, first_multiplier: count, rows: Vec::new() }
    }

    /// The function at the start of a transition, as rows by variable.
    fn start(&self, transition: &Transition) -> Rows {
        let mut rows = Rows::default();
        rows.constant.parts.push((self.constants[&transition.from], 1));
        for ((head, var), unknown) in &self.factors {
            if *head == transition.from {
                rows.of(*var).parts.push((*unknown, 1));
            }
        }
        rows
    }

    fn decreases(&mut self, transition: &Transition, least: Int) {
        let mut rows = self.start(transition);
        rows.constant.parts.push((self.constants[&transition.to], -1));
        rows.constant.constant -= least;
        for ((head, var), unknown) in &self.factors {
            if *head != transition.to {
                continue;
            }
            let end = transition.end.get(var).cloned().unwrap_or_else(|| Linear::var(*var));
            for (var, factor) in &end.parts {
                rows.of(*var).parts.push((*unknown, -factor));
            }
            rows.constant.parts.push((*unknown, -end.constant));
        }
        self.follows(rows, &transition.cube);
    }

    fn is_bounded(&mut self, transition: &Transition) {
        let rows = self.start(transition);
        self.follows(rows, &transition.cube);
    }

    /// The expression is a number that is not negative plus multiples of
    /// the inequalities.
    fn follows(&mut self, mut rows: Rows, cube: &Cube) {
        for inequality in &cube.inequalities {
            let multiplier = self.count;
            self.count += 1;
            for (var, factor) in &inequality.parts {
                rows.of(*var).parts.push((multiplier, -factor));
            }
            rows.constant.parts.push((multiplier, -inequality.constant));
        }
        self.rows.extend(rows.vars.into_values().map(|row| (row, Demand::Zero)));
        self.rows.push((rows.constant, Demand::NonNegative));
    }

    fn solved(&self, heads: &[NodeId], vars: &[Var]) -> Option<Level> {
        let first = self.first_multiplier;
        let values = solution(self.count, &|unknown| unknown >= first, &self.rows)?;
        // Whole numbers, for all functions with the same factor.
        let mut scale: Int = 1;
        for (_, denominator) in &values[..first] {
            let denominator = Int::from(*denominator);
            scale = scale.checked_mul(denominator / gcd(scale, denominator))?;
        }
        let whole = |unknown: usize| -> Option<Int> {
            let (numerator, denominator) = values[unknown];
            (scale / Int::from(denominator)).checked_mul(Int::from(numerator))
        };
        let mut level = Level::new();
        for head in heads {
            let mut term = Term::number(whole(self.constants[head])?);
            for var in vars {
                let factor = whole(self.factors[&(*head, *var)])?;
                term = term.plus(&Term::var(*var).times(factor));
            }
            level.insert(*head, term);
        }
        Some(level)
    }
}

/// A row for each variable and one for the number.
#[derive(Default)]
struct Rows {
    vars: BTreeMap<Var, Row>,
    constant: Row,
}

impl Rows {
    fn of(&mut self, var: Var) -> &mut Row {
        self.vars.entry(var).or_default()
    }
}

/// Whether these functions decrease on a transition and are not negative before.
fn decreases(transition: &Transition, level: &Level) -> bool {
    let mut names = BTreeMap::new();
    let mut none = Vec::new();
    let mut never = || unreachable!("ranking functions are linear");
    let mut row = |term: &Term| crate::cube::linear(term, &mut names, &mut none, &mut never);
    let start = row(&level[&transition.from]);
    let end = row(&level[&transition.to]);
    let mut after = Linear { constant: end.constant, ..Linear::default() };
    for (var, factor) in &end.parts {
        let value = transition.end.get(var).cloned().unwrap_or_else(|| Linear::var(*var));
        after = after.plus(&value, *factor);
    }
    let mut change = start.plus(&after, -1);
    change.constant -= 1;
    implied(&transition.cube, &change) && implied(&transition.cube, &start)
}

/// Whether an inequality is a consequence, by Farkas again.
fn implied(cube: &Cube, goal: &Linear) -> bool {
    let mut system = Unknowns::new(&[], &[]);
    let mut rows = Rows::default();
    rows.constant.constant = goal.constant;
    for (var, factor) in &goal.parts {
        rows.of(*var).constant = *factor;
    }
    system.follows(rows, cube);
    solution(system.count, &|_| true, &system.rows).is_some()
}

fn gcd(a: Int, b: Int) -> Int {
    if b == 0 { a.abs().max(1) } else { gcd(b, a % b) }
}
