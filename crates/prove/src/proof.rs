//! From a candidate to a proof.

use exeunt_smt::{Assignment, Int, Term, Var, Z3};

use crate::config::Config;
use crate::domain::Integers;
use crate::invariant::{Finder, Invariant};
use crate::lasso::{Lasso, Round};
use crate::run::Source;
use crate::stop::Stop;
use crate::summary::{Place, Summary, summarise};

/// A lasso that can be gone round for ever, and why.
#[derive(Clone, Debug)]
pub(crate) struct Proof {
    pub lasso: Lasso,
    pub integers: Integers,
    pub summary: Summary,
    pub invariant: Invariant,
    pub growth: Vec<Growth>,
    /// What one round takes from and adds to every channel, as it first goes.
    pub words: Vec<(Vec<Vec<i64>>, Vec<Vec<i64>>)>,
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
/// Rounds whose values facts are compared with.
const COMPARED: usize = 20;

/// Why a candidate is not one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rejected {
    /// It cannot be run again and again: shown by running it.
    Spurious,
    /// Nobody knows.
    Unproven(String),
}

/// Tries the meaning with 32 bits first: what is proven there needs no
/// assumption.
pub(crate) fn prove(source: Source<'_>, lasso: &Lasso, solver: &mut Z3) -> Result<Proof, Rejected> {
    let round = lasso.first_round(source).map_err(|_| Rejected::Spurious)?;
    let exact = attempt(source, lasso, &round, Integers::Exact, solver);
    if exact.is_ok() {
        return exact;
    }
    attempt(source, lasso, &round, Integers::Ideal, solver)
}

/// Only the meaning without bounds, in which variables grow.
pub(crate) fn prove_ideal(
    source: Source<'_>,
    lasso: &Lasso,
    solver: &mut Z3,
) -> Result<Proof, Rejected> {
    let round = lasso.first_round(source).map_err(|_| Rejected::Spurious)?;
    attempt(source, lasso, &round, Integers::Ideal, solver)
}

fn attempt(
    source: Source<'_>,
    lasso: &Lasso,
    round: &Round,
    integers: Integers,
    solver: &mut Z3,
) -> Result<Proof, Rejected> {
    let reason = |stop: Stop| match stop {
        Stop::NotEnabled | Stop::Fault(_) => Rejected::Spurious,
        Stop::Unknown(text) => Rejected::Unproven(text),
    };
    let summary = summarise(source, integers, lasso, round).map_err(reason)?;
    let exactly = summary.conditions.is_empty();
    let rounds = if exactly { 2 } else { ROUNDS };
    let seen = lasso.rounds(source, integers, rounds).map_err(reason)?;
    let values: Vec<Assignment> =
        seen.iter().take(COMPARED).map(|config| values(&summary, config)).collect();
    let mut finder = Finder { summary: &summary, solver, rounds: &values };
    let no_invariant = || Rejected::Unproven("no invariant was found".to_string());
    let invariant = finder.find().ok_or_else(no_invariant)?;
    let growth = growth(&summary);
    let words = round.traffic.iter().map(|t| (t.received.clone(), t.sent.clone())).collect();
    Ok(Proof { lasso: lasso.clone(), integers, summary, invariant, growth, words })
}

/// The variables' values in a configuration.
fn values(summary: &Summary, config: &Config<i64>) -> Assignment {
    let number = |place: &Place| match *place {
        Place::Global(slot) => config.globals[slot],
        Place::Local(pid, slot) => config.processes[pid as usize].locals[slot],
        Place::Field(channel, slot, field) => config.channels[channel].messages[slot][field],
        Place::Length(channel) => config.channels[channel].messages.len() as i64,
    };
    summary.vars.iter().map(|(place, var)| (*var, Int::from(number(place)))).collect()
}

/// What moves by the same amount, never zero, in every round.
fn growth(summary: &Summary) -> Vec<Growth> {
    let by = |var: &Var| summary.after[var].minus(&Term::var(*var)).as_number();
    let all = summary.vars.iter().filter_map(|(place, var)| Some((*place, by(var)?)));
    all.filter(|(_, by)| *by != 0).map(|(place, by)| Growth { place, by }).collect()
}
