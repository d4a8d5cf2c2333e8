//! What a test program says about itself, in comments on its top:
//!
//! ```text
//! // verdict: violated memory        or: holds, inconclusive; with --all `deadlock+assertion`: both
//! // states: 123                     pinned for --reduction none; `any` for runs cut by time
//! // exeunt: --shortest -- -O2       more arguments
//! // files: other.c                  more files, beside this one
//! // reductions: none tau            if not all can run it
//! // warning: is not defined         what stderr must say; nothing otherwise
//! // native                          prints what the natively compiled program prints
//! // optimised                       has the same verdict with `-- -O2`
//! free(p);  //~ error                the guilty line; //~^ error is the line above
//! ```
//!
//! Several guilty lines mean: one of them; with `--all`: exactly these.

use std::path::Path;

/// The endings of programs that a front end reads.
pub(crate) const ENDINGS: [&str; 4] = ["c", "ll", "cpp", "pml"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Directives {
    pub(crate) verdict: String,
    /// The broken property; empty unless violated.
    pub(crate) property: String,
    pub(crate) states: Option<States>,
    pub(crate) flags: Vec<String>,
    pub(crate) clang_args: Vec<String>,
    pub(crate) files: Vec<String>,
    pub(crate) reductions: Option<Vec<String>>,
    pub(crate) warning: String,
    pub(crate) native: bool,
    pub(crate) optimised: bool,
    /// Marked lines, counted from one.
    pub(crate) guilty: Vec<u64>,
}

impl Directives {
    /// The properties of which there must be violations.
    pub(crate) fn properties(&self) -> impl Iterator<Item = &str> {
        self.property.split('+')
    }

    /// Whether a violation is one of them.
    pub(crate) fn has_property(&self, violation: &serde_json::Value) -> bool {
        self.properties().any(|property| violation["property"] == property)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum States {
    Pinned(u64),
    Any,
}

/// Whether a file is a test of its own.
pub(crate) fn present(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().any(|line| directive(line).is_some_and(|(key, _)| key == "verdict"))
}

pub(crate) fn read(text: &str) -> Result<Directives, String> {
    let mut directives = Directives::default();
    for (index, line) in text.lines().enumerate() {
        let number = index as u64 + 1;
        if let Some((key, value)) = directive(line) {
            apply(&mut directives, key, value).map_err(|why| format!("line {number}: {why}"))?;
        }
        if line.contains("//~ error") {
            directives.guilty.push(number);
        } else if line.contains("//~^ error") {
            directives.guilty.push(number - 1);
        }
    }
    validate(&directives)?;
    Ok(directives)
}

/// The keys that take something, and those that do not.
const KEYS: [&str; 6] = ["verdict", "states", "exeunt", "files", "reductions", "warning"];
const SWITCHES: [&str; 2] = ["native", "optimised"];

fn directive(line: &str) -> Option<(&str, &str)> {
    let text = line.strip_prefix("// ").or_else(|| line.strip_prefix("; "))?.trim_end();
    let (key, value) = text.split_once(": ").unwrap_or((text, ""));
    let keys: &[&str] = if value.is_empty() { &SWITCHES } else { &KEYS };
    keys.contains(&key).then_some((key, value))
}

fn apply(directives: &mut Directives, key: &str, value: &str) -> Result<(), String> {
    let words = || value.split_whitespace().map(str::to_string).collect::<Vec<String>>();
    match key {
        "verdict" => {
            let (verdict, property) = value.split_once(' ').unwrap_or((value, ""));
            directives.verdict = verdict.to_string();
            directives.property = property.to_string();
        }
        "states" if value == "any" => directives.states = Some(States::Any),
        "states" => {
            let number =
                value.parse().map_err(|_| format!("`{value}` is not a number of states"))?;
            directives.states = Some(States::Pinned(number));
        }
        "exeunt" => add_flags(directives, value)?,
        "files" => directives.files = words(),
        "reductions" => directives.reductions = Some(words()),
        "warning" => directives.warning = value.to_string(),
        "native" => directives.native = true,
        "optimised" => directives.optimised = true,
        _ => return Err(format!("unknown directive `{key}`")),
    }
    Ok(())
}

fn add_flags(directives: &mut Directives, value: &str) -> Result<(), String> {
    let words = shlex::split(value).ok_or("a quotation mark is not closed")?;
    let mut parts = words.splitn(2, |word| word == "--");
    directives.flags.extend(parts.next().unwrap_or_default().iter().cloned());
    directives.clang_args.extend(parts.next().unwrap_or_default().iter().cloned());
    Ok(())
}

fn validate(directives: &Directives) -> Result<(), String> {
    match (directives.verdict.as_str(), directives.property.is_empty()) {
        ("violated", false) | ("holds" | "inconclusive", true) => {}
        (verdict, _) => {
            return Err(format!("`{verdict} {}` is not a verdict", directives.property));
        }
    }
    if directives.verdict != "violated" && !directives.guilty.is_empty() {
        return Err("a line is marked guilty, but nothing is violated".to_string());
    }
    if directives
        .flags
        .iter()
        .any(|flag| flag.starts_with("--reduction") || flag.starts_with("--format"))
    {
        return Err("the suite chooses reductions and formats itself".to_string());
    }
    Ok(())
}

/// Right directives are read, wrong ones refused.
pub(crate) fn self_test() -> Result<(), String> {
    let text = "// verdict: violated memory\n// states: 7\n// exeunt: --args \"a b\" -- -O2\n// native\n// optimised\nf(); //~ error\n//~^ error\n";
    let wanted = Directives {
        verdict: "violated".to_string(),
        property: "memory".to_string(),
        states: Some(States::Pinned(7)),
        flags: vec!["--args".to_string(), "a b".to_string()],
        clang_args: vec!["-O2".to_string()],
        native: true,
        optimised: true,
        guilty: vec![6, 6],
        ..Directives::default()
    };
    let found = read(text)?;
    if found != wanted {
        return Err(format!("{found:?} was read"));
    }
    for wrong in [
        "int main;",
        "// verdict: fine",
        "// verdict: violated",
        "// verdict: holds memory",
        "// verdict: holds\nx; //~ error",
        "// verdict: holds\n// states: many",
        "// verdict: holds\n// exeunt: --reduction none",
    ] {
        if read(wrong).is_ok() {
            return Err(format!("{wrong:?} was accepted"));
        }
    }
    Ok(())
}
