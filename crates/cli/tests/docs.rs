//! The documentation is true: every command that it shows is run, what it shows
//! of the output is compared, and every option, command and link that it names
//! exists.
//!
//! A fenced block with a line `$ command` is a session: the lines up to the next
//! command are its output. A line `…` stands for any number of lines. Times and
//! sizes are not compared. Sessions run in a scratch directory in which
//! `examples`, `tests` and `docs` are those of the repository and `exeunt` and
//! `./x` are the binary under test.
//!
//! A comment directly above a block says what is special about it:
//! `<!-- docs: skip REASON -->` (not run), `<!-- docs: file NAME is PATH -->`
//! (NAME in the scratch directory is a copy of PATH).

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex_lite::Regex;

/// Seconds that one command may take.
const PATIENCE: &str = "120";

struct Session {
    page: String,
    line: usize,
    files: Vec<(String, String)>,
    commands: Vec<(String, Vec<String>)>,
}

#[test]
fn sessions_run_as_they_are_shown() {
    let sessions: Vec<Session> = pages().iter().flat_map(|(name, text)| read(name, text)).collect();
    assert!(sessions.len() >= 5, "only {} sessions were found", sessions.len());
    let mut wrong = String::new();
    for session in &sessions {
        let scratch = scratch(session);
        for (command, shown) in &session.commands {
            if let Err(why) = run(command, shown, scratch.path()) {
                let Session { page, line, .. } = session;
                write!(wrong, "{page}:{line}: $ {command}\n{why}\n").expect("a string");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A command without `$` would not be run.
#[test]
fn commands_are_shown_in_sessions() {
    for (name, text) in pages() {
        for block in blocks(&text) {
            let is_command = |line: &&str| line.starts_with("exeunt ") || line.starts_with("./x ");
            let plain = block.lines.iter().map(String::as_str).find(is_command);
            let run = block.skip || plain.is_none();
            assert!(run, "{name}:{}: not run: {plain:?}", block.line);
        }
    }
}

/// What measures is not run, but `bench/run` knows it.
#[test]
fn measurements_that_are_named_exist() {
    let usage = std::fs::read_to_string(root().join("bench/run")).expect("the script");
    let usage: String = usage.split('\'').nth(1).expect("its usage").to_string();
    let known: Vec<&str> = usage.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    let mut named = 0;
    for (name, text) in pages() {
        let lines = text.lines().filter_map(|line| line.split("./x bench ").nth(1));
        for line in lines {
            let words = line.split(['#', '`', ' ']).take_while(|word| !word.is_empty());
            for word in words.filter(|word| word.starts_with("--")).chain(first_words(line)) {
                assert!(known.contains(&word), "{name}: `./x bench {line}`: no {word}");
                named += 1;
            }
        }
    }
    assert!(named > 20, "only {named} were found");
}

/// The measurements that a command names: `a|b|c` are several.
fn first_words(line: &str) -> impl Iterator<Item = &str> {
    let first = line.split(['#', '`', ' ']).next().unwrap_or_default();
    first.split('|').filter(|word| !word.is_empty() && !word.starts_with("--"))
}

#[test]
fn options_that_are_named_exist() {
    let known = options();
    assert!(known.iter().any(|option| option == "--races"), "{known:?}");
    let inline = Regex::new(r"`([^`\n]+)`").expect("a pattern");
    let option = Regex::new(r"--[a-z][a-z-]*[a-z]").expect("a pattern");
    let mut unknown = Vec::new();
    for (name, text) in pages() {
        for code in inline.captures_iter(&text).map(|found| found[1].to_string()) {
            let options = option.find_iter(&code).map(|found| found.as_str());
            let ours = options.filter(|found| !FOREIGN.contains(found));
            let wrong = ours.filter(|found| !known.iter().any(|known| known == found));
            unknown.extend(wrong.map(|wrong| format!("{name} names `{wrong}` in `{code}`")));
        }
    }
    assert!(unknown.is_empty(), "no command has these options: {unknown:#?}");
}

/// Options of other programs and of `./x`.
const FOREIGN: [&str; 12] = [
    "--block-size",
    "--force-interpreter",
    "--locked",
    "--nocapture",
    "--parallel",
    "--prefix",
    "--before",
    "--repeat",
    "--seeds",
    "--test",
    "--weaken-symbol",
    "--wildcard",
];

#[test]
fn links_lead_somewhere() {
    let link = Regex::new(r"\]\(([^)#\s]+)(#[^)]*)?\)").expect("a pattern");
    for (name, text) in pages() {
        let directory = root().join(&name).parent().expect("a directory").to_path_buf();
        for found in link.captures_iter(&text).map(|found| found[1].to_string()) {
            let local = !found.contains("://");
            assert!(!local || directory.join(&found).exists(), "{name}: no file {found}");
        }
    }
}

/// The reference is made from the code: `exeunt manual --markdown -o docs` writes it.
#[test]
fn the_reference_is_that_of_the_code() {
    let folder = tempfile::tempdir().expect("a directory");
    let written = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(["manual", "--markdown", "-o"])
        .arg(folder.path())
        .status();
    assert!(written.expect("exeunt runs").success());
    for name in ["reference-options.md", "reference-functions.md"] {
        let new = std::fs::read_to_string(folder.path().join(name)).expect("a page");
        if std::env::var_os("EXEUNT_BLESS").is_some() {
            std::fs::write(root().join("docs").join(name), &new).expect("it is written");
        }
        let old = std::fs::read_to_string(root().join("docs").join(name)).expect("a page");
        assert!(old == new, "docs/{name} is old: `exeunt manual --markdown -o docs` makes it anew");
    }
}

/// Every page is in the book, and the book has no page that is not there.
#[test]
fn the_book_has_all_pages() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("a summary");
    for (name, _) in pages() {
        let Some(page) = name.strip_prefix("docs/").filter(|page| *page != "SUMMARY.md") else {
            continue;
        };
        assert!(summary.contains(&format!("({page})")), "{name} is not in docs/SUMMARY.md");
    }
}

/// A difference that is not seen would make all of this worthless.
#[test]
fn comparison_sees_what_differs() {
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    let same = [("a\nb", "a\nb"), ("a\n…\nd", "a\nb\nc\nd"), ("…\nd", "a\nd"), ("a\n…", "a\nb")];
    for (shown, real) in same {
        assert!(agree(&lines(shown), &lines(real)).is_ok(), "{shown:?} {real:?}");
    }
    let different = [("a", "a\nb"), ("a\nb", "a"), ("a\n…\nd", "a\nb"), ("…\nb\n…\nb", "a\nb\nc")];
    for (shown, real) in different {
        assert!(agree(&lines(shown), &lines(real)).is_err(), "{shown:?} {real:?}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// The pages of the documentation by their paths.
fn pages() -> Vec<(String, String)> {
    let fixed = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "examples/README.md",
        "examples/course/README.md",
        "examples/libraries/README.md",
        "fuzz/README.md",
    ];
    let mut names: Vec<String> = fixed.map(str::to_string).into();
    for entry in std::fs::read_dir(root().join("docs")).expect("docs") {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        if name.ends_with(".md") {
            names.push(format!("docs/{name}"));
        }
    }
    names.sort();
    let read = |name: &String| std::fs::read_to_string(root().join(name)).expect("a page");
    names.iter().map(|name| (name.clone(), read(name))).collect()
}

struct Block {
    line: usize,
    skip: bool,
    files: Vec<(String, String)>,
    lines: Vec<String>,
}

/// The fenced blocks of a page with the comments above them.
fn blocks(text: &str) -> Vec<Block> {
    let fresh = || Block { line: 0, skip: false, files: Vec::new(), lines: Vec::new() };
    let (mut found, mut next, mut inside) = (Vec::new(), fresh(), false);
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            if inside {
                found.push(std::mem::replace(&mut next, fresh()));
            }
            next.line = number + 2;
            inside = !inside;
        } else if inside {
            next.lines.push(line.to_string());
        } else if let Some(words) = directive(line) {
            match words.as_slice() {
                ["skip", _, ..] => next.skip = true,
                ["file", name, "is", path] => next.files.push((name.to_string(), path.to_string())),
                other => panic!("line {}: {other:?} is no directive", number + 1),
            }
        } else if !line.trim().is_empty() {
            next = fresh();
        }
    }
    found
}

fn directive(line: &str) -> Option<Vec<&str>> {
    let inner = line.trim().strip_prefix("<!-- docs: ")?.strip_suffix(" -->")?;
    Some(inner.split_whitespace().collect())
}

fn read(page: &str, text: &str) -> Vec<Session> {
    let wanted = blocks(text).into_iter().filter(|block| !block.skip);
    let sessions = wanted.map(|block| {
        let mut commands: Vec<(String, Vec<String>)> = Vec::new();
        for line in block.lines {
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((command.to_string(), Vec::new())),
                (None, Some((_, output))) => output.push(line),
                (None, None) => {}
            }
        }
        Session { page: page.to_string(), line: block.line, files: block.files, commands }
    });
    sessions.filter(|session| !session.commands.is_empty()).collect()
}

fn scratch(session: &Session) -> tempfile::TempDir {
    let scratch = tempfile::tempdir().expect("a directory");
    for name in ["examples", "tests", "docs"] {
        std::os::unix::fs::symlink(root().join(name), scratch.path().join(name)).expect("a link");
    }
    let exeunt = env!("CARGO_BIN_EXE_exeunt");
    std::os::unix::fs::symlink(exeunt, scratch.path().join("x")).expect("a link");
    for (name, path) in &session.files {
        let copied = std::fs::copy(root().join(path), scratch.path().join(name));
        copied.unwrap_or_else(|why| panic!("{}: {path}: {why}", session.page));
    }
    scratch
}

/// Runs a command; `Err` is how its output differs from what is shown.
fn run(command: &str, shown: &[String], directory: &Path) -> Result<(), String> {
    let binaries = Path::new(env!("CARGO_BIN_EXE_exeunt")).parent().expect("a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("timeout")
        .args([PATIENCE, "bash", "-c", command])
        .current_dir(directory)
        .env("PATH", format!("{}:{path}", binaries.display()))
        .output()
        .expect("bash runs");
    let real = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    if !matches!(output.status.code(), Some(0 | 1 | 3)) {
        return Err(format!("it ended with {:?}:\n{real}", output.status.code()));
    }
    if shown.is_empty() {
        return Ok(());
    }
    let lines = |text: &str| normalised(text).lines().map(str::to_string).collect::<Vec<_>>();
    agree(&lines(&shown.join("\n")), &lines(real.trim_end()))
        .map_err(|why| format!("{why}\nthe whole output is\n{real}"))
}

/// Without what differs from run to run.
fn normalised(text: &str) -> String {
    let size = r"\d+\.\d\d s, [\d.]+ [KMGT]?i?B \(\d+ bytes per state\)";
    let seconds = r"\b\d+\.\d\d s\b";
    let text = Regex::new(size).expect("a pattern").replace_all(text, "[time], [memory]");
    Regex::new(seconds).expect("a pattern").replace_all(&text, "[time]").into_owned()
}

/// Compares lines; `…` in what is shown stands for any number of them.
fn agree(shown: &[String], real: &[String]) -> Result<(), String> {
    let parts: Vec<&[String]> = shown.split(|line| line.trim() == "…").collect();
    let mut rest = real;
    for (number, part) in parts.iter().enumerate() {
        let last = number + 1 == parts.len();
        let starts: Vec<usize> = match (number, last) {
            (0, _) => vec![0],
            (_, true) => vec![rest.len().saturating_sub(part.len())],
            (_, false) => (0..=rest.len()).collect(),
        };
        let begins = |&start: &usize| rest[start..].starts_with(part);
        let Some(at) = starts.into_iter().find(begins) else {
            return Err(format!("not in the output:\n{}", part.join("\n")));
        };
        rest = &rest[at + part.len()..];
    }
    match rest.is_empty() || parts.last().is_some_and(|part| part.is_empty()) {
        true => Ok(()),
        false => Err(format!("not shown:\n{}", rest.join("\n"))),
    }
}

/// All options of all commands, from their help.
fn options() -> Vec<String> {
    let help = |arguments: &[&str]| {
        let command = Command::new(env!("CARGO_BIN_EXE_exeunt")).args(arguments).output();
        String::from_utf8(command.expect("exeunt runs").stdout).expect("text")
    };
    let commands = help(&["--help"]);
    let commands = commands.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let names = commands.map_while(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let option = Regex::new(r"--[a-z][a-z-]*[a-z]").expect("a pattern");
    let mut known = Vec::new();
    for name in names.filter(|name| *name != "help") {
        let text = help(&[name, "--help"]);
        known.extend(option.find_iter(&text).map(|found| found.as_str().to_string()));
    }
    known.sort();
    known.dedup();
    known
}
