//! Temporal questions about a loaded program: what is asked of which front
//! end, each with an id that trace files keep.

use std::collections::HashMap;

use exeunt_ir::Program;
use exeunt_ltl::Formula;
use exeunt_promela::{ClaimKind, Marking, PromelaModel};
use exeunt_search::{Ask, AskError, AskKind};
use exeunt_vm::Proposition;

use crate::args::ReductionChoice;
use crate::failure::Failure;
use crate::questions::Questions;
use crate::settings::Settings;

/// What is asked of a Promela model: its claims and formulas, those of the
/// command line among them, and its labels.
pub(crate) fn of_promela(
    model: &mut PromelaModel,
    settings: &Settings,
) -> Result<Vec<Ask>, Failure> {
    let questions = &settings.questions;
    let claims = model.claims().to_vec();
    for name in &questions.names {
        if !claims.iter().any(|claim| *claim.name == **name) {
            let known: Vec<String> =
                claims.iter().map(|claim| format!("`{}`", claim.name)).collect();
            let help = match known.as_slice() {
                [] => "the model has no claims or formulas of its own".to_string(),
                known => format!("it has {}", known.join(", ")),
            };
            return Err(Failure::bad(format!("the model has no claim `{name}`")).help(help));
        }
    }
    let mut asks = Vec::new();
    for (number, claim) in claims.iter().enumerate() {
        let given = questions.behind(&claim.name);
        let named =
            questions.names.is_empty() || questions.names.iter().any(|n| **n == *claim.name);
        if given.is_none() && (!named || questions.no_claims) {
            model.leave_out(number);
            continue;
        }
        let (text, kind) = match &claim.kind {
            ClaimKind::Never(_) => {
                let forgets_repetition = model.forgets_repetition(claim);
                (claim.describe(), AskKind::Claim { number: number as u32, forgets_repetition })
            }
            ClaimKind::Ltl { text, formula, conditions } => {
                let mut numbers = HashMap::new();
                for condition in conditions {
                    let number = model.watch(condition).ok_or_else(too_many)?;
                    numbers.insert(condition.name.clone(), number);
                }
                let bits = formula.propositions().iter().map(|name| numbers[name]).collect();
                let own = || format!("{}: {text}", claim.name);
                (given.map_or_else(own, str::to_string), AskKind::Formula(formula.clone(), bits))
            }
            // Looked at by the machine itself.
            ClaimKind::Trace(_) | ClaimKind::Notrace(_) => continue,
        };
        let location = given.is_none().then(|| claim.location.clone());
        asks.push(Ask { id: format!("claim {}", claim.name), text, kind, location });
        model.settle(number);
    }
    if questions.non_progress {
        let number = model.watch_marking(Marking::Progress).ok_or_else(too_many)?;
        let text = "progress on every cycle".to_string();
        let id = "progress".to_string();
        asks.push(Ask { id, text, kind: AskKind::Progress(number), location: None });
    }
    if questions.acceptance {
        let number = model.watch_marking(Marking::Accept).ok_or_else(too_many)?;
        let text = "no cycle through an accept label".to_string();
        let formula = exeunt_ltl::parse("F G !accept").expect("a formula");
        let kind = AskKind::Formula(formula, vec![number]);
        asks.push(Ask { id: "acceptance".to_string(), text, kind, location: None });
    }
    if let Some(invariant) = questions.invariants.first() {
        let message = format!("--invariant `{invariant}`: a Promela model has no functions");
        let help =
            format!("ask for `--ltl \'G ({invariant})\'`, or write an `assert` in a process");
        return Err(Failure::bad(message).help(help));
    }
    if !asks.is_empty() {
        model.step_by_step();
    }
    Ok(asks)
}

fn too_many() -> Failure {
    Failure::bad("the formulas have more than 64 different conditions")
        .help("check some of them in a run of their own")
}

/// What is asked of a C program, and the texts of the propositions, by number.
pub(crate) fn of_c(settings: &Settings) -> Result<(Vec<Ask>, Vec<String>), Failure> {
    let help = "say it without `X`, or add `--reduction none`, where a step is one instruction";
    let merges = settings.reduction != ReductionChoice::None;
    of_program(&settings.questions, merges.then_some(help))
}

/// The same of any program. `merges`: steps are merged, and what to do about
/// formulas for which that matters.
pub(crate) fn of_program(
    questions: &Questions,
    merges: Option<&str>,
) -> Result<(Vec<Ask>, Vec<String>), Failure> {
    let mut texts: Vec<String> = Vec::new();
    let mut number = |text: &str| {
        let known = texts.iter().position(|known| known == text);
        known.unwrap_or_else(|| {
            texts.push(text.to_string());
            texts.len() - 1
        }) as u32
    };
    let mut asks = Vec::new();
    for (at, invariant) in questions.invariants.iter().enumerate() {
        let kind = AskKind::Invariant(number(invariant.trim()));
        let id = format!("invariant {}", at + 1);
        asks.push(Ask { id, text: invariant.trim().to_string(), kind, location: None });
    }
    for (at, (text, formula)) in questions.formulas.iter().zip(questions.parsed()?).enumerate() {
        if let Some(help) = merges.filter(|_| formula.has_next()) {
            let message = "`X` (next) has no meaning under a reduction, which merges steps";
            return Err(text.about("X", message, Some(help)));
        }
        let bits = formula.propositions().iter().map(|name| number(name)).collect();
        let kind = AskKind::Formula(formula, bits);
        let id = format!("formula {}", at + 1);
        asks.push(Ask { id, text: text.text.clone(), kind, location: None });
    }
    if texts.len() > 64 {
        return Err(too_many());
    }
    Ok((asks, texts))
}

/// The propositions as the machine needs them.
pub(crate) fn propositions(
    program: &Program,
    settings: &Settings,
    texts: &[String],
) -> Result<Vec<Proposition>, Failure> {
    let read = |text: &String| {
        Proposition::new(program, text).map_err(|error| {
            let asked = settings.questions.formulas.iter();
            let formula = asked.zip(settings.questions.parsed().unwrap_or_default());
            let holds = |formula: &Formula| formula.propositions().iter().any(|p| **p == **text);
            match formula.into_iter().find(|(_, formula)| holds(formula)) {
                Some((place, _)) => place.about(text, &error.message, Some(&error.help)),
                None => Failure::bad(format!("--invariant: {}", error.message)).help(error.help),
            }
        })
    };
    texts.iter().map(read).collect()
}

/// A question that is itself wrong.
pub(crate) fn wrong(error: AskError) -> Failure {
    match error {
        AskError::Formula { text, why } => {
            Failure::bad(format!("`{text}`: {why}")).help("split the formula into several")
        }
        AskError::Proposition(fault) => {
            let place = fault.location.as_ref().map_or_else(String::new, |at| format!(" ({at})"));
            let failure = Failure::bad(format!("{}{place}", fault.message));
            match fault.help.first() {
                Some(help) => failure.help(help.clone()),
                None => failure,
            }
        }
    }
}
