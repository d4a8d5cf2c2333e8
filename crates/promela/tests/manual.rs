//! The constructs of SPIN's manual, one after the other: `tests/promela/manual`
//! holds a small model for each, whose counts or verdict would be others if the
//! construct were taken wrongly. SPIN must have the same counts and verdict.
//!
//! A chapter is a text with a heading `== construct: what about it`, a line
//! `-- what must come out`, and the model. `EXEUNT_BLESS=1` writes the second
//! again, but only where SPIN agrees or is said to refuse the model.

mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use exeunt_promela::{PromelaModel, PromelaOptions};
use support::{Found, explore, load_with, spin};

/// One construct.
struct Entry {
    title: String,
    /// What must come out.
    expected: String,
    model: String,
}

const SPIN_REFUSES: &str = "; SPIN does not take it: ";
/// Here a path ends with its fault, so only verdicts can be compared.
const SPIN_GOES_ON: &str = "; SPIN goes on behind the fault";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/promela/manual")
}

/// The introduction of a chapter and its entries.
fn read(chapter: &str) -> (String, Vec<Entry>) {
    let path = folder().join(format!("{chapter}.txt"));
    let text = std::fs::read_to_string(path).expect("a chapter");
    let mut parts = text.split("\n== ");
    let introduction = parts.next().expect("a first line").to_string();
    let entry = |part: &str| {
        let (title, rest) = part.split_once('\n').expect("a title and a model");
        let (expected, model) = match rest.strip_prefix("-- ") {
            Some(rest) => rest.split_once('\n').expect("what is expected and a model"),
            None => ("", rest),
        };
        let (title, expected) = (title.to_string(), expected.to_string());
        Entry { title, expected, model: format!("{}\n", model.trim_end()) }
    };
    (introduction, parts.map(entry).collect())
}

fn write(chapter: &str, introduction: &str, entries: &[Entry]) {
    let mut text = format!("{}\n", introduction.trim_end());
    for Entry { title, expected, model } in entries {
        write!(text, "\n== {title}\n-- {expected}\n{model}").expect("writing to a string");
    }
    std::fs::write(folder().join(format!("{chapter}.txt")), text).expect("writing the chapter");
}

fn load(name: &str, entry: &Entry) -> Result<PromelaModel, String> {
    let options = PromelaOptions { past_assertions: true, ..Default::default() };
    load_with(name, &entry.model, &options).map_err(|errors| {
        let texts: Vec<String> =
            errors.iter().map(|e| format!("{}: {}", e.location.line, e.message)).collect();
        texts.join("; ")
    })
}

fn told(found: &Found) -> String {
    let verdict = match (found.faults.first(), found.deadlocks) {
        (Some(fault), _) => format!("{}", fault.property),
        (None, 0) => "holds".to_string(),
        (None, _) => "deadlock".to_string(),
    };
    format!("{} states, {} transitions, {verdict}", found.states, found.transitions)
}

/// What comes out, and what is wrong about it.
fn outcome(name: &str, entry: &Entry) -> Result<String, String> {
    let model = load(name, entry)?;
    let own = explore(&model, 10_000);
    let told = told(&own);
    let refusal = entry.expected.split_once(SPIN_REFUSES).map(|(_, why)| why);
    match (spin::run(model.path()), refusal) {
        (Ok(theirs), None) if entry.expected.ends_with(SPIN_GOES_ON) => {
            let same = own.is_violated() && theirs.is_violated();
            if same { Ok(told + SPIN_GOES_ON) } else { Err(theirs.output) }
        }
        (Ok(theirs), None) => spin::disagreement(&model, &own, &theirs).map_or(Ok(told), Err),
        (Ok(_), Some(_)) => Err("SPIN takes it".to_string()),
        (Err(theirs), Some(why)) if theirs.contains(why) => Ok(told + SPIN_REFUSES + why),
        (Err(theirs), _) => Err(theirs),
    }
}

fn chapter(name: &str, least: usize) {
    let (introduction, mut entries) = read(name);
    let bless = std::env::var_os("EXEUNT_BLESS").is_some();
    let mut wrong = Vec::new();
    for (number, entry) in entries.iter_mut().enumerate() {
        match outcome(&format!("manual-{name}-{number}"), entry) {
            Ok(told) if bless => entry.expected = told,
            Ok(told) if told == entry.expected => {}
            Ok(told) => wrong.push(format!("{}: {told}, not {}", entry.title, entry.expected)),
            Err(why) => wrong.push(format!("{}: {why}", entry.title)),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(entries.len() >= least, "only {} constructs", entries.len());
    if bless {
        write(name, &introduction, &entries);
    }
}

#[test]
fn data() {
    chapter("data", 50);
}

#[test]
fn control() {
    chapter("control", 50);
}

#[test]
fn channels() {
    chapter("channels", 40);
}

#[test]
fn processes() {
    chapter("processes", 28);
}

#[test]
fn combined() {
    chapter("combined", 55);
}

#[test]
fn combined_more() {
    chapter("combined-more", 55);
}

#[test]
fn what_is_refused_is_named_with_its_line() {
    let (_, entries) = read("refused");
    for (number, entry) in entries.iter().enumerate() {
        let refusal = load(&format!("manual-refused-{number}"), entry).err();
        let refusal = refusal.unwrap_or_else(|| panic!("{} was accepted", entry.title));
        let expected = entry.expected.strip_prefix("refused at ").expect("a line and a word");
        let (line, word) = expected.split_once(": ").expect("a line and a word");
        let here = refusal.split("; ").any(|error| {
            error.split_once(": ").is_some_and(|(at, text)| at == line && text.contains(word))
        });
        assert!(here, "{}: {refusal}", entry.title);
    }
}
