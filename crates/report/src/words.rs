//! The words that all formats share for people: sections, escapes, numbers.

use exeunt_model::{Noun, Property, SectionKind, SectionReport};

/// What a thread is doing while it is inside a section.
pub(crate) fn inside(section: &SectionReport) -> String {
    let name = printable(&section.name);
    let words = match section.kind {
        SectionKind::MutexWait => "waiting for mutex",
        SectionKind::Critical => "holding mutex",
        SectionKind::RwlockWait => "waiting for readers-writer lock",
        SectionKind::RwlockHeld => "holding readers-writer lock",
        SectionKind::SpinWait => "waiting for spin lock",
        SectionKind::SpinHeld => "holding spin lock",
        SectionKind::CondWait => "waiting on condition",
        SectionKind::BarrierWait => "waiting at barrier",
        SectionKind::Join => "waiting for",
        SectionKind::SemWait => "waiting for semaphore",
        SectionKind::Once => "waiting for the initialisation of",
        SectionKind::Await => "waiting in a loop for",
        SectionKind::Function => "inside function",
        SectionKind::User => "inside section",
        SectionKind::Process => "running",
        SectionKind::FutexWait => "waiting at futex",
        SectionKind::FileWait => "waiting for",
        SectionKind::LatchWait => "waiting for latch",
        SectionKind::FutureWait => "waiting for future",
        SectionKind::AtomicWait => "waiting for a notification of atomic",
        SectionKind::StopWait => "waiting for the end of stop callback",
    };
    if name.is_empty() {
        format!("{words} (unnamed)")
    } else if section.kind == SectionKind::Join {
        format!("{words} {name} to end")
    } else {
        format!("{words} `{name}`")
    }
}

/// What is said of a section that stays open, at the place where it was entered. Machines say "waits for …, held by …" themselves; other reasons follow what
/// the thread is inside of.
pub(crate) fn section_note(noun: Noun, section: &SectionReport) -> String {
    let who = format!("{} ", noun.call(section.actor));
    if section.why.contains(" waits ") {
        let name = called(&section.name);
        if section.kind.is_held() {
            return format!("{who}holds {name} from here on");
        }
        if section.kind == SectionKind::User {
            return format!("{who}is inside {name} from here on");
        }
    }
    if section.why.starts_with(&who) {
        return printable(&section.why);
    }
    if section.why.starts_with("waits ") {
        return format!("{who}{}", printable(&section.why));
    }
    let mut text = format!("{who}is {}", inside(section));
    if !section.why.is_empty() {
        text.push_str(": ");
        text.push_str(&printable(&section.why));
    }
    text
}

/// A name in quotes; what is a description and no name goes without.
pub(crate) fn called(name: &str) -> String {
    let name = printable(name);
    if name.contains(" allocated at ") { name } else { format!("`{name}`") }
}

/// The kind of a section in the middle of a sentence.
pub(crate) fn noun(kind: SectionKind) -> &'static str {
    if kind == SectionKind::User { "section" } else { kind.name() }
}

/// What it means that a property is violated.
pub(crate) fn about(property: Property) -> &'static str {
    match property {
        Property::Assertion => "an assertion fails",
        Property::Memory => "memory is used against its rules",
        Property::Deadlock => "no thread can move",
        Property::Section => "something that is entered is never left",
        Property::Termination => "the program can never end",
        Property::Race => "two threads access the same memory and nothing orders them",
        Property::Ltl => "a temporal formula is violated",
        Property::Undefined => "the behaviour is undefined",
        Property::Leak => "memory is lost",
        Property::Misuse => "a primitive is used against its rules",
        Property::Exception => "an exception is caught by nobody",
        Property::Exit => "the program ends with a failure",
        Property::Invariant => "an invariant is violated",
    }
}

/// Characters that are not shown as they are: control characters, and those that turn a line around or
/// take no room.
pub fn is_odd(c: char) -> bool {
    let hidden = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}');
    let turning = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || hidden || turning
}

/// Text of the checked program made safe for one line of a terminal.
pub(crate) fn printable(text: &str) -> String {
    if !text.chars().any(is_odd) {
        return text.to_string();
    }
    text.chars()
        .map(|c| if is_odd(c) { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

/// Bytes as a quoted string.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if is_odd(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// "1 state", "2 states".
pub(crate) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Bytes in the unit that suits them.
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if number < 1024 {
        return format!("{number} B");
    }
    let mut value = number as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(1, "state"), "1 state");
        assert_eq!(count(0, "state"), "0 states");
        assert_eq!(bytes(1000), "1000 B");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(3 << 30), "3.0 GiB");
        assert_eq!(bytes(u64::MAX), "16777216.0 TiB");
    }

    #[test]
    fn program_text_cannot_drive_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(printable("a\u{202e}b\u{200b}é"), "a\\u{202e}b\\u{200b}é");
        assert_eq!(quoted(b"a\"b\\\n\xff"), "\"a\\\"b\\\\\\n\u{fffd}\"");
    }
}
