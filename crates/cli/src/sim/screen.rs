//! The simulator in the terminal: threads, possible steps, source, and a part of the
//! state that is chosen.

use std::collections::BTreeMap;
use std::time::Duration;

use exeunt_model::{Location, Nature, Violation};
use exeunt_report::{Sources, is_odd};
use exeunt_sim::{Part, Simulator, is_bad, place, state, step, successor};
use ratatui::DefaultTerminal;
use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, List, ListItem, ListState, Paragraph, Wrap};

use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt;

const KEYS: &str = "↑↓ choose  Enter step  ← back  → again  r run  Tab state  PgUp PgDn scroll it  \
                    e ends?  : command  ? help  q quit";

/// Rows that the panes above the answer need.
const PANES: usize = 10;

/// Parts of a state that the lower right pane shows, in turn.
const PARTS: [(Part, &str); 7] = [
    (Part::Difference, "what the last step changed"),
    (Part::Locks, "locks"),
    (Part::Globals, "globals"),
    (Part::Heap, "heap"),
    (Part::Sections, "open sections"),
    (Part::Channels, "channels"),
    (Part::Path, "the path"),
];

struct Screen<'a, 's, 'w> {
    simulator: &'a mut Simulator<'s, 'w>,
    sources: Sources,
    chosen: usize,
    part: usize,
    /// Lines of that part above the pane.
    scrolled: u16,
    /// Whether the answer covers the screen, because it is too long for its pane.
    covered: bool,
    /// A command that is being typed.
    typed: Option<String>,
    /// The answer to the last command.
    answer: String,
    /// Where threads hang at the end of the trace, until the user moves.
    hangs: Option<Location>,
}

/// Where a thread hangs, or where the error is.
fn place_of(violation: &Violation) -> Option<Location> {
    let waits = violation.sections.iter().find(|one| one.kind.nature() == Nature::Wait);
    let hangs = waits.and_then(|section| section.opened.clone());
    hangs.or_else(|| violation.location.clone()).filter(Location::is_known)
}

/// Shows the simulator until the user leaves it.
pub(super) fn show(
    simulator: &mut Simulator<'_, '_>,
    violation: Option<&Violation>,
) -> Result<(), Failure> {
    leave_without_terminal();
    let mut terminal = ratatui::try_init()
        .map_err(|why| Failure::bad(format!("the terminal cannot be used: {why}")))?;
    let mut screen = Screen {
        simulator,
        sources: Sources::new(),
        chosen: 0,
        part: 0,
        scrolled: 0,
        covered: false,
        typed: None,
        answer: match violation {
            Some(violation) => format!("{}\n{KEYS}", super::shown(violation)),
            None => KEYS.to_string(),
        },
        hangs: violation.and_then(place_of),
    };
    let outcome = screen.run(&mut terminal);
    ratatui::restore();
    outcome.map_err(|why| Failure::bad(format!("the terminal failed: {why}")))
}

/// Ends the process if it was told to end and does not: when a terminal is closed, reading from it gives nothing,
/// at once and for ever, and crossterm goes on trying.
fn leave_without_terminal() {
    std::thread::spawn(|| {
        while !interrupt::requested() {
            std::thread::sleep(Duration::from_millis(250));
        }
        std::thread::sleep(Duration::from_secs(1));
        ratatui::restore();
        std::process::exit(i32::from(INTERRUPTED));
    });
}

impl Screen<'_, '_, '_> {
    fn run(&mut self, terminal: &mut DefaultTerminal) -> std::io::Result<()> {
        loop {
            terminal.draw(|frame| self.draw(frame))?;
            while !event::poll(Duration::from_millis(250))? {
                if interrupt::requested() {
                    return Ok(());
                }
            }
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && !self.press(key)
            {
                return Ok(());
            }
        }
    }

    /// What a key does; `false` if it is the last.
    fn press(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('c') {
            return false;
        }
        if let Some(typed) = &mut self.typed {
            match key.code {
                KeyCode::Char(c) => typed.push(c),
                KeyCode::Backspace => drop(typed.pop()),
                KeyCode::Esc => self.typed = None,
                KeyCode::Enter => {
                    let command = self.typed.take().unwrap_or_default();
                    return self.command(&command);
                }
                _ => {}
            }
            return true;
        }
        if self.covered && key.code != KeyCode::Char(':') {
            self.answer = KEYS.to_string();
            return true;
        }
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.choose(self.chosen.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.choose(self.chosen + 1),
            KeyCode::PageDown => self.scrolled = self.scrolled.saturating_add(5),
            KeyCode::PageUp => self.scrolled = self.scrolled.saturating_sub(5),
            KeyCode::Enter | KeyCode::Char(' ') => {
                let command = (self.chosen + 1).to_string();
                return self.command(&command);
            }
            KeyCode::Left | KeyCode::Backspace => return self.command("back"),
            KeyCode::Right => return self.command("forward"),
            KeyCode::Home => return self.command("goto 0"),
            KeyCode::Tab => self.turn_to(self.part + 1),
            KeyCode::BackTab => self.turn_to(self.part + PARTS.len() - 1),
            KeyCode::Char('r') => return self.command("run"),
            KeyCode::Char('e') => return self.command("ends"),
            KeyCode::Char('?') => return self.command("help"),
            KeyCode::Char(':') => self.typed = Some(String::new()),
            KeyCode::Char('q') => return false,
            KeyCode::Char(digit @ '0'..='9') => return self.command(&format!("next {digit}")),
            _ => {}
        }
        self.keep_choice();
        true
    }

    fn choose(&mut self, step: usize) {
        self.chosen = step;
        self.hangs = None;
    }

    fn turn_to(&mut self, part: usize) {
        self.part = part % PARTS.len();
        self.scrolled = 0;
    }

    fn command(&mut self, command: &str) -> bool {
        let before = self.simulator.steps().len();
        let goes_on = self.perform(command);
        if self.simulator.steps().len() != before {
            self.hangs = None;
            self.scrolled = 0;
        }
        goes_on
    }

    fn perform(&mut self, command: &str) -> bool {
        match super::perform(self.simulator, command) {
            Ok(Some(answer)) => self.answer = answer,
            Ok(None) => return false,
            Err(why) => self.answer = format!("error: {why}"),
        }
        self.keep_choice();
        true
    }

    fn keep_choice(&mut self) {
        let last = self.simulator.successors().len().saturating_sub(1);
        self.chosen = self.chosen.min(last);
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let room = usize::from(frame.area().width.saturating_sub(2)).max(1);
        let lines: usize = self.answer.lines().map(|line| wrapped(line, room).len()).sum();
        self.covered = self.typed.is_none() && lines + 3 + PANES > usize::from(frame.area().height);
        if self.covered {
            return self.bottom(frame, frame.area());
        }
        let lines = if self.typed.is_some() { 1 } else { lines.max(1) };
        let rows = Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(PANES as u16),
            Constraint::Length(lines as u16 + 2),
        ]);
        let [top, middle, bottom] = rows.areas(frame.area());
        let [left, right] =
            Layout::horizontal([Constraint::Percentage(46), Constraint::Percentage(54)])
                .areas(middle);
        // Few steps leave more room for the threads.
        let room = usize::from(left.width.saturating_sub(4)).max(1);
        let rows: usize = self.told().iter().map(|told| wrapped(told, room).len()).sum();
        let most = usize::from(left.height) * 45 / 100;
        let steps = Constraint::Length((rows + 2).clamp(3, most.max(3)) as u16);
        let [threads, steps] = Layout::vertical([Constraint::Min(3), steps]).areas(left);
        let [source, part] =
            Layout::vertical([Constraint::Percentage(60), Constraint::Percentage(40)]).areas(right);
        let status = self.simulator.status();
        frame.render_widget(Line::styled(status, Modifier::BOLD), top);
        self.threads(frame, threads);
        self.steps(frame, steps);
        self.source(frame, source);
        self.part(frame, part);
        self.bottom(frame, bottom);
    }

    fn threads(&self, frame: &mut Frame<'_>, area: Rect) {
        let view = self.simulator.view();
        let text = state(view, Part::Threads);
        let (width, height) = (area.width.saturating_sub(2), area.height.saturating_sub(2));
        let rows = |text: &str| {
            let lines = text.lines().map(|line| wrapped(line, usize::from(width).max(1)).len());
            lines.sum::<usize>()
        };
        // Who hangs matters more than variables: where there is no room for all, they are left out first, then calls.
        let mut most = [usize::MAX, 2].into_iter().map(|indent| up_to(&text, indent));
        let fits = most.find(|text| rows(text) <= usize::from(height));
        let shown = fits.unwrap_or_else(|| up_to(&text, 0));
        let title = match shown == text {
            true => view.noun.plural().to_string(),
            false => format!("{0} (:show {0} for all)", view.noun.plural()),
        };
        let text = Paragraph::new(shown).wrap(Wrap { trim: false });
        frame.render_widget(text.block(Block::bordered().title(title)), area);
    }

    /// The possible steps with their numbers.
    fn told(&self) -> Vec<String> {
        let (steps, noun) = (self.simulator.successors(), self.simulator.noun());
        let numbered = steps.iter().enumerate();
        numbered.map(|(at, one)| format!("{:>2} {}", at + 1, successor(one, noun))).collect()
    }

    fn steps(&self, frame: &mut Frame<'_>, area: Rect) {
        // Without the border and what marks the chosen one.
        let room = usize::from(area.width.saturating_sub(4));
        let items = self.simulator.successors().iter().zip(self.told()).map(|(one, told)| {
            let style = if is_bad(one) { Modifier::ITALIC } else { Modifier::empty() };
            ListItem::new(wrapped(&told, room).join("\n")).style(style)
        });
        let list = List::new(items.collect::<Vec<_>>())
            .block(Block::bordered().title("possible steps"))
            .highlight_symbol("> ")
            .highlight_style(Modifier::REVERSED);
        let mut chosen = ListState::default().with_selected(Some(self.chosen));
        frame.render_stateful_widget(list, area, &mut chosen);
    }

    /// The source around where the chosen step would be taken.
    fn source(&self, frame: &mut Frame<'_>, area: Rect) {
        let block = Block::bordered();
        let Some(location) = self.place() else {
            frame.render_widget(block.title("source"), area);
            return;
        };
        let title = place(&location);
        let Some(text) = self.sources.text(&location.file) else {
            frame.render_widget(block.title(title), area);
            return;
        };
        let room = area.height.saturating_sub(2) as usize;
        let line = location.line.saturating_sub(1) as usize;
        let first = line.saturating_sub(room / 2);
        let standing = self.standing(&location);
        let broad = standing.values().map(String::len).max().unwrap_or(0).max(3);
        let columns = (area.width as usize).saturating_sub(broad + 9);
        let (mut rows, mut present) = (Vec::new(), 0);
        for (at, text) in text.lines().enumerate().skip(first).take(room) {
            if at == line {
                present = rows.len();
            }
            let mark = if at == line { ">" } else { " " };
            let style = if at == line { Modifier::BOLD } else { Modifier::empty() };
            let shown: String = text.chars().map(|c| if is_odd(c) { ' ' } else { c }).collect();
            let who = standing.get(&(at as u32 + 1)).map_or("", String::as_str);
            let mut start = format!("{mark}{who:<broad$}{:>4}  ", at + 1);
            for part in broken(&shown, columns) {
                rows.push(Line::styled(format!("{start}{part}"), Style::new().add_modifier(style)));
                start = " ".repeat(broad + 7);
            }
        }
        // Lines that go on in a second row do not push the present one out of sight.
        let rows = rows.split_off(present.saturating_sub(room / 2));
        frame.render_widget(Paragraph::new(Text::from(rows)).block(block.title(title)), area);
    }

    /// The numbers of the threads that stand in the lines of a file.
    fn standing(&self, file: &Location) -> BTreeMap<u32, String> {
        let view = self.simulator.view();
        let mut standing: BTreeMap<u32, String> = BTreeMap::new();
        for actor in view.actors.iter().filter(|actor| !actor.ended) {
            let place = actor.frames.iter().find_map(|frame| frame.location.as_ref());
            if let Some(place) = place.filter(|place| place.file == file.file) {
                let who = view.noun.call(actor.actor);
                let number = who.rsplit(' ').next().unwrap_or_default().to_string();
                let here = standing.entry(place.line).or_default();
                *here = if here.is_empty() { number } else { format!("{here},{number}") };
            }
        }
        standing
    }

    fn place(&self) -> Option<Location> {
        if let Some(hangs) = &self.hangs {
            return Some(hangs.clone());
        }
        let actor = match self.simulator.successors().get(self.chosen) {
            Some(chosen) => chosen.step.actor,
            None => self.simulator.steps().last()?.actor,
        };
        let actors = &self.simulator.view().actors;
        let actor = actors.iter().find(|one| one.actor == actor)?;
        actor.frames.iter().find_map(|frame| frame.location.clone())
    }

    fn part(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let (part, title) = PARTS[self.part];
        let text = match part {
            Part::Path => self.path(area),
            _ => match super::perform(self.simulator, &format!("show {}", word(part))) {
                Ok(text) => text.unwrap_or_default(),
                Err(why) => why,
            },
        };
        let last = text.lines().count().saturating_sub(1) as u16;
        self.scrolled = self.scrolled.min(last);
        let text = Paragraph::new(text).wrap(Wrap { trim: false }).scroll((self.scrolled, 0));
        frame.render_widget(text.block(Block::bordered().title(title)), area);
    }

    /// The last steps that were taken.
    fn path(&self, area: Rect) -> String {
        let (steps, noun) = (self.simulator.steps(), self.simulator.noun());
        let first = steps.len().saturating_sub(area.height.saturating_sub(2) as usize);
        let lines = steps.iter().enumerate().skip(first);
        let lines = lines.map(|(at, one)| format!("{:>3} {}", at + 1, step(one, noun)));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn bottom(&self, frame: &mut Frame<'_>, area: Rect) {
        let (title, text) = match &self.typed {
            Some(typed) => ("command (Enter, Esc)", format!(":{typed}█")),
            None if self.covered => ("any key goes back", self.answer.clone()),
            None => ("exeunt sim", self.answer.clone()),
        };
        let text = Paragraph::new(text).wrap(Wrap { trim: false });
        frame.render_widget(text.block(Block::bordered().title(title)), area);
    }
}

/// The lines that are indented by at most so much.
fn up_to(text: &str, indent: usize) -> String {
    let kept = text.lines().filter(|line| line.len() - line.trim_start().len() <= indent);
    kept.collect::<Vec<_>>().join("\n")
}

/// Lines of at most so many characters; those behind the first are indented.
fn wrapped(text: &str, room: usize) -> Vec<String> {
    const INDENT: &str = "     ";
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let last = lines.last_mut().expect("there is one");
        if last.trim().is_empty() || width(last) + width(word.trim_end()) <= room {
            last.push_str(word);
        } else {
            lines.push(format!("{INDENT}{word}"));
        }
    }
    lines
}

/// A line of the source in pieces of so many characters, between words if that can be.
fn broken(text: &str, room: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text.trim_end();
    while let Some((end, _)) = rest.char_indices().nth(room.max(8)) {
        let space = rest[..end].rfind(' ').filter(|at| *at > end / 2);
        let space = space.filter(|at| !rest[..*at].trim().is_empty());
        let at = space.map_or(end, |at| at + 1);
        pieces.push(rest[..at].to_string());
        rest = &rest[at..];
    }
    pieces.push(rest.to_string());
    pieces
}

fn width(text: &str) -> usize {
    Line::raw(text).width()
}

fn word(part: Part) -> &'static str {
    match part {
        Part::All => "all",
        Part::Threads => "threads",
        Part::Locks => "locks",
        Part::Globals => "globals",
        Part::Heap => "heap",
        Part::Channels => "channels",
        Part::Sections => "sections",
        Part::Successors => "steps",
        Part::Difference => "diff",
        Part::Path => "path",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_steps_go_on_in_the_next_line() {
        let lines = wrapped(" 1 thread 2  19: locks `journal` of the bank", 20);
        assert_eq!(
            lines.concat().replace("     ", ""),
            " 1 thread 2  19: locks `journal` of the bank"
        );
        assert!(
            lines.len() == 3 && lines.iter().all(|line| width(line.trim_end()) <= 20),
            "{lines:?}"
        );
        assert_eq!(wrapped("short", 20), ["short"]);
    }
}
