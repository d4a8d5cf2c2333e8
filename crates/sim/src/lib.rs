//! The simulator without its terminal: a walk, breakpoints, bookmarks, and commands
//! that are words. Terminals, scripts and tests give the same commands and see the
//! same answers.
//!
//! Must not know: terminals, files, colours. What has to be read or written is asked
//! of the caller ([`Answer`]).

#![forbid(unsafe_code)]

mod command;
mod difference;
mod show;

use std::collections::{BTreeMap, HashMap};

use exeunt_model::{ActorId, Event, Move, Noun, Schedule, StateView, TraceStep};
use exeunt_search::{CanEnd, Leads, Successor, Walk};

pub use command::{Command, HELP, Part, Until};
pub use difference::{Change, changes};
pub use show::{can_end, place, state, step, successor};

/// States that the question whether a section can end looks at.
const MOST_STATES: usize = 200_000;
/// Steps that one `run` takes at most.
const MOST_STEPS: usize = 100_000;

/// A walk with what its user has marked.
pub struct Simulator<'s, 'w> {
    walk: &'s mut Walk<'w>,
    /// Steps that were taken back, the next one last.
    undone: Vec<Move>,
    breakpoints: Vec<Breakpoint>,
    bookmarks: BTreeMap<String, Schedule>,
    successors: Vec<Successor>,
    view: StateView,
    /// The state before the last step.
    before: Option<StateView>,
}

/// A line of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    /// The end of the name of the file; empty for any file.
    pub file: String,
    pub line: u32,
}

/// What the caller has to do after a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Text(String),
    /// Write the schedule to a file.
    Save(String, Schedule),
    /// Read a schedule from a file and [follow](Simulator::follow) it.
    Load(String),
    Quit,
}

impl<'s, 'w> Simulator<'s, 'w> {
    pub fn new(walk: &'s mut Walk<'w>) -> Self {
        let (view, successors) = (walk.view(), walk.successors());
        Simulator {
            walk,
            undone: Vec::new(),
            breakpoints: Vec::new(),
            bookmarks: BTreeMap::new(),
            successors,
            view,
            before: None,
        }
    }

    pub fn view(&self) -> &StateView {
        &self.view
    }

    /// The state before the last step, to see what it changed.
    pub fn before(&self) -> Option<&StateView> {
        self.before.as_ref()
    }

    pub fn successors(&self) -> &[Successor] {
        &self.successors
    }

    pub fn steps(&self) -> Vec<&TraceStep> {
        self.walk.steps().collect()
    }

    pub fn noun(&self) -> Noun {
        self.view.noun
    }

    /// The error that the last step led to, in words.
    pub fn error(&self) -> Option<String> {
        self.walk.fault().map(|fault| format!("error[{}]: {}", fault.property, fault.message))
    }

    /// Where the walk is, in a line.
    pub fn status(&mut self) -> String {
        let steps = self.walk.len();
        let what = match self.error() {
            Some(error) => error,
            None if self.walk.has_ended() => "the program has ended".to_string(),
            None if self.successors.is_empty() => {
                format!("no {} can move", self.noun().name())
            }
            None if self.successors.iter().all(|one| one.step.withheld) => {
                let steps = count(self.successors.len(), "step");
                format!("no {} can move, but {steps} may come from outside", self.noun().name())
            }
            None => format!("{} possible", count(self.successors.len(), "step")),
        };
        format!("after {}: {what}", count(steps, "step"))
    }

    /// Executes a command that was typed.
    pub fn execute(&mut self, text: &str) -> Result<Answer, String> {
        let Some(command) = Command::parse(text)? else { return Ok(Answer::Text(String::new())) };
        let text = match command {
            Command::Take(number) => self.take(number)?,
            Command::Next(actor) => self.next(actor)?,
            Command::Back(steps) => self.back(steps)?,
            Command::Forward => self.forward()?,
            Command::Goto(step) => self.goto(step)?,
            Command::Run(until) => self.run(until)?,
            Command::Chance { steps, seed } => self.chance(steps, seed)?,
            Command::Break(breakpoint) => {
                self.breakpoints.push(breakpoint);
                format!("{} set", count(self.breakpoints.len(), "breakpoint"))
            }
            Command::Unbreak => {
                self.breakpoints.clear();
                "no breakpoints".to_string()
            }
            Command::Mark(name) => {
                self.bookmarks.insert(name.clone(), self.walk.schedule());
                format!("`{name}` is here: after {}", count(self.walk.len(), "step"))
            }
            Command::Visit(name) => match self.bookmarks.get(&name).cloned() {
                Some(schedule) => self.follow(&schedule)?,
                None => return Err(format!("there is no bookmark `{name}`")),
            },
            Command::Show(part) => self.show(part),
            Command::Ends => self.ends(),
            Command::Save(path) => return Ok(Answer::Save(path, self.walk.schedule())),
            Command::Load(path) => return Ok(Answer::Load(path)),
            Command::Help => HELP.to_string(),
            Command::Quit => return Ok(Answer::Quit),
        };
        Ok(Answer::Text(text))
    }

    fn refresh(&mut self) {
        self.view = self.walk.view();
        self.successors = self.walk.successors();
    }

    /// Takes a step without looking around afterwards.
    fn go(&mut self, step: &Move) -> Result<(), String> {
        self.before = Some(std::mem::take(&mut self.view));
        let taken = self.walk.take(step);
        self.refresh();
        taken
    }

    /// Takes one of the possible steps, counted from one.
    pub fn take(&mut self, number: usize) -> Result<String, String> {
        let Some(chosen) = number.checked_sub(1).and_then(|at| self.successors.get(at)) else {
            return Err(format!(
                "there is no step {number}: {} possible",
                count(self.successors.len(), "step")
            ));
        };
        let step = chosen.step.clone();
        self.go(&step)?;
        self.undone.clear();
        Ok(self.last())
    }

    /// The next step of an actor; without one, of who moved last, or of the first who can.
    fn next(&mut self, number: Option<u32>) -> Result<String, String> {
        let at = match number {
            Some(number) => {
                let noun = self.noun();
                let actor = number.checked_sub(noun.first()).map(ActorId);
                let mut steps = self.successors.iter();
                let at = steps.position(|one| Some(one.step.actor) == actor);
                at.ok_or_else(|| format!("{} {number} cannot move", noun.name()))?
            }
            None => self.preferred().ok_or("nothing can move")?,
        };
        self.take(at + 1)
    }

    /// A schedule with few switches: who moved last goes on if it can, and a move
    /// that the environment may withhold is the last choice.
    fn preferred(&self) -> Option<usize> {
        self.by_preference().first().copied()
    }

    /// The steps that can be taken: first those of whoever moved last, at last those that the
    /// environment may withhold for ever.
    fn by_preference(&self) -> Vec<usize> {
        let last = self.last_actor();
        let mut all: Vec<usize> = (0..self.successors.len()).collect();
        all.sort_by_key(|&at| {
            let step = &self.successors[at].step;
            (step.withheld, Some(step.actor) != last)
        });
        all
    }

    fn last_actor(&self) -> Option<ActorId> {
        self.walk.steps().last().map(|step| step.actor)
    }

    pub fn back(&mut self, steps: usize) -> Result<String, String> {
        for _ in 0..steps.max(1) {
            let last = self.walk.schedule().moves.pop();
            if !self.walk.back() {
                return Err("this is the beginning".to_string());
            }
            self.undone.extend(last);
        }
        self.before = self.walk.view_before();
        self.refresh();
        Ok(self.status())
    }

    /// Takes again what was taken back.
    pub fn forward(&mut self) -> Result<String, String> {
        let Some(step) = self.undone.pop() else {
            return Err("nothing was taken back".to_string());
        };
        self.go(&step)?;
        Ok(self.last())
    }

    fn goto(&mut self, step: usize) -> Result<String, String> {
        while self.walk.len() < step {
            self.forward()
                .map_err(|_| format!("only {} are known", count(self.walk.len(), "step")))?;
        }
        match self.walk.len() - step {
            0 => Ok(self.status()),
            more => self.back(more),
        }
    }

    /// Follows a schedule from the beginning.
    pub fn follow(&mut self, schedule: &Schedule) -> Result<String, String> {
        while self.walk.back() {}
        self.undone.clear();
        for (at, step) in schedule.moves.iter().enumerate() {
            if let Err(why) = self.walk.take(step) {
                self.before = self.walk.view_before();
                self.refresh();
                return Err(format!("step {}: {why}", at + 1));
            }
        }
        self.before = self.walk.view_before();
        self.refresh();
        Ok(self.status())
    }

    /// Goes on until something happens. Where it comes to a state again it takes another step than
    /// before, so a loop of one actor does not keep it; it ends where all steps were taken.
    fn run(&mut self, until: Until) -> Result<String, String> {
        let mut tried: HashMap<(u32, Option<ActorId>), usize> = HashMap::new();
        for taken in 0..MOST_STEPS {
            let possible = self.by_preference();
            // What may never come is the user's to take.
            if possible.first().is_none_or(|at| self.successors[*at].step.withheld) {
                return Ok(format!("{}\n{}", count(taken, "step"), self.status()));
            }
            let turn = tried.entry((self.walk.number(), self.last_actor())).or_default();
            let Some(&at) = possible.get(*turn) else {
                let steps = count(taken, "step");
                return Ok(format!("{steps}: it goes round and round\n{}", self.status()));
            };
            *turn += 1;
            // The other choices of the environment are the user's to take.
            let chosen = &self.successors[at];
            let choices = self.successors.iter().filter(|s| s.step.actor == chosen.step.actor);
            let asked = choices.count() > 1 && until == Until::Choice;
            if asked && taken > 0 {
                return Ok(format!("{}: a choice\n{}", count(taken, "step"), self.status()));
            }
            let step = chosen.step.clone();
            self.go(&step)?;
            self.undone.clear();
            if let Some(why) = self.stops(&until) {
                return Ok(format!("{}: {why}\n{}", count(taken + 1, "step"), self.last()));
            }
        }
        Err(format!("nothing happened in {MOST_STEPS} steps"))
    }

    /// Takes steps by chance, the same ones for the same seed.
    fn chance(&mut self, steps: usize, seed: u64) -> Result<String, String> {
        // Marsaglia, Xorshift RNGs, 2003. Zero is the one state that it cannot have.
        let mut number = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        for taken in 0..steps {
            if self.successors.iter().all(|one| one.step.withheld) {
                return Ok(format!("{}\n{}", count(taken, "step"), self.status()));
            }
            number ^= number << 13;
            number ^= number >> 7;
            number ^= number << 17;
            let at = (number >> 16) as usize % self.successors.len();
            let step = self.successors[at].step.clone();
            self.go(&step)?;
            self.undone.clear();
            if let Some(why) = self.stops(&Until::End) {
                return Ok(format!("{}: {why}\n{}", count(taken + 1, "step"), self.last()));
            }
        }
        Ok(format!("{}\n{}", count(steps, "step"), self.last()))
    }

    /// Why a run ends behind its last step.
    fn stops(&self, until: &Until) -> Option<String> {
        if let Some(error) = self.error() {
            return Some(error);
        }
        let step = self.walk.steps().last()?;
        let hit = |breakpoint: &Breakpoint| passes(step, breakpoint);
        if let Some(found) = self.breakpoints.iter().find(|breakpoint| hit(breakpoint)) {
            return Some(format!("line {}", found.line));
        }
        match until {
            Until::Line(line) if hit(line) => Some(format!("line {}", line.line)),
            Until::Output if step.events.iter().any(|e| matches!(e, Event::Output { .. })) => {
                Some("output".to_string())
            }
            Until::Line(_) | Until::Output | Until::End | Until::Choice => None,
        }
    }

    /// The last step in words.
    fn last(&mut self) -> String {
        let told = self.walk.steps().last().map(|last| step(last, self.view.noun));
        let status = self.status();
        match told {
            Some(told) => format!("{told}\n{status}"),
            None => status,
        }
    }

    fn show(&mut self, part: Part) -> String {
        match part {
            Part::Successors => {
                let noun = self.noun();
                let lines = self.successors.iter().enumerate();
                let lines =
                    lines.map(|(at, one)| format!("{:>3}  {}", at + 1, successor(one, noun)));
                let text = lines.collect::<Vec<_>>().join("\n");
                if text.is_empty() { self.status() } else { text }
            }
            Part::Path => {
                let noun = self.noun();
                let lines = self.walk.steps().enumerate();
                let lines = lines.map(|(at, one)| format!("{:>4}  {}", at + 1, step(one, noun)));
                lines.collect::<Vec<_>>().join("\n")
            }
            Part::Difference => match &self.before {
                None => "this is the beginning: no step led here".to_string(),
                Some(before) => {
                    let lines = changes(before, &self.view);
                    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
                    if lines.is_empty() { "nothing changed".to_string() } else { lines.join("\n") }
                }
            },
            part => state(&self.view, part),
        }
    }

    /// Whether what is open can still end.
    fn ends(&mut self) -> String {
        let open = self.walk.open_sections();
        if open.is_empty() {
            return "no section is open".to_string();
        }
        let noun = self.noun();
        let mut lines = Vec::new();
        for section in open {
            let kind = section.kind;
            let view = self.walk.describe(&section);
            let answer: CanEnd = self.walk.can_end(&section, MOST_STATES);
            lines.push(format!(
                "{}: {kind} {}: {}",
                noun.call(section.actor),
                view.name,
                can_end(answer)
            ));
        }
        lines.join("\n")
    }
}

fn passes(step: &TraceStep, breakpoint: &Breakpoint) -> bool {
    step.deeds().any(|(location, _)| {
        location.line == breakpoint.line && location.file.ends_with(&breakpoint.file)
    })
}

/// "1 step", "2 steps".
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Whether a step leads to an error or nowhere.
pub fn is_bad(successor: &Successor) -> bool {
    match successor.leads {
        Leads::State { .. } => false,
        Leads::Fault(_) | Leads::Nowhere(_) => true,
    }
}
