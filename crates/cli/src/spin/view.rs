//! What SPIN shows of a model without running it: its variables (`-d`), who uses which channel
//! (`-C`), what decides nothing (`-A`), its tables (`-I`, and `-d` of a verifier).

use std::fmt::Write;

use exeunt_promela::{How, PromelaModel, Symbol, Use, Variable, print, reached};

use super::declared;
use super::line::View;

pub(super) fn text(model: &PromelaModel, view: View) -> String {
    match view {
        View::Symbols => model.symbols().iter().map(symbol).collect(),
        View::Channels => channels(model),
        View::Redundant => redundant(model),
        View::Tables => print(model),
        View::Graph => graph(model),
    }
}

/// The tables for graphviz, one graph for each process type.
fn graph(model: &PromelaModel) -> String {
    let program = model.program();
    let mut out = String::new();
    for proc in &program.procs {
        let _ = writeln!(out, "digraph \"{}\" {{\n  start -> s{};", proc.name, proc.start);
        for state in reached(proc) {
            for transition in &proc.states[usize::from(state)].transitions {
                let site = &program.sites[transition.site.0 as usize];
                let text = site.text.replace('\\', "\\\\").replace('"', "\\\"");
                let label = format!("{}: {text}", site.location.line);
                let _ = writeln!(out, "  s{state} -> s{} [label=\"{label}\"];", transition.target);
            }
        }
        out.push_str("}\n");
    }
    out
}

/// Type, name, where it is declared, and as what.
fn symbol(symbol: &Symbol) -> String {
    let Symbol { variable, kind, length, parameter } = symbol;
    let place = variable.process.as_deref().unwrap_or(":global:");
    let (name, what) = match (length, parameter) {
        (Some(length), _) => (format!("{}[{length}]", variable.name), "array".to_string()),
        (None, Some(number)) => (variable.name.to_string(), format!("parameter {number}")),
        (None, None) => (variable.name.to_string(), "variable".to_string()),
    };
    format!("{kind:<8}\t{name}\t<{place}>\t<{what}>\n")
}

/// For each variable that holds a channel, what is done with it and by whom.
fn channels(model: &PromelaModel) -> String {
    let uses = model.uses();
    let mut out = String::new();
    for symbol in model.symbols().iter().filter(|symbol| symbol.kind == "chan") {
        let variable = &symbol.variable;
        let _ = match &variable.process {
            Some(process) => writeln!(out, "chan {} of {}", variable.name, declared(process)),
            None => writeln!(out, "chan {}", variable.name),
        };
        let done = |wanted: &dyn Fn(&How) -> bool| by(&uses, variable, wanted);
        for (what, who) in [
            ("sent to by", done(&|how| *how == How::Sends)),
            ("received from by", done(&|how| *how == How::Receives)),
            ("polled by", done(&|how| *how == How::Polls)),
            ("copied or compared by", done(&|how| *how == How::Reads)),
            ("set by", done(&|how| *how == How::Writes)),
        ] {
            if !who.is_empty() {
                let _ = writeln!(out, "\t{what}: {}", who.join(" "));
            }
        }
        for (who, to, number) in passed(&uses, variable) {
            let _ = writeln!(out, "\texported as run parameter by: {who} to {to} par {number}");
        }
    }
    out
}

/// The process types that do something with a variable, each once.
fn by<'u>(uses: &'u [Use], variable: &Variable, wanted: &dyn Fn(&How) -> bool) -> Vec<&'u str> {
    let mut who: Vec<&str> = Vec::new();
    for one in uses {
        let does = one.uses.iter().any(|(how, other)| other == variable && wanted(how));
        if does && !who.contains(&&*one.process) {
            who.push(&one.process);
        }
    }
    who
}

fn passed<'u>(uses: &'u [Use], variable: &Variable) -> Vec<(&'u str, &'u str, usize)> {
    let mut all = Vec::new();
    for one in uses {
        for (how, other) in &one.uses {
            if let How::Passes(to, number) = how
                && other == variable
                && !all.contains(&(&*one.process, &**to, *number))
            {
                all.push((&*one.process, &**to, *number));
            }
        }
    }
    all
}

/// Assignments and variables whose values decide nothing.
fn redundant(model: &PromelaModel) -> String {
    let (variables, statements) = model.redundant();
    let sites = &model.program().sites;
    let mut out = String::new();
    let mut process = None;
    for statement in &statements {
        if process != Some(&statement.process) {
            let of = declared(&statement.process);
            let _ = writeln!(out, "redundant in {of} (for given property):");
            process = Some(&statement.process);
        }
        let site = &sites[statement.site.0 as usize];
        let _ =
            writeln!(out, "      {}:{}\t[{}]", site.location.file, site.location.line, site.text);
    }
    if !variables.is_empty() {
        out.push_str("redundant vars (for given property):\n");
        variables.iter().for_each(|one| out.push_str(&format!("\t{}", symbol(one))));
    }
    if out.is_empty() {
        out.push_str("no redundancies found (for given property)\n");
    }
    out
}
