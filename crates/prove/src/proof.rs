//! From a candidate to a proof.

use std::collections::BTreeSet;

use exeunt_promela::code::Width;
use exeunt_smt::{Assignment, Formula, Int, Patience, Term, Var, Z3};

use crate::config::{Config, Traffic};
use crate::domain::Integers;
use crate::forced;
use crate::invariant::{Finder, Invariant};
use crate::lasso::{Lasso, Round};
use crate::progression::{self, Guesses};
use crate::run::Source;
use crate::stop::Stop;
use crate::summary::{Description, Place, Summary, summarise};

/// A lasso that can be gone round for ever, and why.
#[derive(Clone, Debug)]
pub(crate) struct Proof {
    pub lasso: Lasso,
    pub integers: Integers,
    pub summary: Summary,
    pub invariant: Invariant,
    pub growth: Vec<Growth>,
    /// What one round takes from and adds to every channel, as it first goes.
    pub words: Vec<Traffic<i64>>,
    /// The same of the first rounds.
    pub rounds: Vec<Vec<Traffic<i64>>>,
}

/// Something that has no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Growth {
    pub place: Place,
    /// By how much in each round; negative if it falls.
    pub by: Int,
}

impl Proof {
    pub fn grows_channel(&self) -> bool {
        self.growth.iter().any(|growth| matches!(growth.place, Place::Length(_)))
    }
}

/// Rounds that are run before anything is proven. A cycle that cannot be run
/// so often is no cycle; 300 see every byte wrap around.
const ROUNDS: usize = 300;
/// The same where a condition depends on a `short`: they see it wrap around. Not where a round looks through a
/// channel that grows.
const ROUNDS_OF_SHORTS: usize = 66_000;
/// Cycles that come back after more rounds are left to arithmetic.
const MOST_REPEATS: usize = 40;
/// Rounds of which pairs, triples… are tried where single ones differ.
const MOST_TIMES: usize = 4;
/// Rounds whose values facts are compared with.
const COMPARED: usize = 20;

/// Why a candidate is not one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rejected {
    /// It cannot be run again and again: shown by running it.
    Spurious,
    /// It comes back to the same values after so many rounds.
    Repeats(usize),
    /// Rounds differ in what they do.
    Alternates,
    /// Neither proven nor refuted, with the reason.
    Unproven(String),
}

/// Which meanings of an `int` are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meanings {
    /// 32 bits, and none if that fails.
    Both,
    /// Only the one without bounds, in which variables grow.
    Ideal,
}

/// Proves a candidate, or a cycle that goes round it several times where
/// single rounds differ.
pub(crate) fn prove(
    source: Source<'_>,
    lasso: &Lasso,
    meanings: Meanings,
    solver: &mut Z3,
) -> Result<Proof, Rejected> {
    match prove_once(source, lasso, meanings, solver) {
        Err(Rejected::Repeats(times)) => prove_once(source, &lasso.power(times), meanings, solver),
        Err(Rejected::Alternates) => {
            let powers = (2..=MOST_TIMES).map(|times| lasso.power(times));
            let mut tries = powers.map(|power| prove_once(source, &power, meanings, solver));
            tries.find(Result::is_ok).unwrap_or(Err(Rejected::Alternates))
        }
        result => result,
    }
}

/// The meaning with 32 bits comes first, because what is proven there needs no
/// assumption; but it is not tried too hard, because it is the harder one.
fn prove_once(
    source: Source<'_>,
    lasso: &Lasso,
    meanings: Meanings,
    solver: &mut Z3,
) -> Result<Proof, Rejected> {
    let round = lasso.first_round(source).map_err(|_| Rejected::Spurious)?;
    let mut try_one = |integers, quick| attempt(source, lasso, &round, integers, quick, solver);
    if meanings == Meanings::Ideal {
        return try_one(Integers::Ideal, false);
    }
    let exact = try_one(Integers::Exact, true);
    if matches!(exact, Ok(_) | Err(Rejected::Repeats(_) | Rejected::Alternates)) {
        return exact;
    }
    let ideal = try_one(Integers::Ideal, false);
    match (&exact, &ideal) {
        (Err(Rejected::Unproven(_)), Err(_)) => try_one(Integers::Exact, false),
        _ => ideal,
    }
}

fn attempt(
    source: Source<'_>,
    lasso: &Lasso,
    round: &Round,
    integers: Integers,
    quick: bool,
    solver: &mut Z3,
) -> Result<Proof, Rejected> {
    let mut explain = |description: Description<'_>| {
        explain(source, lasso, round, integers, quick, description, solver)
    };
    let plain = explain(Description::Places(&Guesses::new()));
    let is_open = |result: &Result<Proof, Rejected>| matches!(result, Err(Rejected::Unproven(_)));
    if is_open(&plain) && places_matter_little(source, lasso, round) {
        let by_contents = explain(Description::Contents);
        if by_contents.is_ok() {
            return by_contents;
        }
    }
    if quick || !is_open(&plain) {
        return plain;
    }
    let guesses = progression::guess(source, integers, lasso, round);
    if guesses.is_empty() {
        return plain;
    }
    explain(Description::Places(&guesses)).or(plain)
}

/// Whether some channel grows, in a model whose messages are sorted or taken from anywhere.
fn places_matter_little(source: Source<'_>, lasso: &Lasso, round: &Round) -> bool {
    let mut channels = 0..lasso.start.channels.len();
    forced::searches(source) && channels.any(|index| round.flow(&lasso.start, index).grows())
}

/// One attempt, with a description of the channels that grow.
fn explain(
    source: Source<'_>,
    lasso: &Lasso,
    round: &Round,
    integers: Integers,
    quick: bool,
    description: Description<'_>,
    solver: &mut Z3,
) -> Result<Proof, Rejected> {
    let summary = summarise(source, integers, lasso, round, description).map_err(rejected)?;
    let values = run_again(source, lasso, integers, &summary)?;
    solver.set_patience(if quick { Patience::Short } else { Patience::Long });
    let mut finder = Finder { summary: &summary, solver, rounds: &values, quick };
    let no_invariant = || Rejected::Unproven("no invariant was found".to_string());
    let invariant = finder.find().ok_or_else(no_invariant)?;
    let growth = growth(&summary);
    let words = round.traffic.clone();
    let rounds = lasso.traffic(source, integers, COMPARED);
    Ok(Proof { lasso: lasso.clone(), integers, summary, invariant, growth, words, rounds })
}

fn rejected(stop: Stop) -> Rejected {
    match stop {
        Stop::NotEnabled | Stop::Fault(_) => Rejected::Spurious,
        Stop::Unknown(text) => Rejected::Unproven(text),
    }
}

/// Runs the cycle again and again, and looks whether each round goes the way
/// that the summary describes. Gives the values before the first rounds.
fn run_again(
    source: Source<'_>,
    lasso: &Lasso,
    integers: Integers,
    summary: &Summary,
) -> Result<Vec<Assignment>, Rejected> {
    let own: BTreeSet<Var> = summary.vars.values().copied().collect();
    let conditions = summary.conditions.iter();
    let conditions: Vec<&Formula> =
        conditions.filter(|condition| condition.vars().is_subset(&own)).collect();
    let relevant = relevant(summary);
    let is_short = |(place, var): (&Place, &Var)| {
        let bits = width_of(source, lasso, *place).map_or(0, |width| width.bits);
        relevant.contains(var) && (9..=16).contains(&bits)
    };
    let count = match summary.conditions.is_empty() {
        true => 1,
        false if summary.vars.iter().any(is_short) && !forced::searches(source) => ROUNDS_OF_SHORTS,
        false => ROUNDS,
    };
    let mut seen: Vec<Assignment> = Vec::new();
    let mut differs = false;
    let mut repeats = None;
    lasso
        .visit_rounds(source, integers, count, &mut |round, config| {
            let values = values(summary, config);
            let holds = |condition: &&Formula| condition.holds(&values) == Some(true);
            differs |= !conditions.iter().all(holds);
            let same = |first: &Assignment| relevant.iter().all(|var| first[var] == values[var]);
            if round > 0 && round <= MOST_REPEATS && seen.first().is_some_and(same) {
                repeats.get_or_insert(round);
            }
            if seen.len() < COMPARED {
                seen.push(values);
            }
        })
        .map_err(rejected)?;
    match repeats {
        Some(times) if times > 1 => Err(Rejected::Repeats(times)),
        _ if differs => Err(Rejected::Alternates),
        _ => Ok(seen),
    }
}

/// How wide the variable at a place is; `None` for the length of a channel, which has no width.
fn width_of(source: Source<'_>, lasso: &Lasso, place: Place) -> Option<Width> {
    let layout = source.layout;
    match place {
        Place::Global(slot) => Some(layout.globals.slots[slot].width),
        Place::Local(pid, slot) => {
            let proc = lasso.start.processes[pid as usize].proc;
            Some(layout.locals[proc.0 as usize].slots[slot].width)
        }
        Place::Field(channel, _, field) => {
            let decl = lasso.start.channels[channel].decl;
            Some(source.program.channels[decl.0 as usize].fields[field].width)
        }
        Place::Length(_) => None,
    }
}

/// The variables that the conditions depend on, but for the lengths of
/// growing channels.
fn relevant(summary: &Summary) -> BTreeSet<Var> {
    let mut relevant = summary.cone();
    let lengths = summary.vars.iter().filter(|(place, _)| matches!(place, Place::Length(_)));
    lengths.for_each(|(_, var)| {
        relevant.remove(var);
    });
    relevant.retain(|var| summary.after.contains_key(var));
    relevant
}

/// The variables' values in a configuration.
fn values(summary: &Summary, config: &Config<i64>) -> Assignment {
    summary.vars.iter().map(|(place, var)| (*var, Int::from(place.value(config)))).collect()
}

/// What moves by the same amount, never zero, in every round.
fn growth(summary: &Summary) -> Vec<Growth> {
    let by = |var: &Var| summary.after[var].minus(&Term::var(*var)).as_number();
    let all = summary.vars.iter().filter_map(|(place, var)| Some((*place, by(var)?)));
    all.filter(|(_, by)| *by != 0).map(|(place, by)| Growth { place, by }).collect()
}
