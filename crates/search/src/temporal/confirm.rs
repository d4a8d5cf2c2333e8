//! Runs a schedule against a temporal property again. Nothing of the search
//! is used: a formula is evaluated on the word of the run by its meaning, a
//! claim by following it along the run.

use exeunt_ltl::Lasso;
use exeunt_model::{Fault, Report, Schedule, Session, Statistics, Verdict};

use super::claim::{Claim, translate};
use super::kripke::{Kripke, Node};
use super::lasso::{Run, Stride, starved};
use super::marks::Actors;
use super::{Ask, AskKind, story};
use crate::explore::Graph;
use crate::store::ComponentPool;
use crate::story::{Outcome, take};

/// Follows the schedule; from `cycle` on it repeats, and without a cycle the
/// run must have come to an end. `Err` says what cannot be followed.
pub fn confirm(
    session: &dyn Session,
    ask: &Ask,
    fair: bool,
    schedule: &Schedule,
    cycle: Option<usize>,
) -> Result<Report, String> {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(session.worker(&pool), &pool);
    let watcher = session.watcher(&pool).ok_or("the model has no propositions")?;
    graph.start().map_err(|fault| fault.message)?;
    let mut kripke = Kripke::new(graph, watcher, false);
    let run = follow(&mut kripke, schedule, cycle)?;
    let broken = match judge(&mut kripke, ask, &run) {
        Ok(broken) => {
            broken && (!fair || starved(&mut kripke, &run).map_err(|f| f.message)? == Actors::NONE)
        }
        Err(fault) => return Err(fault.message),
    };
    let mut violations = Vec::new();
    if broken {
        let violation = match ask.kind {
            AskKind::Invariant(_) => {
                let path: Vec<_> = nodes(&run).map(Node::state).collect();
                story::broken_invariant(&mut kripke.graph, &path, ask)
            }
            _ => story::violation(&mut kripke, ask, &run, fair).map_err(|f| f.message)?,
        };
        violations.push(violation);
    }
    let (verdict, reason) = match broken {
        true => (Verdict::Violated, violations[0].message.clone()),
        false => (Verdict::Inconclusive, format!("this run is no violation of `{}`", ask.text)),
    };
    let states = kripke.graph.store.len() as u64;
    let statistics = Statistics { states, ..Statistics::default() };
    Ok(Report { violations, statistics, ..Report::new(verdict, reason) })
}

fn nodes(run: &Run) -> impl Iterator<Item = Node> {
    let strides = run.stem.iter().chain(&run.cycle);
    std::iter::once(run.first).chain(strides.map(|stride| stride.target))
}

fn follow(
    kripke: &mut Kripke<'_>,
    schedule: &Schedule,
    cycle: Option<usize>,
) -> Result<Run, String> {
    let first = kripke.initial().ok_or("the program has no initial state")?;
    let mut run = Run { first, stem: Vec::new(), cycle: Vec::new() };
    let mut state = first.state();
    let mut start = first.state();
    for (at, step) in schedule.moves.iter().enumerate() {
        let taken = take(&mut kripke.graph, state, step);
        let Some((Outcome::State(next), _)) = taken else {
            return Err(format!("move {} of the schedule (`{step}`) is not possible", at + 1));
        };
        if cycle == Some(at) {
            start = state;
        }
        let actor = u8::try_from(step.actor.0).ok();
        let part =
            if cycle.is_some_and(|cycle| at >= cycle) { &mut run.cycle } else { &mut run.stem };
        part.push(Stride { actor, target: Node::of(next) });
        state = next;
    }
    if cycle.is_some() && (state != start || run.cycle.is_empty()) {
        return Err("the part of the schedule that repeats does not lead back".to_string());
    }
    Ok(run)
}

/// Whether the run is what the question forbids.
fn judge(kripke: &mut Kripke<'_>, ask: &Ask, run: &Run) -> Result<bool, Fault> {
    let last = nodes(run).last().expect("a run has a state");
    let mut letters = Vec::new();
    for node in nodes(run) {
        letters.push(kripke.letter(node)?);
    }
    // The state behind the cycle is the one before it.
    let stem = run.stem.len();
    let word = |bits: &[u32]| {
        let own: Vec<u64> = letters.iter().map(|letter| translate(*letter, bits)).collect();
        match run.cycle.is_empty() {
            true => Lasso::new(&own[..stem], &own[stem..]),
            false => Lasso::new(&own[..stem], &own[stem..own.len() - 1]),
        }
    };
    let ends = kripke.is_stuck(last)?;
    let infinite = !run.cycle.is_empty() || ends;
    Ok(match &ask.kind {
        AskKind::Invariant(number) => letters.last().is_some_and(|last| last >> number & 1 == 0),
        AskKind::Formula(formula, bits) => {
            infinite && !word(bits).satisfies(formula, &formula.propositions())
        }
        AskKind::Progress(number) => {
            !run.cycle.is_empty() && letters[stem..].iter().all(|letter| letter >> number & 1 == 0)
        }
        AskKind::Claim { number, .. } => accepted(kripke, &Claim::Own(*number), run, infinite)?,
    })
}

/// Whether a claim accepts the run: pairs of position and claim state, and
/// from an accepting one a way back to itself.
fn accepted(
    kripke: &mut Kripke<'_>,
    claim: &Claim,
    run: &Run,
    infinite: bool,
) -> Result<bool, Fault> {
    let mut positions: Vec<Node> = nodes(run).collect();
    let back = if run.cycle.is_empty() {
        run.stem.len()
    } else {
        positions.pop();
        run.stem.len()
    };
    let next = |at: usize| if at + 1 < positions.len() { at + 1 } else { back };
    let mut pairs = vec![(0, claim.start(kripke))];
    let mut edges: Vec<Vec<(usize, bool)>> = Vec::new();
    while edges.len() < pairs.len() {
        let (at, from) = pairs[edges.len()];
        let mut steps = Vec::new();
        claim.steps(kripke, positions[at], from, &mut steps)?;
        let mut own = Vec::new();
        for step in steps {
            if step.completed {
                return Ok(true);
            }
            let pair = (next(at), step.target);
            let known = pairs.iter().position(|other| *other == pair);
            let index = known.unwrap_or(pairs.len());
            if known.is_none() {
                pairs.push(pair);
            }
            own.push((index, step.marks != 0));
        }
        edges.push(own);
    }
    let reaches = |from: usize, goal: usize| {
        let mut seen = vec![false; pairs.len()];
        let mut work = vec![from];
        while let Some(at) = work.pop() {
            if at == goal {
                return true;
            }
            if !std::mem::replace(&mut seen[at], true) {
                work.extend(edges[at].iter().map(|(to, _)| *to));
            }
        }
        false
    };
    let marked = edges.iter().enumerate().flat_map(|(from, own)| {
        own.iter().filter(|(_, marked)| *marked).map(move |(to, _)| (from, *to))
    });
    Ok(infinite && marked.into_iter().any(|(from, to)| reaches(to, from)))
}
