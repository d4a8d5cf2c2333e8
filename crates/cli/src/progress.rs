//! Progress on stderr, and only if that is a terminal: never into a pipe.

use std::io::IsTerminal;
use std::time::Duration;

use exeunt_search::Progress;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};

/// Whether somebody sees it.
pub(crate) fn is_shown() -> bool {
    std::io::stderr().is_terminal()
}

pub(crate) struct Display {
    bar: Option<ProgressBar>,
}

impl Display {
    pub(crate) fn new() -> Self {
        let bar = is_shown().then(|| {
            let style =
                ProgressStyle::with_template("{spinner} {msg}").expect("a correct template");
            let bar = ProgressBar::new_spinner().with_style(style);
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Display { bar }
    }

    /// Names what is being done before there are numbers.
    pub(crate) fn say(&self, text: &'static str) {
        if let Some(bar) = &self.bar {
            bar.set_message(text);
        }
    }

    pub(crate) fn show(&self, progress: &Progress) {
        if let Some(bar) = &self.bar {
            bar.set_message(fitting(sentence(progress), columns()));
        }
    }

    /// How many schedules of a native program were run.
    pub(crate) fn runs(&self, runs: u64, depth: u64) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{} schedules, depth {}", HumanCount(runs), HumanCount(depth)));
        }
    }

    /// Leaves the line empty for what is printed next.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Leaves the line empty when the process ends at once.
pub(crate) fn wipe() {
    if is_shown() {
        eprint!("\r\u{1b}[2K");
    }
}

/// The columns of the terminal that shows it.
fn columns() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or(80, |(width, _)| usize::from(width.0))
}

/// What is in front of the text, and `^C` behind it: a line that the terminal breaks is not wiped as a whole.
const BESIDE: usize = 6;

/// As much of a text as fits in a line.
fn fitting(text: String, columns: usize) -> String {
    let room = columns.saturating_sub(BESIDE).max(1);
    match text.char_indices().nth(room) {
        Some(_) => text.chars().take(room - 1).chain(['…']).collect(),
        None => text,
    }
}

fn sentence(progress: &Progress) -> String {
    let speed =
        if progress.seconds > 0.0 { progress.states as f64 / progress.seconds } else { 0.0 };
    let mut text = format!(
        "{} states ({} waiting{}), {} states/s, depth {}, {}",
        HumanCount(progress.states),
        HumanCount(progress.waiting),
        progress.share.map_or(String::new(), seen),
        HumanCount(speed as u64),
        HumanCount(progress.depth),
        HumanBytes(progress.memory),
    );
    if let Some(limit) = progress.memory_limit {
        text += &format!(" of {}", HumanBytes(limit));
    }
    text += &format!(", {:.0} s", progress.seconds);
    if progress.discarded > 0 {
        text += &format!(" (search {}: where threads meet is learnt)", progress.discarded + 1);
    }
    if !progress.place.is_empty() {
        text += &format!(", at {}", progress.place);
    }
    text
}

/// How much of all states was seen, roughly.
fn seen(share: f64) -> String {
    match share {
        share if share < 0.01 => ", less than 1 % seen".to_string(),
        share => format!(", about {:.0} % seen", share * 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_never_broken_by_the_terminal() {
        let cut = fitting("20,000 states (3,000 waiting)".to_string(), 20);
        assert_eq!(cut, "20,000 states…");
        assert_eq!(fitting("short".to_string(), 20), "short");
        assert_eq!(fitting("short".to_string(), 0), "…");
    }

    #[test]
    fn one_line_says_it_all() {
        let progress = Progress {
            states: 20_000,
            waiting: 3_000,
            transitions: 50_000,
            depth: 1200,
            memory: 3 << 20,
            seconds: 2.0,
            ..Progress::default()
        };
        assert_eq!(
            sentence(&progress),
            "20,000 states (3,000 waiting), 10,000 states/s, depth 1,200, 3.00 MiB, 2 s"
        );
        let more = Progress {
            share: Some(0.421),
            place: "main:8, work:31".to_string(),
            memory_limit: Some(4 << 30),
            discarded: 2,
            ..progress
        };
        assert_eq!(
            sentence(&more),
            "20,000 states (3,000 waiting, about 42 % seen), 10,000 states/s, depth 1,200, \
             3.00 MiB of 4.00 GiB, 2 s (search 3: where threads meet is learnt), \
             at main:8, work:31"
        );
    }
}
