//! Proofs and runs in words.

use std::collections::BTreeSet;
use std::sync::Arc;

use exeunt_certify::Side;
use exeunt_counter::{Hold, LockId, Mode, NodeId, System, Thread};
use exeunt_model::{
    ActorId, Event, Location, LoopRow, Noun, Property, Schedule, Trace, TraceStep, Violation,
};
use exeunt_smt::{Atom, BitOp, Formula, Term};

use crate::agreement::{Agreement, Clause};
use crate::fair::Milestone;
use crate::infinite::{Lasso, Step};
use crate::negotiate::{Failure, Outcome, Proof, Row};
use crate::rank::Ranking;

pub(crate) fn term(system: &System, term: &Term) -> String {
    spelled(system, term, "")
}

/// A sum, with this behind each variable.
fn spelled(system: &System, term: &Term, behind: &str) -> String {
    let mut text = String::new();
    for (atom, factor) in term.parts() {
        let name = match atom {
            Atom::Var(var) => format!("{}{behind}", system.variable(*var).name),
            Atom::Bits(op @ (BitOp::Ones | BitOp::LowZeros | BitOp::HighZeros), _, a, _) => {
                format!("{}({})", op.sign(), spelled(system, a, behind))
            }
            Atom::Remainder(a, round) => match round.count_ones() {
                1 => format!("(({}) mod 2^{})", spelled(system, a, behind), round.trailing_zeros()),
                _ => format!("(({}) mod {round})", spelled(system, a, behind)),
            },
            Atom::Product(..) | Atom::Quotient(..) | Atom::Choice(..) | Atom::Bits(..) => {
                "…".into()
            }
        };
        let sign = match (factor < 0, text.is_empty()) {
            (true, true) => "-",
            (true, false) => " - ",
            (false, true) => "",
            (false, false) => " + ",
        };
        let factor = factor.unsigned_abs();
        let times = if factor == 1 { String::new() } else { format!("{factor}*") };
        text.push_str(&format!("{sign}{times}{name}"));
    }
    match term.constant() {
        number if text.is_empty() => number.to_string(),
        0 => text,
        number if number < 0 => format!("{text} - {}", number.unsigned_abs()),
        number => format!("{text} + {number}"),
    }
}

/// `lck != 1 || x' <= x`: the subject is thread 1.
pub(crate) fn clause(system: &System, clause: &Clause) -> String {
    let mut text = String::new();
    for (lock, _) in &clause.while_held {
        text.push_str(&format!("{} != 1 || ", system.locks[lock.0 as usize].name));
    }
    let (after, before) = (spelled(system, &clause.measure, "'"), term(system, &clause.measure));
    let promise = format!("{after} <= {before}");
    let condition = |mark: &str| {
        let facts = clause.when.facts.iter().filter_map(|fact| {
            let Formula::NonNegative(sum) = fact else { return None };
            Some(format!("{} >= 0", spelled(system, sum, mark)))
        });
        facts.collect::<Vec<_>>().join(" && ")
    };
    let (first, second) = (condition(""), condition("'"));
    text.push_str(&match (clause.when.facts.is_empty(), clause.when.side) {
        (true, _) => promise,
        (false, Side::Before) => format!("if {first} then {promise} && {second}"),
        (false, Side::After) => format!("if {second} then {promise} && {first}"),
    });
    text
}

/// A promise that a condition stays true.
fn steady(system: &System, clause: &Clause) -> String {
    let facts: Vec<String> =
        clause.when.facts.iter().map(|fact| system.formula_text(fact)).collect();
    format!("{}: stays so", facts.join(" && "))
}

pub(crate) fn agreement(system: &System, agreement: &Agreement) -> Vec<String> {
    match agreement.clauses.as_slice() {
        [] => vec!["true: it need not promise anything".into()],
        clauses => clauses.iter().map(|one| clause(system, one)).collect(),
    }
}

pub(crate) fn location(system: &System, thread: usize, node: NodeId) -> Option<Location> {
    let thread = &system.threads[thread];
    let own = thread.node(node).location.clone().filter(|location| location.is_known());
    own.or_else(|| thread.leaving(node).find_map(|(_, edge)| edge.location.clone()))
}

/// `file:line` of a loop head.
pub(crate) fn place(system: &System, thread: usize, node: NodeId) -> String {
    match location(system, thread, node) {
        Some(location) => format!("{}:{}", location.file, location.line),
        None => "an unknown place".into(),
    }
}

/// The agreement, and what locks promise about variables that ranking
/// functions use.
fn relied_on(system: &System, proof: &Proof) -> Vec<String> {
    let mut used = BTreeSet::new();
    proof.ranking.values().flatten().flatten().for_each(|term| term.collect_vars(&mut used));
    let mut lines: Vec<String> = Vec::new();
    for var in used.into_iter().filter(|var| system.is_shared(*var)) {
        let name = &system.variable(var).name;
        if system.is_stable(0, var, &[]) {
            lines.push(format!("{name}' == {name}"));
            continue;
        }
        for (number, lock) in system.locks.iter().enumerate() {
            let hold = Hold { lock: LockId(number as u32), mode: Mode::Exclusive, count: 1 };
            if system.is_stable(0, var, &[hold]) {
                lines.push(format!("{} != 1 || {name}' == {name}", lock.name));
            }
        }
    }
    lines.extend(proof.agreement.clauses.iter().map(|one| clause(system, one)));
    if lines.is_empty() { agreement(system, &proof.agreement) } else { lines }
}

/// Headings and lines about a proof.
pub(crate) fn proof(system: &System, proof: &Proof) -> Vec<(String, Vec<String>)> {
    let mut parts = vec![(
        format!("the agreement with its environment (thread 1 is `{}`)", system.threads[0].name),
        relied_on(system, proof),
    )];
    if !proof.milestones.is_empty() {
        let lines = proof.milestones.iter().map(|one| milestone(system, one)).collect();
        parts.push(("what comes true, because every thread gets its turn".into(), lines));
    }
    for (thread, promised) in system.threads.iter().zip(&proof.common.relies) {
        let lines: Vec<String> = promised.clauses.iter().map(|one| steady(system, one)).collect();
        if !lines.is_empty() {
            parts.push((format!("what the others keep for `{}`", thread.name), lines));
        }
    }
    if !proof.common.laws.is_empty() {
        let law = |law| format!("{} <= {}", spelled(system, law, "'"), term(system, law));
        let laws = proof.common.laws.iter().map(law).collect();
        parts.push(("what every step of every thread keeps".into(), laws));
    }
    if !proof.common.facts.is_empty() {
        let facts = proof.common.facts.iter().map(|fact| system.formula_text(fact)).collect();
        parts.push(("true at all times, from the initial values on".into(), facts));
    }
    let loops = ranked(system, 0, &proof.ranking);
    if !loops.is_empty() {
        parts.push(("what falls with every round of a loop".into(), loops));
    }
    parts
}

/// Each loop head with its ranking function.
fn ranked(system: &System, thread: usize, ranking: &Ranking) -> Vec<String> {
    let line = |(node, levels): (&NodeId, &Vec<Vec<Term>>)| {
        let levels: Vec<String> = levels.iter().map(|phases| level(system, phases)).collect();
        let spelled = match levels.as_slice() {
            [] => "no round can follow another".to_string(),
            [one] => one.clone(),
            many => format!("({})", many.join(", ")),
        };
        format!("{}: {spelled}", place(system, thread, *node))
    };
    ranking.iter().map(line).collect()
}

/// `first y, then x` for phases.
fn level(system: &System, phases: &[Term]) -> String {
    let phases: Vec<String> = phases.iter().map(|one| term(system, one)).collect();
    match phases.as_slice() {
        [one] => one.clone(),
        many => format!("first {}", many.join(", then ")),
    }
}

/// Who makes it true, where, and why it gets there.
fn milestone(system: &System, one: &Milestone) -> String {
    let helper = &system.threads[one.thread];
    let vars = one.goal.vars();
    let writes = helper.edges.iter().filter(|edge| vars.iter().any(|v| edge.sets.contains_key(v)));
    let mut places: Vec<String> = writes
        .filter_map(|edge| edge.location.as_ref())
        .map(|location| format!("{}:{}", location.file, location.line))
        .collect();
    places.dedup();
    let goal = system.formula_text(&one.goal);
    let name = &helper.name;
    let mut text = format!(
        "{goal}: `{name}` makes it so ({}); until then it can always move and does not end, and \
         no thread undoes it",
        places.join(", ")
    );
    let loops = ranked(system, one.thread, &one.ranking);
    if !loops.is_empty() {
        text.push_str(&format!("; on its way these fall: {}", loops.join("; ")));
    }
    text
}

/// Headings and lines about what was tried in vain.
pub(crate) fn attempt(system: &System, failure: &Failure) -> Vec<(String, Vec<String>)> {
    let mut parts = Vec::new();
    if let Some((node, edges)) = &failure.path {
        let lines = way(system, edges);
        let text = format!("{} by way of lines {lines}", place(system, 0, *node));
        parts.push(("the last lasso that nothing ranks".to_string(), vec![text]));
    }
    parts.push((
        format!("the last draft of an agreement (thread 1 is `{}`)", system.threads[0].name),
        agreement(system, &failure.agreement),
    ));
    if let Some((thread, edge)) = failure.breach {
        let other = &system.threads[thread];
        let at = other.edges[edge].location.as_ref().map_or(String::new(), |l| format!(" ({l})"));
        let text = format!("`{}` does not keep a promise that is needed{at}", other.name);
        parts.push(("what was missing".into(), vec![text]));
    }
    parts
}

/// The columns of Table 1 of the paper, for each loop.
pub(crate) fn rows(system: &System, rows: &[Row]) -> Vec<LoopRow> {
    let row = |row: &Row| LoopRow {
        thread: system.threads[0].name.clone(),
        location: row.heads.first().and_then(|head| location(system, 0, *head)),
        result: match row.outcome {
            Outcome::Ends => "ends",
            Outcome::Open => "open",
            Outcome::NotTried => "not tried",
        }
        .to_string(),
        seconds: row.seconds,
        strengthenings: row.strengthenings,
        weakenings: row.weakenings,
    };
    rows.iter().map(row).collect()
}

fn way(system: &System, edges: &[usize]) -> String {
    let subject = &system.threads[0];
    let lines = edges.iter().filter_map(|edge| subject.edges[*edge].location.as_ref());
    let mut lines: Vec<u32> = lines.map(|location| location.line).collect();
    lines.dedup();
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    lines.join(", ")
}

pub(crate) fn failure(system: &System, failure: &Failure) -> String {
    let mut text = failure.why.clone();
    if let Some((node, edges)) = &failure.path {
        let way = way(system, edges);
        text.push_str(&format!("; the loop at {} by way of lines {way}", place(system, 0, *node)));
    }
    if !failure.agreement.clauses.is_empty() {
        let draft = agreement(system, &failure.agreement).join("; ");
        text.push_str(&format!("; the last draft of an agreement was: {draft}"));
    }
    if let Some((thread, edge)) = failure.breach {
        let other = &system.threads[thread];
        let at = other.edges[edge].location.as_ref().map_or(String::new(), |l| format!(" ({l})"));
        text.push_str(&format!("; `{}` does not keep a promise that is needed{at}", other.name));
    }
    text
}

pub(crate) fn violation(system: &System, lasso: &Lasso) -> Violation {
    let subject = &system.threads[0];
    let trace = trace(system, lasso);
    let location = lasso.steps[lasso.cycle..]
        .iter()
        .filter(|step| step.thread == 0)
        .find_map(|step| location_of(subject, step));
    let others = lasso.steps[lasso.cycle..].iter().any(|step| step.thread != 0);
    let help = match (others, lasso.recurrent.is_empty()) {
        (true, true) => "other threads take part in what repeats: each round ends where it began",
        (true, false) => "other threads take part in what repeats",
        (false, _) => "it repeats this whatever the others do; if they ran, it might end",
    };
    let mut help = vec![help.to_string()];
    if !lasso.recurrent.is_empty() {
        let facts = lasso.recurrent.iter().map(|fact| system.formula_text(fact));
        let facts: Vec<String> = facts.collect();
        help.push(format!(
            "before each round this is true, so that it can be gone, and stays true: {}",
            facts.join(", ")
        ));
    }
    let given =
        lasso.given.iter().map(|(var, value)| format!("{} = {value}", system.variable(*var).name));
    let given: Vec<String> = given.collect();
    if !given.is_empty() {
        help.push(format!("registers where it begins: {}", given.join(", ")));
    }
    Violation {
        property: Property::Termination,
        message: format!("thread `{}` can make infinitely many steps", subject.name),
        location,
        callers: Vec::new(),
        labels: Vec::new(),
        help,
        sections: Vec::new(),
        trace,
        question: None,
    }
}

fn location_of(thread: &Thread, step: &Step) -> Option<Location> {
    thread.edges[step.edge?].location.clone()
}

fn trace(system: &System, lasso: &Lasso) -> Trace {
    let steps = lasso.steps.iter().map(|step| told(system, step)).collect();
    Trace {
        schedule: Schedule::default(),
        steps,
        noun: Noun::Thread,
        actors: system.threads.iter().map(|thread| thread.name.clone()).collect(),
        cycle_start: Some(lasso.cycle),
        ..Trace::default()
    }
}

fn told(system: &System, step: &Step) -> TraceStep {
    let thread = &system.threads[step.thread];
    let changed: Vec<String> = step
        .changed
        .iter()
        .filter(|(var, _)| system.is_shared(*var))
        .map(|(var, value)| format!("{} = {value}", system.variable(*var).name))
        .collect();
    let (location, mut action) = match step.edge {
        Some(edge) => (thread.edges[edge].location.clone(), thread.edges[edge].text.clone()),
        None => (None, "one more of these begins".to_string()),
    };
    if action.is_empty() {
        action = "goes on".into();
    }
    if !changed.is_empty() {
        action = format!("{action}: {}", changed.join(", "));
    }
    let at = location.clone().unwrap_or_else(|| Location::in_function(&thread.name));
    let events = vec![Event::Did { location: at, text: Arc::from(action.as_str()) }];
    let actor = ActorId(step.thread as u32);
    TraceStep { actor, location, action, callers: Vec::new(), events }
}
