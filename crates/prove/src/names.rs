//! What things are called when people read about them.

use std::collections::BTreeMap;

use exeunt_promela::code::{Action, Expr, Program, Slot};
use exeunt_smt::{Atom, Formula, Term, Var};

use crate::config::{Config, Step};
use crate::run::Source;
use crate::summary::{Place, Summary};

pub(crate) struct Names<'a> {
    source: Source<'a>,
    /// The configuration in which the cycle begins.
    start: &'a Config<i64>,
    /// Names of message fields: channel as written, field, value.
    letters: BTreeMap<(String, usize, i64), String>,
}

impl<'a> Names<'a> {
    pub fn new(source: Source<'a>, start: &'a Config<i64>) -> Self {
        Names { source, start, letters: letters(source.program) }
    }

    /// `P`, or `P[2]` if there are several.
    pub fn process(&self, pid: u32) -> String {
        let Some(process) = self.start.processes.get(pid as usize) else {
            return format!("process {pid}");
        };
        let name = &self.source.program.procs[process.proc.0 as usize].name;
        let same = self.start.processes.iter().filter(|other| other.proc == process.proc);
        if same.count() > 1 { format!("{name}[{pid}]") } else { name.to_string() }
    }

    pub fn place(&self, place: Place) -> String {
        match place {
            Place::Global(slot) => self.source.layout.globals.slots[slot].name.clone(),
            Place::Local(pid, slot) => {
                format!("{}:{}", self.process(pid), self.local(pid, slot))
            }
            Place::Field(channel, slot, 0) if self.is_plain(channel) => {
                format!("{}[{slot}]", self.channel(channel))
            }
            Place::Field(channel, slot, field) => {
                format!("{}[{slot}].{field}", self.channel(channel))
            }
            Place::Length(channel) => format!("len({})", self.channel(channel)),
        }
    }

    /// The name of a local variable alone.
    pub fn local(&self, pid: u32, slot: usize) -> &str {
        let proc = self.start.processes[pid as usize].proc;
        &self.source.layout.locals[proc.0 as usize].slots[slot].name
    }

    pub fn global(&self, slot: usize) -> &str {
        &self.source.layout.globals.slots[slot].name
    }

    /// Whether the channel's messages have one field.
    pub fn is_plain(&self, channel: usize) -> bool {
        let decl = self.start.channels[channel].decl;
        self.source.program.channels[decl.0 as usize].fields.len() == 1
    }

    /// The variable that names a channel.
    pub fn channel(&self, channel: usize) -> String {
        let number = channel as i64 + 1;
        let layout = self.source.layout;
        let globals = self.start.globals.iter().zip(&layout.globals.slots);
        for (value, slot) in globals {
            if slot.is_chan && *value == number {
                return slot.name.clone();
            }
        }
        for (pid, process) in self.start.processes.iter().enumerate() {
            let slots = &layout.locals[process.proc.0 as usize].slots;
            for (value, slot) in process.locals.iter().zip(slots) {
                if slot.is_chan && *value == number {
                    return format!("{}:{}", self.process(pid as u32), slot.name);
                }
            }
        }
        format!("channel {number}")
    }

    /// A field of a message: the name the model gives it, or the number.
    pub fn field(&self, channel: usize, field: usize, value: i64) -> String {
        let name = self.channel(channel);
        let plain = name.rsplit(':').next().unwrap_or(&name).to_string();
        self.letters.get(&(plain, field, value)).cloned().unwrap_or_else(|| value.to_string())
    }

    pub fn is_channel(&self, place: Place) -> bool {
        match place {
            Place::Global(slot) => self.source.layout.globals.slots[slot].is_chan,
            Place::Local(pid, slot) => {
                let proc = self.start.processes[pid as usize].proc;
                self.source.layout.locals[proc.0 as usize].slots[slot].is_chan
            }
            Place::Field(..) | Place::Length(_) => false,
        }
    }

    /// A value as the model would write it.
    pub fn value(&self, place: Place, value: i64) -> String {
        let slot = match place {
            Place::Global(slot) => &self.source.layout.globals.slots[slot],
            Place::Local(pid, slot) => {
                let proc = self.start.processes[pid as usize].proc;
                &self.source.layout.locals[proc.0 as usize].slots[slot]
            }
            Place::Field(channel, _, field) => return self.field(channel, field, value),
            Place::Length(_) => return value.to_string(),
        };
        let sets = self.source.program.mtypes.iter();
        let set = slot.mtype.as_ref().and_then(|own| sets.clone().find(|set| *set.name == **own));
        let named = set.and_then(|set| set.names.iter().find(|(_, own)| i64::from(*own) == value));
        match named {
            Some((name, _)) => name.to_string(),
            None if slot.is_chan && value > 0 => self.channel(value as usize - 1),
            None => value.to_string(),
        }
    }

    /// Names for the variables of a summary.
    pub fn vars(&self, summary: &Summary) -> BTreeMap<Var, String> {
        let mut names: BTreeMap<Var, String> =
            summary.vars.iter().map(|(place, var)| (*var, self.place(*place))).collect();
        for (class, messages) in &summary.classes {
            for (index, field) in messages.fields.iter().enumerate() {
                if let Err(var) = field {
                    let name = self.channel(class.channel);
                    names.insert(*var, format!("every field {index} in {name}"));
                }
            }
        }
        names
    }
}

/// The text of the statement of a step, as the model has it.
pub(crate) fn text_of<'p>(
    program: &'p Program,
    config: &Config<i64>,
    step: &Step,
) -> &'p exeunt_promela::Site {
    let proc = config.processes[step.pid as usize].proc;
    let state = &program.procs[proc.0 as usize].states[usize::from(step.state)];
    let site = state.transitions[usize::from(step.transition)].site;
    &program.sites[site.0 as usize]
}

/// Which names of `mtype` the model's sends and receives use for which
/// values: the tables keep only numbers.
fn letters(program: &Program) -> BTreeMap<(String, usize, i64), String> {
    let mut letters = BTreeMap::new();
    let named: BTreeMap<&str, i32> = program
        .mtypes
        .iter()
        .flat_map(|set| set.names.iter().map(|(name, value)| (&**name, *value)))
        .collect();
    let states = program.procs.iter().flat_map(|proc| &proc.states);
    for transition in states.flat_map(|state| &state.transitions) {
        let numbers: Vec<Option<i32>> = match &transition.action {
            Action::Send(send) => send.args.iter().map(number).collect(),
            Action::Receive(receive) => receive.args.iter().map(slot_number).collect(),
            _ => continue,
        };
        let text = &program.sites[transition.site.0 as usize].text;
        let Some(sign) = text.find(['!', '?']) else { continue };
        let channel = text[..sign].trim();
        let args = text[sign..].trim_start_matches(['!', '?']);
        let args = args.split([',', '(', ')']).map(str::trim).filter(|arg| !arg.is_empty());
        for (field, (arg, value)) in args.zip(numbers).enumerate() {
            if let Some(value) = value
                && named.get(arg) == Some(&value)
            {
                letters.insert((channel.to_string(), field, i64::from(value)), arg.to_string());
            }
        }
    }
    letters
}

fn number(expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Const(value) => Some(*value),
        _ => None,
    }
}

fn slot_number(slot: &Slot) -> Option<i32> {
    match slot {
        Slot::Match(expr) => number(expr),
        Slot::Store(_) => None,
    }
}

/// A formula as people write it.
pub(crate) fn shown(formula: &Formula, names: &BTreeMap<Var, String>) -> String {
    match formula {
        Formula::True => "true".to_string(),
        Formula::False => "false".to_string(),
        Formula::NonNegative(term) => {
            let (left, right) = sides(term, names);
            match (left.as_str(), term.constant()) {
                // -x + c >= 0 reads better as x <= c.
                ("0", constant) => format!("{right} <= {constant}"),
                (_, constant) if right == "0" => format!("{left} >= {}", -constant),
                (_, 0) => format!("{left} >= {right}"),
                (_, constant) if constant > 0 => format!("{left} + {constant} >= {right}"),
                (_, constant) => format!("{left} >= {right} + {}", -constant),
            }
        }
        Formula::Zero(term) => equation(term, "==", names),
        Formula::NonZero(term) => equation(term, "!=", names),
        Formula::And(parts) => joined(parts, " && ", names),
        Formula::Or(parts) => joined(parts, " || ", names),
    }
}

fn joined(parts: &[Formula], sign: &str, names: &BTreeMap<Var, String>) -> String {
    let parts: Vec<String> = parts.iter().map(|part| shown(part, names)).collect();
    format!("({})", parts.join(sign))
}

fn equation(term: &Term, sign: &str, names: &BTreeMap<Var, String>) -> String {
    let (left, right) = sides(term, names);
    match term.constant() {
        0 => format!("{left} {sign} {right}"),
        constant if right == "0" => format!("{left} {sign} {}", -constant),
        constant if left == "0" => format!("{right} {sign} {constant}"),
        constant if constant > 0 => format!("{left} + {constant} {sign} {right}"),
        constant => format!("{left} {sign} {right} + {}", -constant),
    }
}

/// The parts with positive and with negative factors.
fn sides(term: &Term, names: &BTreeMap<Var, String>) -> (String, String) {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (atom, factor) in term.parts() {
        let text = match factor.abs() {
            1 => atom_text(atom, names),
            factor => format!("{factor} * {}", atom_text(atom, names)),
        };
        if factor > 0 { left.push(text) } else { right.push(text) }
    }
    let sum = |parts: Vec<String>| match parts.is_empty() {
        true => "0".to_string(),
        false => parts.join(" + "),
    };
    (sum(left), sum(right))
}

fn atom_text(atom: &Atom, names: &BTreeMap<Var, String>) -> String {
    match atom {
        Atom::Var(var) => names.get(var).cloned().unwrap_or_else(|| format!("v{}", var.0)),
        Atom::Product(a, b) => format!("({}) * ({})", term_text(a, names), term_text(b, names)),
        Atom::Bits(op, _, a, b) => {
            format!("({}) {} ({})", term_text(a, names), op.sign(), term_text(b, names))
        }
        Atom::Quotient(a, by) => format!("({}) / {by}", term_text(a, names)),
        Atom::Remainder(a, by) => format!("({}) % {by}", term_text(a, names)),
        Atom::Choice(test, yes, no) => format!(
            "({} -> {} : {})",
            shown(test, names),
            term_text(yes, names),
            term_text(no, names)
        ),
    }
}

pub(crate) fn term_text(term: &Term, names: &BTreeMap<Var, String>) -> String {
    let (left, right) = sides(term, names);
    let mut text = String::new();
    if left != "0" {
        text.push_str(&left);
    }
    if right != "0" {
        text.push_str(&format!("{}{right}", if text.is_empty() { "-" } else { " - " }));
    }
    match term.constant() {
        constant if text.is_empty() => constant.to_string(),
        0 => text,
        constant if constant > 0 => format!("{text} + {constant}"),
        constant => format!("{text} - {}", -constant),
    }
}
