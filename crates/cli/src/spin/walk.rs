//! Runs of a model as SPIN's simulator prints them: by chance, or along a trail.
//!
//! SPIN merges statements that no other process can observe, and its trails then name only the
//! first of them. Here every statement has its line; one that a trail does not name has
//! `<merged>` behind it.

use std::fmt::Write;
use std::io::BufRead;
use std::path::Path;

use exeunt_model::Move;
use exeunt_promela::{PromelaModel, Simulation, Standing, Statement, Step, Trail};
use exeunt_search::ComponentPool;

use super::line::{Line, Mode, Shown};
use super::model;
use crate::failure::Failure;
use crate::output;

mod chart;

use chart::Drawing;

/// A run by chance, until nothing can move or it is long enough.
pub(super) fn by_chance(line: &Line) -> Result<u8, Failure> {
    let model = model(line)?;
    let mut chance = Chance(line.seed);
    let mut pick = |_: usize, steps: &[Step]| Some(chance.below(steps.len()));
    walk(line, &model, &mut pick, &Trail::default())
}

/// A run in which somebody chooses each step; `q`, or the end of the input, ends it.
pub(super) fn by_hand(line: &Line) -> Result<u8, Failure> {
    let model = model(line)?;
    let mut pick = |_: usize, steps: &[Step]| choose(steps, &mut std::io::stdin().lock());
    walk(line, &model, &mut pick, &Trail::default())
}

/// Asks which step is next, as SPIN asks; where there is only one, it is taken.
fn choose(steps: &[Step], input: &mut dyn BufRead) -> Option<usize> {
    if steps.len() == 1 {
        return Some(0);
    }
    let mut question = "Select a statement\n".to_string();
    for (at, step) in steps.iter().enumerate() {
        let Some(first) = step.statements.first() else { continue };
        let (who, state) = (who(first.pid, &first.process, first.priority), first.state);
        let place = place(first);
        let _ = writeln!(
            question,
            "\tchoice {}: {who} {place} (state {state}) [{}]",
            at + 1,
            first.text
        );
    }
    loop {
        let _ = write!(question, "Select [1-{}]: ", steps.len());
        output::print(&question);
        let mut answer = String::new();
        match input.read_line(&mut answer) {
            Ok(0) | Err(_) => return None,
            Ok(_) => {}
        }
        match answer.trim() {
            "q" => return None,
            number => match number.parse::<usize>() {
                Ok(number) if (1..=steps.len()).contains(&number) => return Some(number - 1),
                Ok(_) | Err(_) => question = "\tchoice is outside range\n".to_string(),
            },
        }
    }
}

/// The run that a trail describes, of SPIN or of ours.
pub(super) fn along(line: &Line, file: &Path) -> Result<u8, Failure> {
    let text = std::fs::read_to_string(file).map_err(|why| Failure::file("read", file, &why))?;
    let model = model(line)?;
    let pool = ComponentPool::new();
    let trail = exeunt_promela::read_trail(&model, &pool, &text).map_err(|why| {
        Failure::bad(format!("{}: {why}", file.display()))
            .help("a trail belongs to the very model that it was written for")
    })?;
    let moves: &[Move] = &trail.schedule.moves;
    let mut pick = |at: usize, steps: &[Step]| {
        let wanted = moves.get(at)?;
        steps.iter().position(|step| step.step == *wanted)
    };
    walk(line, &model, &mut pick, &trail)
}

/// Which of the possible steps comes next; `None` ends the run.
type Pick<'p> = dyn FnMut(usize, &[Step]) -> Option<usize> + 'p;

fn walk(
    line: &Line,
    model: &PromelaModel,
    pick: &mut Pick<'_>,
    trail: &Trail,
) -> Result<u8, Failure> {
    let pool = ComponentPool::new();
    let mut simulation = Simulation::new(model, &pool)
        .ok_or_else(|| Failure::bad("the model cannot start, because it goes wrong at once"))?;
    let mut teller = Teller::new(line, &mut simulation);
    let mut at = 0;
    let failed = loop {
        if trail.cycle == Some(at) {
            teller.repeats();
        }
        let steps = simulation.steps();
        if let Some(most) = line.most.filter(|most| teller.steps >= *most && !steps.is_empty()) {
            let _ = writeln!(teller.out, "-------------\ndepth-limit (-u{most} steps) reached");
            break false;
        }
        if steps.is_empty() {
            if simulation.processes().iter().any(|process| !process.valid_end) {
                teller.out.push_str("      timeout\n");
            }
            break false;
        }
        if line.mode == Mode::Choose {
            output::print(&std::mem::take(&mut teller.out));
        }
        let Some(chosen) = pick(at, &steps) else { break false };
        let step = &steps[chosen];
        teller.merged = trail.merged.contains(&at);
        teller.step(step, &mut simulation);
        at += 1;
        if step.fault.is_some() {
            break true;
        }
    };
    teller.end(&mut simulation);
    if line.shown.seed {
        let _ = writeln!(teller.out, "seed used: {}", line.seed);
    }
    let Teller { out, drawing, .. } = teller;
    output::print(&out);
    if let Some(drawing) = drawing {
        let title = line.file.display().to_string();
        let file = format!("{title}.svg");
        let picture = exeunt_report::draw_messages(&drawing.finish(), &title);
        output::write(file.as_ref(), &picture)?;
        output::print(&format!("wrote {file}\n"));
    }
    Ok(u8::from(failed))
}

/// Writes a run down.
struct Teller {
    shown: Shown,
    skipped: u64,
    /// Statements so far; SPIN calls each a step.
    steps: u64,
    /// Whether the trail does not name this step.
    merged: bool,
    created: usize,
    out: String,
    values: Vec<(String, String)>,
    queues: Vec<(u32, String, String)>,
    drawing: Option<Drawing>,
}

impl Teller {
    fn new(line: &Line, simulation: &mut Simulation<'_>) -> Teller {
        let standing = simulation.processes();
        let mut teller = Teller {
            shown: line.shown,
            skipped: line.skipped,
            steps: 0,
            merged: false,
            created: standing.len(),
            out: String::new(),
            values: simulation.variables(),
            queues: simulation.queues(),
            drawing: line.shown.chart.then(|| Drawing::new(&standing)),
        };
        if line.shown.statements {
            for process in &standing {
                let (pid, name) = (process.pid, process_name(&process.process));
                let _ =
                    writeln!(teller.out, "  0:\tproc  - (:root:) creates proc {pid:2} ({name})");
            }
        }
        if line.shown.columns {
            teller.columns(&standing);
            let numbers: String =
                standing.iter().map(|process| format!("{:4}", process.pid)).collect();
            let _ = writeln!(teller.out, "q\\p{numbers}");
        }
        teller
    }

    /// The heads of the columns.
    fn columns(&mut self, standing: &[Standing]) {
        for process in standing {
            let _ = writeln!(self.out, "proc {} = {}", process.pid, process_name(&process.process));
        }
    }

    fn step(&mut self, step: &Step, simulation: &mut Simulation<'_>) {
        let before = self.created;
        let mut last = None;
        let messages: Vec<Vec<String>> = step
            .statements
            .iter()
            .map(|statement| statement.passed.iter().map(|p| simulation.message(p)).collect())
            .collect();
        let goes_on = simulation.take(step);
        let names = simulation.processes();
        for (statement, messages) in step.statements.iter().zip(&messages) {
            // SPIN does not count the end of a process.
            self.steps += u64::from(!statement.ends);
            self.created += statement.started.len();
            last = Some(statement);
            if self.steps > self.skipped {
                self.statement(statement, messages, &names);
            }
        }
        if let Some(drawing) = &mut self.drawing {
            drawing.step(step, &simulation.processes());
        }
        if self.created > before && self.shown.columns {
            let all = simulation.processes();
            let known = before.min(all.len());
            self.columns(&all[known..]);
        }
        if let (Some(fault), Some(statement)) = (&step.fault, last) {
            let place = place(statement);
            let _ = writeln!(self.out, "spin: {place}, Error: {}", fault.message);
        }
        if goes_on {
            self.changes(simulation);
        }
    }

    /// `names`: the processes behind the step.
    fn statement(&mut self, statement: &Statement, messages: &[String], names: &[Standing]) {
        if self.shown.only.is_some_and(|only| only != statement.pid) {
            return;
        }
        let at = self.steps;
        let who = who(statement.pid, &statement.process, statement.priority);
        for started in statement.started.iter().filter(|_| self.shown.statements) {
            let process = names.iter().find(|process| process.pid == *started);
            let name = process.map_or("process", |process| process_name(&process.process));
            let _ = writeln!(self.out, "Starting {name} with pid {started}");
            let _ = writeln!(self.out, "{at:3}:\t{who} creates proc {started:2} ({name})");
        }
        if statement.ends {
            if self.shown.statements {
                let _ = writeln!(self.out, "{at:3}:\t{who} terminates");
            }
            return;
        }
        if !statement.output.is_empty() && !self.shown.silent {
            let room = if self.shown.flush { 0 } else { 6 + 4 * statement.pid as usize };
            let indent = " ".repeat(room);
            for printed in statement.output.lines() {
                let _ = writeln!(self.out, "{indent}{printed}");
            }
        }
        let place = place(statement);
        for (passed, values) in statement.passed.iter().zip(messages) {
            if self.shown.unheard == Some(passed.channel) {
                continue;
            }
            let (wanted, what, arrow) = match passed.receive {
                true => (self.shown.receives, "Recv", "<-"),
                false => (self.shown.sends, "Send", "->"),
            };
            let name = channel_name(statement);
            if wanted {
                let queue = format!("{arrow} queue {} ({name})", passed.channel);
                let _ = writeln!(self.out, "{at:3}:\t{who} {place} {what} {values}\t{queue}");
            }
            if self.shown.columns {
                let sign = if passed.receive { "?" } else { "!" };
                let dots = ".   ".repeat(statement.pid as usize);
                let channel = passed.channel;
                let _ = writeln!(self.out, "{channel:3}   {dots}{name}{sign}{values}");
            }
        }
        if self.shown.statements {
            let text = &statement.text;
            let state = statement.state;
            let merged = if self.merged { " <merged>" } else { "" };
            let _ = writeln!(self.out, "{at:3}:\t{who} {place} (state {state})\t[{text}]{merged}");
        }
    }

    /// Variables that have changed.
    fn changes(&mut self, simulation: &mut Simulation<'_>) {
        let values = simulation.variables();
        for (name, value) in &values {
            let local = name.contains("):");
            let wanted = if local { self.shown.locals } else { self.shown.globals };
            // What a process begins with is no change.
            let old = self.values.iter().find(|(other, _)| other == name);
            let known = old.is_none_or(|(_, old)| old == value);
            if wanted && !known && self.steps > self.skipped && !is_channel(value) {
                let _ = writeln!(self.out, "\t\t{name} = {value}");
            }
        }
        self.values = values;
        let queues = simulation.queues();
        for queue in &queues {
            let (number, name, messages) = queue;
            if self.shown.globals && !self.queues.contains(queue) && self.steps > self.skipped {
                let _ = writeln!(self.out, "\t\tqueue {number} ({name}): {messages}");
            }
        }
        self.queues = queues;
    }

    fn repeats(&mut self) {
        self.out.push_str("  <<<<<START OF CYCLE>>>>>\n");
        if let Some(drawing) = &mut self.drawing {
            drawing.repeats();
        }
    }

    /// Where everybody stands at the end.
    fn end(&mut self, simulation: &mut Simulation<'_>) {
        let standing = simulation.processes();
        // Where nobody is left, SPIN says nothing of the variables either.
        if !self.shown.no_end && !standing.is_empty() {
            if self.shown.columns {
                self.out.push_str("-------------\nfinal state:\n-------------\n");
            }
            let _ = writeln!(self.out, "#processes: {}", standing.len());
            for (number, name, messages) in simulation.queues() {
                let _ = writeln!(self.out, "\t\tqueue {number} ({name}): {messages}");
            }
            for (name, value) in simulation.variables() {
                if !name.contains("):") && !is_channel(&value) {
                    let _ = writeln!(self.out, "\t\t{name} = {value}");
                }
            }
            for process in standing.iter().rev() {
                let who = who(process.pid, &process.process, process.priority);
                let place = process.location.as_ref();
                let place = place.map_or(String::new(), |at| format!("{}:{}", at.file, at.line));
                let end = if process.valid_end { " <valid end state>" } else { "" };
                let (at, state) = (self.steps, process.state);
                let _ = writeln!(self.out, "{at:3}:\t{who} {place} (state {state}){end}");
            }
        }
        let plural = if self.created == 1 { "process" } else { "processes" };
        let _ = writeln!(self.out, "{} {plural} created", self.created);
    }
}

/// Whether a value is what a channel holds, which is told apart.
fn is_channel(value: &str) -> bool {
    value.starts_with('[') || matches!(value, "rendezvous" | "no channel")
}

fn place(statement: &Statement) -> String {
    format!("{}:{}", statement.location.file, statement.location.line)
}

fn who(pid: u32, process: &str, priority: u8) -> String {
    format!("proc {pid:2} ({}:{priority})", process_name(process))
}

/// SPIN's name of a process type.
fn process_name(name: &str) -> &str {
    if name == "init" { ":init:" } else { name }
}

/// The channel as the statement names it.
fn channel_name(statement: &Statement) -> &str {
    let end = statement.text.find(['!', '?']);
    end.map_or(&*statement.text, |end| &statement.text[..end])
}

/// Numbers by chance that are the same for the same seed (Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014).
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ word >> 31) % count.max(1) as u64) as usize
    }
}
