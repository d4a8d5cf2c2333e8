//! The while-program of a lasso, with numbers for queues (Figures 4 and 5
//! of Kuntz, Leue, Scheben: Extending Non-Termination Proof Techniques to
//! Asynchronously Communicating Concurrent Programs, 2010): a queue of letters 1 to r-1 is the number whose digits to the
//! base r they are, `_p` is r to the power of its length, `_l` its length.
//! If this program does not end, neither does the model. It is for reading:
//! of messages with several fields it shows the first, and rendezvous and
//! deterministic steps stay remarks.

use std::fmt::Write;

use crate::config::{Config, Step};
use crate::names::{self, Names};
use crate::proof::Proof;
use crate::run::Source;
use crate::story;

pub(crate) fn while_program(source: Source<'_>, proof: &Proof) -> String {
    let names = Names::new(source, &proof.lasso.start);
    let configs = story::configs(source, proof);
    let mut writer = Writer { source, names: &names, out: String::new() };
    writer.declarations(proof, &configs);
    writer.variables(configs.first());
    let stem = proof.lasso.stem.len();
    for (step, config) in proof.lasso.stem.iter().zip(&configs) {
        writer.step(step, config, 0);
    }
    writer.out.push_str("while (true) {\n");
    for (step, config) in proof.lasso.cycle.iter().zip(&configs[stem..]) {
        writer.step(step, config, 1);
    }
    writer.out.push_str("}\n");
    writer.out
}

struct Writer<'a> {
    source: Source<'a>,
    names: &'a Names<'a>,
    out: String,
}

impl Writer<'_> {
    fn declarations(&mut self, proof: &Proof, configs: &[Config<i64>]) {
        let program = self.source.program;
        for set in &program.mtypes {
            for (name, value) in &set.names {
                let _ = writeln!(self.out, "final int {name} = {value};");
            }
        }
        for (channel, words) in proof.words.iter().enumerate() {
            if !words.received.is_empty() || !words.sent.is_empty() {
                let name = identifier(&self.names.channel(channel));
                let base = self.base(channel, configs);
                let _ = writeln!(
                    self.out,
                    "final int {name}_r = {base}; int {name} = 0, {name}_l = 0, {name}_p = 1;"
                );
            }
        }
    }

    /// The variables, with their first values.
    fn variables(&mut self, first: Option<&Config<i64>>) {
        let Some(first) = first else { return };
        let layout = self.source.layout;
        for (slot, value) in layout.globals.slots.iter().zip(&first.globals) {
            if !slot.is_chan {
                let _ = writeln!(self.out, "int {} = {value};", slot.name);
            }
        }
        for (pid, process) in first.processes.iter().enumerate() {
            let who = self.names.process(pid as u32);
            let slots = &layout.locals[process.proc.0 as usize].slots;
            for (slot, value) in slots.iter().zip(&process.locals) {
                if !slot.is_chan {
                    let _ = writeln!(self.out, "int {} = {value};  // of {who}", slot.name);
                }
            }
        }
    }

    /// More than the largest letter that ever lies in the channel, counted
    /// from one.
    fn base(&self, channel: usize, configs: &[Config<i64>]) -> i64 {
        let channels = configs.iter().filter_map(|config| config.channels.get(channel));
        let messages = channels.flat_map(|channel| &channel.messages);
        messages.filter_map(|message| message.first()).max().copied().unwrap_or(0) + 2
    }

    fn step(&mut self, step: &Step, config: &Config<i64>, depth: usize) {
        let site = names::text_of(self.source.program, config, step);
        let text = site.text.to_string();
        let who = self.names.process(step.pid);
        let indent = "    ".repeat(depth);
        let line = self.translated(step, config, &text);
        let _ = writeln!(self.out, "{indent}{line}  // {who}: {text}");
    }

    fn translated(&self, step: &Step, config: &Config<i64>, text: &str) -> String {
        use exeunt_promela::code::Action;
        let proc = config.processes[step.pid as usize].proc;
        let state = &self.source.program.procs[proc.0 as usize].states[usize::from(step.state)];
        let sign = text.find(['!', '?']);
        let parts = sign.map(|at| {
            let name = identifier(text[..at].trim());
            let args = text[at..].trim_start_matches(['!', '?']).trim();
            (name, args.to_string())
        });
        match (&state.transitions[usize::from(step.transition)].action, parts) {
            (Action::Send(_), Some((q, args))) if step.partner.is_none() => {
                format!("{q} = {q} * {q}_r + ({args}) + 1; {q}_p *= {q}_r; {q}_l++;")
            }
            (Action::Receive(receive), Some((q, args))) => {
                let head = format!("{q} * {q}_r / {q}_p - 1");
                let rest = format!("{q}_p /= {q}_r; {q} %= {q}_p; {q}_l--;");
                match receive.args.first() {
                    Some(exeunt_promela::code::Slot::Store(_)) => {
                        format!("if ({q}_l == 0) break; {args} = {head}; {rest}")
                    }
                    _ => format!("if ({q}_l == 0 || {head} != {args}) break; {rest}"),
                }
            }
            (Action::Guard(_), _) => format!("if (!({text})) break;"),
            (Action::Else, _) => "/* nothing else is possible */".to_string(),
            (Action::Assign(..), _) => format!("{text};"),
            (Action::Skip, _) => "/* skip */".to_string(),
            (Action::Send(_), _) => "/* a rendezvous */".to_string(),
            _ => format!("/* {text} */"),
        }
    }
}

fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}
