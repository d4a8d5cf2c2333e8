//! The commands of the simulator.

use crate::Breakpoint;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// One of the possible steps, counted from one.
    Take(usize),
    /// By the number that people know it by.
    Next(Option<u32>),
    Back(usize),
    Forward,
    Goto(usize),
    Run(Until),
    /// So many steps by chance; the seed says which.
    Chance {
        steps: usize,
        seed: u64,
    },
    Break(Breakpoint),
    Unbreak,
    Mark(String),
    Visit(String),
    Show(Part),
    Ends,
    Save(String),
    Load(String),
    Help,
    Quit,
}

/// How far a run goes, if no error, end or breakpoint comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Until {
    End,
    Line(Breakpoint),
    Output,
    /// An actor has several steps to choose from.
    Choice,
}

/// What can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    All,
    Threads,
    Locks,
    Globals,
    Heap,
    Channels,
    Sections,
    Successors,
    Difference,
    Path,
}

const PARTS: [(&str, Part); 11] = [
    ("all", Part::All),
    ("threads", Part::Threads),
    ("processes", Part::Threads),
    ("locks", Part::Locks),
    ("globals", Part::Globals),
    ("heap", Part::Heap),
    ("channels", Part::Channels),
    ("sections", Part::Sections),
    ("steps", Part::Successors),
    ("diff", Part::Difference),
    ("path", Part::Path),
];

pub const HELP: &str = "\
N               take possible step N (`show steps` lists them)
next [T]        the next step of thread T; without T, of who moved last
back [N]        take N steps back; `forward` takes one again; `goto N` leads after step N
run             run with few switches to an error, a breakpoint or the end
run LINE        … or to a line (`run file.c:12` or `run 12`); `run output`, `run choice`
random [N [S]]  N steps by chance (100), up to an error, a breakpoint or the end; S is the seed (1)
break LINE      stop runs at a line; `unbreak` forgets all breakpoints
mark NAME       put a bookmark here; `visit NAME` comes back
show [PART]     threads, locks, globals, heap, channels, sections, steps, diff, path
ends            can what is open still end? (a search from here)
save FILE       keep the path; `load FILE` follows one
help, quit";

impl Command {
    /// Reads a line; `None` if there is nothing in it.
    pub fn parse(text: &str) -> Result<Option<Command>, String> {
        let text = text.split('#').next().unwrap_or_default().trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        if let Ok(number) = word.parse() {
            return match rest.is_empty() {
                true => Ok(Some(Command::Take(number))),
                false => Err(format!("`{rest}` after a number: nothing is expected there")),
            };
        }
        Ok(Some(match word {
            "" => return Ok(None),
            "step" | "take" => Command::Take(number(rest)?),
            "next" | "n" => Command::Next(actor(rest)?),
            "back" | "b" => Command::Back(if rest.is_empty() { 1 } else { number(rest)? }),
            "forward" | "f" => Command::Forward,
            "goto" => Command::Goto(number(rest)?),
            "run" | "r" => Command::Run(until(rest)?),
            "random" => chance(rest)?,
            "break" => Command::Break(line(rest)?),
            "unbreak" => Command::Unbreak,
            "mark" => Command::Mark(name(rest)?),
            "visit" => Command::Visit(name(rest)?),
            "show" | "s" => Command::Show(part(rest)?),
            "diff" => Command::Show(Part::Difference),
            "ends" => Command::Ends,
            "save" => Command::Save(name(rest)?),
            "load" => Command::Load(name(rest)?),
            "help" | "h" | "?" => Command::Help,
            "quit" | "q" | "exit" => Command::Quit,
            other => return Err(format!("there is no command `{other}`: `help` lists them")),
        }))
    }
}

fn number(text: &str) -> Result<usize, String> {
    match text.is_empty() {
        true => Err("a number is missing".to_string()),
        false => text.parse().map_err(|_| format!("`{text}` is no number")),
    }
}

fn name(text: &str) -> Result<String, String> {
    match text.is_empty() {
        true => Err("a name is missing".to_string()),
        false => Ok(text.to_string()),
    }
}

fn actor(text: &str) -> Result<Option<u32>, String> {
    match text.is_empty() {
        true => Ok(None),
        false => text.parse().map(Some).map_err(|_| format!("`{text}` is no number of a thread")),
    }
}

fn until(text: &str) -> Result<Until, String> {
    Ok(match text {
        "" | "end" | "error" => Until::End,
        "output" => Until::Output,
        "choice" => Until::Choice,
        _ => Until::Line(line(text)?),
    })
}

/// Steps that are taken by chance if nobody says how many.
const BY_CHANCE: usize = 100;

fn chance(text: &str) -> Result<Command, String> {
    let mut words = text.split_whitespace();
    let steps = words.next().map_or(Ok(BY_CHANCE), number)?;
    let seed = words.next().map_or(Ok(1), number)? as u64;
    match words.next() {
        Some(more) => Err(format!("`{more}` after the seed: nothing is expected there")),
        None => Ok(Command::Chance { steps, seed }),
    }
}

fn line(text: &str) -> Result<Breakpoint, String> {
    let (file, line) = text.rsplit_once(':').unwrap_or(("", text));
    let line = line.parse().map_err(|_| match text.is_empty() {
        true => "a line is missing: `12` or `file.c:12`".to_string(),
        false => format!("`{text}` is no line: `12` or `file.c:12`"),
    })?;
    Ok(Breakpoint { file: file.to_string(), line })
}

fn part(text: &str) -> Result<Part, String> {
    if text.is_empty() {
        return Ok(Part::All);
    }
    let found = PARTS.iter().find(|(name, _)| name.starts_with(text));
    found.map(|(_, part)| *part).ok_or_else(|| format!("there is no part `{text}` to show"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words() {
        let line = Breakpoint { file: "a.c".to_string(), line: 12 };
        for (text, command) in [
            ("3", Command::Take(3)),
            ("next 2  # the other one", Command::Next(Some(2))),
            ("back", Command::Back(1)),
            ("run a.c:12", Command::Run(Until::Line(line.clone()))),
            ("break a.c:12", Command::Break(line)),
            ("show", Command::Show(Part::All)),
            ("show lock", Command::Show(Part::Locks)),
            ("q", Command::Quit),
        ] {
            assert_eq!(Command::parse(text), Ok(Some(command)), "{text}");
        }
        assert_eq!(Command::parse("  # nothing"), Ok(None));
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for text in ["fly", "next x", "break here", "show moon", "mark", "3 4", "goto"] {
            assert!(Command::parse(text).is_err(), "{text}");
        }
        assert_eq!(Command::parse("step"), Err("a number is missing".to_string()));
        assert_eq!(
            Command::parse("break"),
            Err("a line is missing: `12` or `file.c:12`".to_string())
        );
    }
}
