//! Temporal properties: formulas, never claims, progress, invariants.
//!
//! The state graph is unfolded once ([`kripke`]) and shared by all questions.
//! A question becomes a [`claim`], an automaton of what must not happen; pairs
//! of state and claim state ([`product`]) are searched for a component with
//! all marks ([`emptiness`]), weak fairness being marks too ([`marks`]); what
//! is found is told as a run with a cycle ([`lasso`], [`story`]).

mod claim;
mod confirm;
mod emptiness;
mod invariant;
mod kripke;
mod lasso;
mod marks;
mod nearby;
mod product;
#[cfg(test)]
mod reference;
mod story;

use exeunt_ltl::Formula;
use exeunt_model::{
    Answer, Fault, LeftOut, Location, Report, Session, Statistics, Verdict, Violation,
};

use crate::check::is_refuted;
use crate::explore::Graph;
use crate::limits::{self, Meter};
use crate::options::{Options, Progress};
use crate::store::ComponentPool;

use claim::Claim;
use emptiness::Found;
use kripke::Kripke;
use product::Product;

pub use confirm::confirm;

/// One question, with the text that it is reported by.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The same question has the same id in every run; a violation names it.
    pub id: String,
    pub text: String,
    pub kind: AskKind,
    pub location: Option<Location>,
}

#[derive(Clone, Debug)]
pub enum AskKind {
    /// Every run satisfies the formula. Its propositions have these numbers
    /// among those of the watcher, in the order of `Formula::propositions`.
    Formula(Formula, Vec<u32>),
    /// The claim of the model with this number accepts no run. Of some claims it is known that it makes
    /// no difference to them how often a state is repeated.
    Claim { number: u32, forgets_repetition: bool },
    /// The proposition with this number is true again and again on every run.
    Progress(u32),
    /// The proposition with this number is true in every state.
    Invariant(u32),
}

impl Ask {
    fn claim(&self) -> Result<Option<Claim>, String> {
        Ok(Some(match &self.kind {
            AskKind::Formula(formula, numbers) => {
                let names = formula.propositions();
                let number = |text: &str| {
                    let at = names.iter().position(|name| **name == *text);
                    numbers[at.expect("the automaton has no other propositions")]
                };
                Claim::against(formula, number).map_err(|error| error.to_string())?
            }
            AskKind::Claim { number, .. } => Claim::Own(*number),
            AskKind::Progress(number) => Claim::never_again(*number),
            AskKind::Invariant(_) => return Ok(None),
        }))
    }

    /// What is wrong, in one clause.
    pub fn complaint(&self) -> String {
        match &self.kind {
            AskKind::Formula(..) => format!("`{}` does not hold", self.text),
            AskKind::Claim { .. } => format!("what {} forbids happens", self.text),
            AskKind::Progress(_) => "there is a run that makes progress only finitely often".into(),
            AskKind::Invariant(_) => format!("invariant `{}` is false", self.text),
        }
    }

    /// Whether it makes no difference how often a state is repeated before
    /// something changes.
    fn forgets_repetition(&self) -> bool {
        match &self.kind {
            AskKind::Formula(formula, _) => !formula.has_next(),
            // Asked of infinite runs only, and these have infinite ones that
            // stand for them.
            AskKind::Progress(_) => true,
            AskKind::Claim { forgets_repetition, .. } => *forgets_repetition,
            // Which values the variables of a proposition take is kept.
            AskKind::Invariant(_) => true,
        }
    }

    fn is_completed_by_prefix(&self) -> bool {
        matches!(self.kind, AskKind::Claim { .. })
    }
}

/// Questions that cannot be answered because they are wrong themselves.
#[derive(Clone, Debug)]
pub enum AskError {
    /// The automaton of a formula would be too large, or the like.
    Formula { text: String, why: String },
    /// A proposition has no value in some state, or changes something.
    Proposition(Box<Fault>),
}

/// How temporal properties are looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Temporal {
    /// Only weakly fair runs: an actor that stays enabled makes a step some time.
    pub fair: bool,
    /// Report steps that go wrong, because no other search of this run does.
    pub faults: bool,
}

/// Answers the questions one after the other, until one is violated (or all,
/// if the options say so).
///
/// A session that turns out to rely on something wrong begins again with what it has learnt.
pub fn check_temporal(
    session: &mut dyn Session,
    options: &Options,
    temporal: Temporal,
    asks: &[Ask],
    progress: &mut dyn FnMut(&Progress),
) -> Result<Report, AskError> {
    let mut meter = Meter::new(options, progress);
    meter.refuted = session.refuted();
    loop {
        let report = check_once(session, options, temporal, asks, &mut meter)?;
        if meter.exhausted || !is_refuted(session) {
            return Ok(report);
        }
        session.renew();
        meter.discard();
    }
}

fn check_once(
    session: &dyn Session,
    options: &Options,
    temporal: Temporal,
    asks: &[Ask],
    meter: &mut Meter<'_>,
) -> Result<Report, AskError> {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(session.worker(&pool), &pool);
    let watcher = session.watcher(&pool).expect("a model that is asked has a watcher");
    let started = graph.start();
    graph.bounds = meter.bounds();
    graph.reduces = options.reduces
        && session.facts().left_out != LeftOut::None
        && !temporal.fair
        && asks.iter().all(Ask::forgets_repetition);
    let mut kripke = Kripke::new(graph, watcher, temporal.faults);
    let mut asking = Asking { options, temporal, violations: Vec::new(), answers: Vec::new() };
    match started {
        Err(fault) => asking.violations.extend(
            temporal.faults.then(|| crate::story::fault_violation(Default::default(), fault)),
        ),
        Ok(()) => asking.all(&mut kripke, asks, meter)?,
    }
    let Asking { violations, answers, .. } = asking;
    Ok(conclude(session, kripke, meter, violations, answers))
}

/// The questions asked so far and what came out.
struct Asking<'o> {
    options: &'o Options,
    temporal: Temporal,
    violations: Vec<Violation>,
    answers: Vec<Answer>,
}

impl Asking<'_> {
    fn all(
        &mut self,
        kripke: &mut Kripke<'_>,
        asks: &[Ask],
        meter: &mut Meter<'_>,
    ) -> Result<(), AskError> {
        for ask in asks {
            let before = self.violations.len();
            self.one(kripke, ask, meter)?;
            if (self.violations.len() > before && !self.options.all) || meter.interrupted {
                break;
            }
        }
        Ok(())
    }

    fn one(
        &mut self,
        kripke: &mut Kripke<'_>,
        ask: &Ask,
        meter: &mut Meter<'_>,
    ) -> Result<(), AskError> {
        let wrong = |fault: Fault| AskError::Proposition(Box::new(fault));
        let claim = ask.claim().map_err(|why| AskError::Formula { text: ask.text.clone(), why })?;
        let Some(claim) = claim else {
            let AskKind::Invariant(number) = ask.kind else { unreachable!("others have a claim") };
            return self.invariant(kripke, ask, number, meter).map_err(wrong);
        };
        let mut product = Product::new(kripke, &claim, self.temporal.fair);
        let (found, transitions) = emptiness::search(&mut product, meter).map_err(wrong)?;
        let states = product.len() as u64;
        let verdict = match found {
            Found::Nothing => Verdict::Holds,
            // The program goes wrong before the question is answered.
            Found::Unknown | Found::Fault => Verdict::Inconclusive,
            Found::Component(_) | Found::Completed(_) => Verdict::Violated,
        };
        let faulty = matches!(found, Found::Fault);
        let run = match found {
            Found::Component(pairs) => Some(lasso::run(&mut product, &pairs).map_err(wrong)?),
            Found::Completed(pair) => Some(lasso::way_to(&mut product, pair).map_err(wrong)?),
            Found::Nothing | Found::Unknown | Found::Fault => None,
        };
        if let Some(run) = run {
            let violation =
                story::violation(kripke, ask, &run, self.temporal.fair).map_err(wrong)?;
            self.violations.push(violation);
        }
        if faulty {
            self.fault(kripke).map_err(wrong)?;
        }
        // Telling about a run may look further than the search did.
        kripke.fault = None;
        self.answers.push(Answer { text: ask.text.clone(), states, transitions, verdict });
        Ok(())
    }

    fn invariant(
        &mut self,
        kripke: &mut Kripke<'_>,
        ask: &Ask,
        number: u32,
        meter: &mut Meter<'_>,
    ) -> Result<(), Fault> {
        let seen = invariant::search(kripke, number, meter)?;
        let verdict = match &seen.broken {
            Some(path) => {
                self.violations.push(story::broken_invariant(&mut kripke.graph, path, ask));
                Verdict::Violated
            }
            None if seen.complete => Verdict::Holds,
            None => Verdict::Inconclusive,
        };
        self.fault(kripke)?;
        self.answers.push(Answer {
            text: ask.text.clone(),
            states: seen.states,
            transitions: seen.transitions,
            verdict,
        });
        Ok(())
    }

    /// Tells about a step that went wrong, once.
    fn fault(&mut self, kripke: &mut Kripke<'_>) -> Result<(), Fault> {
        let Some((state, step, fault)) = kripke.fault.take() else { return Ok(()) };
        let path = invariant::path_to(kripke, state)?;
        self.violations.push(story::fault(&mut kripke.graph, &path, &step, fault));
        Ok(())
    }
}

fn conclude(
    session: &dyn Session,
    kripke: Kripke<'_>,
    meter: &Meter<'_>,
    violations: Vec<Violation>,
    answers: Vec<Answer>,
) -> Report {
    let graph = &kripke.graph;
    let incomplete = session.incompleteness();
    let states = graph.store.len() as u64;
    let bytes = graph.store.bytes() + graph.pool.bytes() + kripke.bytes();
    let statistics = Statistics {
        states,
        transitions: answers.iter().map(|answer| answer.transitions).sum(),
        max_depth: Some(meter.max_depth),
        phases: vec![("exploring", meter.seconds())],
        table_load: graph.store.table_load(),
        components: graph.pool.len() as u64,
        seconds: meter.seconds(),
        peak_memory_bytes: limits::peak_memory(),
        bytes_per_state: bytes as f64 / states.max(1) as f64,
        ..Statistics::default()
    };
    let unsure = answers.iter().any(|answer| answer.verdict == Verdict::Inconclusive);
    let (verdict, reason) = if let Some(first) = violations.first() {
        (Verdict::Violated, first.message.clone())
    } else if let Some(limit) = graph.unsupported.first() {
        (Verdict::Inconclusive, limit.to_string())
    } else if let Some(limit) = meter.hit.first() {
        (Verdict::Inconclusive, format!("not everything was explored ({limit})"))
    } else if unsure {
        (Verdict::Inconclusive, "not everything was explored".to_string())
    } else if let Some(why) = incomplete.first() {
        (Verdict::Inconclusive, why.clone())
    } else {
        (Verdict::Holds, holds(&answers))
    };
    let mut limits_hit = meter.hit.clone();
    limits_hit.extend(graph.unsupported.iter().map(ToString::to_string));
    limits_hit.extend(incomplete);
    let unreached = Vec::new();
    let (notes, assumptions) = (session.notes(), session.assumptions());
    Report {
        verdict,
        reason,
        violations,
        statistics,
        limits_hit,
        answers,
        unreached,
        notes,
        assumptions,
        remarks: session.remarks(),
        proof: None,
    }
}

fn holds(answers: &[Answer]) -> String {
    let texts: Vec<String> = answers.iter().map(|answer| format!("`{}`", answer.text)).collect();
    match texts.as_slice() {
        [one] => format!("{one} holds on every run"),
        many => format!("{} hold on every run", many.join(" and ")),
    }
}
