//! Lexicographic linear ranking functions with phases, for loop heads.
//!
//! For each level one affine function for each loop head, which no transition
//! increases and some transition decreases while it is not negative; these
//! transitions are left out on the next level. By the lemma of Farkas such
//! functions are the solutions of a linear system (Podelski, Rybalchenko, "A
//! complete method for the synthesis of linear ranking functions", 2004), so
//! what is linear is found.
//!
//! A level may have *phases*: the first function always decreases, each further one
//! decreases as soon as the one before it is negative, and the last one is not
//! negative. Nested ranking functions of this kind are linear systems, too, and are
//! as good as multiphase ones (Leike, Heizmann, "Ranking templates for linear loops",
//! 2014; Ben-Amram, Genaim, "On multiphase-linear ranking functions", 2017).

use std::collections::BTreeMap;

use exeunt_counter::NodeId;
use exeunt_smt::rational::{Demand, Row, solution};
use exeunt_smt::{Atom, Int, Term, Var};

use crate::cube::{Cube, Linear};

/// More levels than that are given up.
const MOST_LEVELS: usize = 8;
/// More phases than that are not looked for.
const MOST_PHASES: usize = 4;
/// With more variables or more transitions than that, phases are not looked for.
const MOST_IN_PHASES: usize = 8;
const MOST_WITH_PHASES: usize = 12;
/// With more transitions than that, one level with phases is for all of them.
const MOST_SINGLE: usize = 4;

/// Functions with larger numbers are not used; the largest number of 64 bits is smaller.
const LARGEST: Int = 1 << 65;

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

/// For each loop head the phases of each level.
pub(crate) type Ranking = BTreeMap<NodeId, Vec<Vec<Term>>>;

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

/// The phases of each head.
type Level = BTreeMap<NodeId, Vec<Term>>;

/// One level: functions, and the transitions that they decrease.
fn level(
    heads: &[NodeId],
    transitions: &[Transition],
    left: &[usize],
    vars: &[Var],
) -> Option<(Level, Vec<usize>)> {
    for phases in 1..=MOST_PHASES {
        if phases > 1 && (vars.len() > MOST_IN_PHASES || left.len() > MOST_WITH_PHASES) {
            return None;
        }
        let sets = match phases {
            1 => subsets(vars),
            _ => vec![vars.to_vec()],
        };
        for few in sets {
            for targets in targets(left, phases) {
                let Some(level) = solved(heads, transitions, left, &targets, &few, phases) else {
                    continue;
                };
                let level = simpler(level, transitions, &targets);
                // Others that the same functions decrease.
                let also = |index: &usize| {
                    targets.contains(index) || decreases(&transitions[*index], &level)
                };
                let decreased = left.iter().copied().filter(also).collect();
                return Some((level, decreased));
            }
        }
    }
    None
}

/// The same function with small numbers, where it has one head and one phase: a positive multiple
/// of a function that grows nowhere, with another constant, grows nowhere either.
fn simpler(level: Level, transitions: &[Transition], targets: &[usize]) -> Level {
    let mut heads = level.iter();
    let (Some((head, phases)), None) = (heads.next(), heads.next()) else { return level };
    let [term] = phases.as_slice() else { return level };
    let divisor = term
        .parts()
        .fold(0, |all, (_, factor)| if all == 0 { factor.abs() } else { gcd(all, factor) });
    if divisor == 0 {
        return level;
    }
    let mut plain = Term::number(0);
    for (atom, factor) in term.parts() {
        if let Atom::Var(var) = atom {
            plain = plain.plus(&Term::var(*var).times(factor / divisor));
        }
    }
    let constant = term.constant().div_euclid(divisor);
    for constant in [0, constant] {
        let small = Level::from([(*head, vec![plain.add(constant)])]);
        if targets.iter().all(|index| decreases(&transitions[*index], &small)) {
            return small;
        }
    }
    level
}

/// Which transitions have to decrease: one of them, or with phases first all.
fn targets(left: &[usize], phases: usize) -> Vec<Vec<usize>> {
    let single = left.iter().map(|index| vec![*index]);
    if phases == 1 || left.len() == 1 {
        return single.collect();
    }
    let single = single.filter(|_| left.len() <= MOST_SINGLE);
    [left.to_vec()].into_iter().chain(single).collect()
}

fn solved(
    heads: &[NodeId],
    transitions: &[Transition],
    left: &[usize],
    targets: &[usize],
    few: &[Var],
    phases: usize,
) -> Option<Level> {
    let mut system = Unknowns::new(heads, few, phases);
    for &index in left {
        let transition = &transitions[index];
        for phase in 0..phases {
            match targets.contains(&index) {
                true => system.decreases(transition, phase, 1),
                false => system.decreases_alone(transition, phase, 0),
            }
        }
        if targets.contains(&index) {
            system.is_bounded(transition, phases - 1);
        }
    }
    system.solved(heads, few)
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
    phases: usize,
    factors: BTreeMap<(usize, NodeId, Var), usize>,
    constants: BTreeMap<(usize, NodeId), usize>,
    count: usize,
    first_multiplier: usize,
    rows: Vec<(Row, Demand)>,
}

impl Unknowns {
    fn new(heads: &[NodeId], vars: &[Var], phases: usize) -> Self {
        let mut count = 0;
        let mut next = || {
            count += 1;
            count - 1
        };
        let mut factors = BTreeMap::new();
        let mut constants = BTreeMap::new();
        for phase in 0..phases {
            for head in heads {
                constants.insert((phase, *head), next());
                for var in vars {
                    factors.insert((phase, *head, *var), next());
                }
            }
        }
        Unknowns { phases, factors, constants, count, first_multiplier: count, rows: Vec::new() }
    }

    /// Adds the function of a phase at the start of a transition, by variable.
    fn add_start(&self, rows: &mut Rows, transition: &Transition, phase: usize) {
        let head = transition.from;
        rows.constant.parts.push((self.constants[&(phase, head)], 1));
        for ((of, at, var), unknown) in &self.factors {
            if *of == phase && *at == head {
                rows.of(*var).parts.push((*unknown, 1));
            }
        }
    }

    /// The function of a phase falls by so much, given that the one before it is not
    /// negative only by as much more as that one is.
    fn decreases(&mut self, transition: &Transition, phase: usize, least: Int) {
        let mut rows = self.change(transition, phase, least);
        if phase > 0 {
            self.add_start(&mut rows, transition, phase - 1);
        }
        self.follows(rows, &transition.cube);
    }

    fn decreases_alone(&mut self, transition: &Transition, phase: usize, least: Int) {
        let rows = self.change(transition, phase, least);
        self.follows(rows, &transition.cube);
    }

    fn change(&self, transition: &Transition, phase: usize, least: Int) -> Rows {
        let mut rows = Rows::default();
        self.add_start(&mut rows, transition, phase);
        rows.constant.parts.push((self.constants[&(phase, transition.to)], -1));
        rows.constant.constant -= least;
        for ((of, head, var), unknown) in &self.factors {
            if *of != phase || *head != transition.to {
                continue;
            }
            let end = transition.end.get(var).cloned().unwrap_or_else(|| Linear::var(*var));
            for (var, factor) in &end.parts {
                rows.of(*var).parts.push((*unknown, -factor));
            }
            rows.constant.parts.push((*unknown, -end.constant));
        }
        rows
    }

    fn is_bounded(&mut self, transition: &Transition, phase: usize) {
        let mut rows = Rows::default();
        self.add_start(&mut rows, transition, phase);
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
            scale = scale.checked_mul(denominator / gcd(scale, *denominator))?;
        }
        let whole = |unknown: usize| -> Option<Int> {
            let (numerator, denominator) = values[unknown];
            let number = (scale / denominator).checked_mul(numerator)?;
            (number.abs() <= LARGEST).then_some(number)
        };
        let mut level = Level::new();
        for head in heads {
            for phase in 0..self.phases {
                let mut term = Term::number(whole(self.constants[&(phase, *head)])?);
                for var in vars {
                    let factor = whole(self.factors[&(phase, *head, *var)])?;
                    term = term.plus(&Term::var(*var).times(factor));
                }
                level.entry(*head).or_default().push(term);
            }
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

/// Whether these functions decrease on a transition, phase by phase, and the last is
/// not negative before.
fn decreases(transition: &Transition, level: &Level) -> bool {
    let mut names = BTreeMap::new();
    let mut none = Vec::new();
    let mut never = || unreachable!("ranking functions are linear");
    let mut row = |term: &Term| crate::cube::linear(term, &mut names, &mut none, &mut never);
    let mut last: Option<Linear> = None;
    for (start, end) in level[&transition.from].iter().zip(&level[&transition.to]) {
        let (start, end) = (row(start), row(end));
        let mut after = Linear { constant: end.constant, ..Linear::default() };
        for (var, factor) in &end.parts {
            let value = transition.end.get(var).cloned().unwrap_or_else(|| Linear::var(*var));
            after = after.plus(&value, *factor);
        }
        let mut change = start.plus(&after, -1);
        change.constant -= 1;
        if let Some(before) = &last {
            change = change.plus(before, 1);
        }
        if !implied(&transition.cube, &change) {
            return false;
        }
        last = Some(start);
    }
    last.is_some_and(|last| implied(&transition.cube, &last))
}

/// Whether an inequality is a consequence, by Farkas again.
fn implied(cube: &Cube, goal: &Linear) -> bool {
    let mut system = Unknowns::new(&[], &[], 1);
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
