//! A proof in words: what grows, what a round does to the channels, and the
//! invariant, as in Figure 6 of Kuntz, Leue and Scheben.

use std::collections::BTreeMap;

use exeunt_smt::{Int, Var};

use crate::config::Traffic;
use crate::domain::Integers;
use crate::invariant::About;
use crate::names::{self, Names};
use crate::progression::Progression;
use crate::proof::{Growth, Proof};
use crate::run::Source;
use crate::summary::{Class, Place};
use crate::words::Flow;

pub(crate) fn growth_text(names: &Names<'_>, growth: &Growth) -> String {
    let by = growth.by.abs();
    let messages = if by == 1 { "message" } else { "messages" };
    match growth.place {
        Place::Length(channel) => {
            format!("channel `{}` grows by {by} {messages} in each round", names.channel(channel))
        }
        place if growth.by < 0 => format!("`{}` falls by {by} in each round", names.place(place)),
        place => format!("`{}` grows by {by} in each round", names.place(place)),
    }
}

/// The proof, a line each, in parts with a heading.
pub(crate) fn explained(source: Source<'_>, proof: &Proof) -> Vec<(String, Vec<String>)> {
    let names = Names::new(source, &proof.lasso.start);
    let mut parts = Vec::new();
    let growth = proof.growth.iter().map(|growth| growth_text(&names, growth)).collect();
    parts.push(("what has no bound".to_string(), growth));
    parts.push(("what one round does to the channels".to_string(), words(&names, proof)));
    let heading = "before every round (the invariant)".to_string();
    parts.push((heading, invariant(&names, proof)));
    parts.retain(|(_, lines): &(String, Vec<String>)| !lines.is_empty());
    parts
}

/// in(w) and out(w) of every channel that the cycle uses.
fn words(names: &Names<'_>, proof: &Proof) -> Vec<String> {
    let mut lines = Vec::new();
    for (channel, Traffic { sent, received: taken }) in proof.words.iter().enumerate() {
        if taken.is_empty() && sent.is_empty() {
            continue;
        }
        let word = |messages: &[Vec<i64>], of: fn(&Traffic<i64>) -> &[Vec<i64>]| {
            if messages.is_empty() {
                return "nothing".to_string();
            }
            let rounds: Vec<&[Vec<i64>]> =
                proof.rounds.iter().map(|round| of(&round[channel])).collect();
            let message = |at: usize| message_of_rounds(names, channel, &messages[at], at, &rounds);
            (0..messages.len()).map(message).collect::<Vec<_>>().join(" ")
        };
        let (takes, adds) = (word(taken, |t| &t.received), word(sent, |t| &t.sent));
        lines.push(format!("{}: takes {takes}; adds {adds}", names.channel(channel)));
    }
    if lines.iter().any(|line| line.contains(CHANGES)) {
        lines.push(format!("(a, b{CHANGES} is a value that changes: that of the first round, of the second, and so on)"));
    }
    lines
}

/// What stands behind the first values of a field that is not the same in every round.
const CHANGES: &str = ", …)";

/// A message as every round has it. A field whose value changes is told with its values in the first rounds.
fn message_of_rounds(
    names: &Names<'_>,
    channel: usize,
    message: &[i64],
    at: usize,
    rounds: &[&[Vec<i64>]],
) -> String {
    const SHOWN: usize = 3;
    let field = |(index, first): (usize, &i64)| {
        let values: Vec<i64> =
            rounds.iter().filter_map(|round| round.get(at)?.get(index).copied()).collect();
        match values.iter().all(|value| value == first) {
            true => names.field(channel, index, *first),
            false => {
                let shown = values.iter().take(SHOWN);
                let shown: Vec<String> =
                    shown.map(|value| names.field(channel, index, *value)).collect();
                format!("({}{CHANGES}", shown.join(", "))
            }
        }
    };
    message.iter().enumerate().map(field).collect::<Vec<_>>().join(",")
}

fn invariant(names: &Names<'_>, proof: &Proof) -> Vec<String> {
    let vars = names.vars(&proof.summary);
    let mut lines = Vec::new();
    for (place, value) in &proof.summary.fixed {
        if is_interesting(names, proof, *place) {
            lines.push(format!("{} == {}", names.place(*place), names.value(*place, *value)));
        }
    }
    for fact in proof.invariant.facts.iter().filter(|fact| fact.about == About::State) {
        lines.push(names::shown(&fact.formula, &vars));
    }
    for (channel, flow) in proof.summary.flows.iter().enumerate() {
        let used = flow.taken + flow.added + flow.length > 0;
        match () {
            () if proof.summary.bags.contains_key(&channel) => {
                lines.extend(bag(names, proof, channel));
            }
            () if flow.grows() => lines.extend(growing(names, proof, channel)),
            () if used && flow.length == 0 => {
                lines.push(format!("{} is empty", names.channel(channel)));
            }
            () => {}
        }
    }
    lines
}

/// Channel variables and what is zero from the start would only distract.
fn is_interesting(names: &Names<'_>, proof: &Proof, place: Place) -> bool {
    match place {
        Place::Field(..) => true,
        Place::Length(_) => false,
        place => {
            let value = proof.summary.fixed[&place];
            !names.is_channel(place) && value != 0
        }
    }
}

/// What lies in a growing channel, wherever it lies.
fn bag(names: &Names<'_>, proof: &Proof, channel: usize) -> Vec<String> {
    let (flow, name) = (proof.summary.flows[channel], names.channel(channel));
    let told = |message: &[i64]| -> String {
        let fields = message.iter().enumerate();
        fields.map(|(at, value)| names.field(channel, at, *value)).collect::<Vec<_>>().join(",")
    };
    let grows = &proof.summary.bags[&channel];
    let kinds: Vec<String> = grows.iter().map(|message| told(message)).collect();
    let others = proof.lasso.start.channels[channel].messages.iter();
    let others: Vec<String> = others
        .filter(|message| !grows.contains(&message.to_vec()))
        .map(|message| told(message))
        .collect();
    let others = match others.is_empty() {
        true => String::new(),
        false => format!("; besides, it holds {}", others.join(" ")),
    };
    vec![
        holds_more(&name, flow),
        format!("{name} holds more and more of {}{others}", kinds.join(" ")),
    ]
}

fn holds_more(name: &str, flow: Flow) -> String {
    let some = match flow.length {
        0 => String::new(),
        length => format!("{length} + "),
    };
    format!("{name} holds {some}{} * (rounds) messages", flow.added - flow.taken)
}

/// What a growing channel looks like.
fn growing(names: &Names<'_>, proof: &Proof, channel: usize) -> Vec<String> {
    let flow = proof.summary.flows[channel];
    let name = names.channel(channel);
    let mut lines = Vec::new();
    let classes =
        (0..flow.classes()).map(|class| &proof.summary.classes[&Class { channel, class }]);
    let letter = |fields: &Vec<Result<i64, _>>| {
        let fields = fields.iter().enumerate().map(|(field, value)| match value {
            Ok(value) => names.field(channel, field, *value),
            Err(_) => "_".to_string(),
        });
        fields.collect::<Vec<_>>().join(",")
    };
    let word: Vec<String> = classes.map(|messages| letter(&messages.fields)).collect();
    lines.push(holds_more(&name, flow));
    if flow.taken > 0 {
        lines.push(format!("{name} reads {} {} …", word.join(" "), word.join(" ")));
    }
    let vars = names.vars(&proof.summary);
    for class in 0..flow.classes() {
        let messages = &proof.summary.classes[&Class { channel, class }];
        lines.extend(
            messages.progressions.iter().map(|row| in_a_row(&name, flow, class, row, &vars)),
        );
    }
    for fact in &proof.invariant.facts {
        if matches!(fact.about, About::Message(class) if class.channel == channel) {
            lines.push(names::shown(&fact.formula, &vars));
        }
    }
    lines
}

/// What a field of the messages of a class is, place after place.
fn in_a_row(
    channel: &str,
    flow: Flow,
    class: usize,
    row: &Progression,
    vars: &BTreeMap<Var, String>,
) -> String {
    let place = match (flow.classes(), class) {
        (1, _) => "k".to_string(),
        (classes, 0) => format!("{classes} * k"),
        (classes, class) => format!("{classes} * k + {class}"),
    };
    let base = names::term_text(&row.base, vars);
    let step = match row.step {
        1 => "+ k".to_string(),
        -1 => "- k".to_string(),
        step if step < 0 => format!("- {} * k", -step),
        step => format!("+ {step} * k"),
    };
    format!("field {} of the message at place {place} of {channel} is {base} {step}", row.field + 1)
}

/// The sentence that says what was proven.
pub(crate) fn sentence(source: Source<'_>, proof: &Proof) -> String {
    let names = Names::new(source, &proof.lasso.start);
    let best = proof.growth.iter().max_by_key(|growth| match growth.place {
        Place::Length(_) => (1, growth.by),
        _ => (0, Int::from(growth.by.abs() as i64)),
    });
    let steps = proof.lasso.cycle.len();
    let noun = if steps == 1 { "step" } else { "steps" };
    let runs = format!("a cycle of {steps} {noun} runs for ever");
    match best {
        Some(growth) => format!("{runs}, and {}", growth_text(&names, growth)),
        None if proof.summary.vars.is_empty() => {
            format!("{runs}: it comes back to the very same state")
        }
        None => runs,
    }
}

/// The same for the first line.
pub(crate) fn headline(source: Source<'_>, proof: &Proof) -> String {
    let names = Names::new(source, &proof.lasso.start);
    let channels = proof.growth.iter().filter_map(|growth| match growth.place {
        Place::Length(channel) => Some(format!("`{}`", names.channel(channel))),
        _ => None,
    });
    let channels: Vec<String> = channels.collect();
    match channels.as_slice() {
        [] => "some run never ends".to_string(),
        [one] => format!("some run never ends, in which channel {one} grows without bound"),
        several => {
            let list = several.join(", ");
            format!("some run never ends, in which channels {list} grow without bound")
        }
    }
}

/// What the proof takes for granted.
pub(crate) fn assumption(proof: &Proof) -> String {
    match proof.integers {
        Integers::Exact => "an `int` has 32 bits and wraps around, as in SPIN".to_string(),
        Integers::Ideal => {
            "an `int` has no bounds; with 32 bits it would wrap around in the end".to_string()
        }
    }
}
