//! The models that come with SPIN (its Debian package has them among the documentation):
//! what SPIN accepts is accepted, what it refuses is refused, and unreduced there are the same states,
//! transitions and errors.
//!
//! `tests/promela/examples-of-spin.txt` has SPIN's counts, because to compile a verifier for each model
//! takes longer than to search it. Some of them are counted again by SPIN.

mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use exeunt_model::{Basis, Model, Statistics, Verdict};
use exeunt_promela::{PromelaOptions, load};
use exeunt_search::{Limits, Options, check};
use support::{explore_within, spin};

const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";

fn models(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder of examples");
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            models(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "pml") {
            out.push(path);
        }
    }
}

/// Whether SPIN makes a verifier of a model. It writes that into its folder, so the model and
/// what it includes are copied.
fn spin_accepts(model: &Path) -> bool {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = model.parent().expect("a model is in a folder");
    for entry in std::fs::read_dir(folder).expect("its folder").flatten() {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), scratch.path().join(entry.file_name())).expect("copied");
        }
    }
    let name = model.file_name().expect("a model has a name");
    let output = Command::new("spin").arg("-a").arg(name).current_dir(scratch.path()).output();
    let output = output.expect("SPIN runs");
    output.status.success() && scratch.path().join("pan.c").exists()
}

#[test]
fn what_spin_accepts_is_accepted() {
    let mut all = Vec::new();
    if Path::new(EXAMPLES).is_dir() {
        models(Path::new(EXAMPLES), &mut all);
    } else {
        println!("skipped: the documentation of SPIN is not installed");
        return;
    }
    assert!(all.len() > 60, "{} models", all.len());
    let mut differences = Vec::new();
    for model in &all {
        let loaded = load(model, &PromelaOptions::default());
        if loaded.is_ok() != spin_accepts(model) {
            let why = loaded.err().and_then(|errors| errors.first().map(ToString::to_string));
            differences.push(format!("{}: {why:?}", model.display()));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// SPIN's counts, by the paths of the models.
const COUNTS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/promela/examples-of-spin.txt");
/// Larger models take too long in a build with assertions.
const MOST_STATES: u64 = 60_000;
/// Each of so many models is counted by SPIN, too.
const SAMPLE: usize = 12;

/// What a line about a model with other numbers in it begins with.
const SMALLER: &str = "smaller ";

/// What is known of a model: `path states transitions errors reduced`, or `path - why` if a verifier gives no
/// counts of the whole state space.
struct Known {
    path: String,
    counts: Result<(u64, u64, bool), String>,
    /// The states that SPIN's own reductions leave.
    reduced: Option<u64>,
}

fn known() -> Vec<Known> {
    let text = std::fs::read_to_string(COUNTS).expect("SPIN's counts");
    let is_one =
        |line: &&str| !line.is_empty() && !line.starts_with('#') && !line.starts_with(SMALLER);
    let lines = text.lines().filter(is_one);
    let read = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| words[at].parse::<u64>().unwrap_or_else(|_| panic!("{line}"));
        let counts = match words[1] {
            "-" => Err(words[2..].join(" ")),
            _ => Ok((number(1), number(2), words[3] == "violated")),
        };
        let reduced = counts.is_ok().then(|| number(4));
        Known { path: words[0].to_string(), counts, reduced }
    };
    lines.map(read).collect()
}

#[test]
fn counts_are_those_of_spin() {
    if !Path::new(EXAMPLES).is_dir() {
        println!("skipped: the documentation of SPIN is not installed");
        return;
    }
    let options = PromelaOptions { past_assertions: true, ..PromelaOptions::default() };
    let mut wrong = String::new();
    let mut compared = 0;
    for (at, model) in known().into_iter().enumerate() {
        let Ok((states, transitions, violated)) = model.counts else { continue };
        let path = Path::new(EXAMPLES).join(&model.path);
        if at % SAMPLE == 0 && states <= MOST_STATES {
            let theirs = spin::run(&path).expect("SPIN takes its own example");
            let counts = (theirs.states, theirs.transitions, theirs.is_violated());
            assert_eq!(counts, (states, transitions, violated), "{} by SPIN", model.path);
        }
        if states > MOST_STATES {
            continue;
        }
        let loaded = load(&path, &options).unwrap_or_else(|why| panic!("{}: {why:?}", model.path));
        let own = explore_within(&loaded, MOST_STATES as usize + 1);
        let own = own.map(|own| (own.states, own.transitions, own.is_violated()));
        if own != Some((states, transitions, violated)) {
            let spins = (states, transitions, violated);
            writeln!(wrong, "{}: {own:?}, SPIN has {spins:?}", model.path).expect("a string");
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared > 50, "only {compared} models were compared");
}

/// The same counts by the search itself, also of large models, with the store of states and with remembered steps.
#[test]
fn the_search_has_the_counts_of_spin() {
    if !Path::new(EXAMPLES).is_dir() {
        println!("skipped: the documentation of SPIN is not installed");
        return;
    }
    let mut wrong = String::new();
    let mut compared = 0;
    for model in known() {
        let Ok(counts) = model.counts else { continue };
        let own = searched(&Path::new(EXAMPLES).join(&model.path));
        if own != counts {
            writeln!(wrong, "{}: {own:?}, SPIN has {counts:?}", model.path).expect("a string");
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared >= 70, "only {compared} models were compared");
}

/// States, transitions as SPIN counts them, and whether there is an error, without reductions.
fn searched(path: &Path) -> (u64, u64, bool) {
    let options = PromelaOptions { past_assertions: true, ..PromelaOptions::default() };
    let loaded = load(path, &options).unwrap_or_else(|why| panic!("{}: {why:?}", path.display()));
    let search = Options { reduces: false, all: true, ..Default::default() };
    let report = check(&mut *loaded.open(Basis::Learnt), &search, &mut |_| {});
    let Statistics { states, transitions, .. } = report.statistics;
    (states, transitions + 1, report.verdict == Verdict::Violated)
}

/// Models of which no verifier visits all states have their counts with smaller numbers in them.
#[test]
fn smaller_ones_have_the_counts_of_spin() {
    if !Path::new(EXAMPLES).is_dir() {
        println!("skipped: the documentation of SPIN is not installed");
        return;
    }
    let text = std::fs::read_to_string(COUNTS).expect("SPIN's counts");
    let mut smaller = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix(SMALLER)) {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [path, ref replaced @ .., counts] = parts[..] else { panic!("{line}") };
        let folder = tempfile::tempdir().expect("a folder");
        let copy = smaller_copy(&Path::new(EXAMPLES).join(path), replaced, folder.path());
        let (states, transitions, violated) = searched(&copy);
        let verdict = if violated { "violated" } else { "holds" };
        assert_eq!(format!("{states} {transitions} {verdict}"), counts, "{path}");
        // SPIN counts three small ones again.
        if smaller.len() % 4 == 0 {
            let theirs = spin::run(&copy).expect("SPIN takes its own example");
            let theirs = (theirs.states, theirs.transitions, theirs.is_violated());
            assert_eq!(theirs, (states, transitions, violated), "{path} by SPIN");
        }
        smaller.push(path.to_string());
    }
    for model in known() {
        let Err(why) = model.counts else { continue };
        if smaller.contains(&model.path) || why == "SPIN refuses it" {
            continue;
        }
        panic!("{} is compared with nothing: {why}", model.path);
    }
}

/// A model with other numbers in it, in a folder with what it includes. Each text that is replaced, and by what, stands
/// once in these files.
fn smaller_copy(model: &Path, replaced: &[&str], folder: &Path) -> PathBuf {
    let copy = folder.join("smaller.pml");
    let mut texts = vec![(copy.clone(), std::fs::read_to_string(model).expect("a model"))];
    for entry in std::fs::read_dir(model.parent().expect("its folder")).expect("entries").flatten()
    {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "h") {
            let text = std::fs::read_to_string(&path).expect("what models include");
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            // Other models include other files, which have the same numbers in them.
            if texts[0].1.contains(&name) {
                texts.push((folder.join(name), text));
            }
        }
    }
    for pair in replaced.chunks(2) {
        let [from, to] = pair else { panic!("{replaced:?}") };
        let found: usize = texts.iter().map(|(_, text)| text.matches(from).count()).sum();
        assert_eq!(found, 1, "{from} in {}", model.display());
        texts.iter_mut().for_each(|(_, text)| *text = text.replace(from, to));
    }
    for (path, text) in &texts {
        std::fs::write(path, text).expect("a copy");
    }
    copy
}

/// Larger models take too long in a build with assertions, also reduced.
const MOST_REDUCED: u64 = 30_000;

/// On no model do the reductions leave more states than SPIN's.
#[test]
fn reductions_are_at_least_as_strong_as_those_of_spin() {
    if !Path::new(EXAMPLES).is_dir() {
        println!("skipped: the documentation of SPIN is not installed");
        return;
    }
    let options = PromelaOptions {
        past_assertions: true,
        merges: true,
        forgets: true,
        ..PromelaOptions::default()
    };
    let mut weaker = String::new();
    let (mut compared, mut fewer) = (0, 0);
    for model in known() {
        let Some(theirs) = model.reduced else { continue };
        let path = Path::new(EXAMPLES).join(&model.path);
        let loaded = load(&path, &options).unwrap_or_else(|why| panic!("{}: {why:?}", model.path));
        let limits = Limits { max_states: Some(MOST_REDUCED), ..Default::default() };
        let search = Options { reduces: true, all: true, limits, ..Default::default() };
        let report = check(&mut *loaded.open(Basis::Learnt), &search, &mut |_| {});
        let own = report.statistics.states;
        let cut = report.limits_hit.iter().any(|limit| limit.contains("max-states"));
        if own > theirs {
            writeln!(weaker, "{}: {own}, SPIN has {theirs}", model.path).expect("a string");
        }
        compared += usize::from(!cut);
        fewer += usize::from(!cut && own < theirs);
    }
    assert!(weaker.is_empty(), "{weaker}");
    assert!(compared > 60 && fewer > 25, "{compared} models were compared, {fewer} are smaller");
}
