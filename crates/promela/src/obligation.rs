//! What processes must get to: their end, or from one label to another.
//!
//! Whether a process is inside is read off its place, so nothing is added to
//! states. A range of labels is refused where that cannot be told.

use std::sync::Arc;

use exeunt_model::SectionKind;

use crate::check::Checker;
use crate::code::{Action, Proc, ProcId, StateInfo};

/// Something that processes of a type enter and must leave.
#[derive(Clone, Debug)]
pub(crate) struct Obligation {
    pub proc: ProcId,
    pub kind: SectionKind,
    pub name: Arc<str>,
    /// The states of the process type in which it is open.
    pub inside: Vec<bool>,
}

/// As it is asked for: `P`, or `P:from..to`.
pub(crate) struct Wanted {
    name: Arc<str>,
    proc: ProcId,
    /// Which of the remote labels the first one is; the other one follows.
    labels: Option<usize>,
}

/// Understands what is asked for. Labels are noted as if a process referred to
/// them from outside, before tables are made.
pub(crate) fn wanted(checker: &mut Checker<'_>, texts: &[String]) -> Vec<Wanted> {
    texts.iter().filter_map(|text| one(checker, text)).collect()
}

fn one(checker: &mut Checker<'_>, text: &str) -> Option<Wanted> {
    let (process, range) = match text.split_once(':') {
        Some((process, range)) => (process, Some(range)),
        None => (text, None),
    };
    let Some(&proc) = checker.procs.get(process) else {
        let message = format!("there is no process type `{process}` that must end");
        checker.error(Default::default(), message, &[]);
        return None;
    };
    let mut labels = None;
    if let Some(range) = range {
        let Some((from, to)) = range.split_once("..").filter(|(from, to)| from != to) else {
            let message = format!("`{text}` is no range of labels");
            checker.error(Default::default(), message, &["write PROCTYPE:from..to"]);
            return None;
        };
        labels = Some(checker.remote_labels.len());
        for label in [from, to] {
            checker.remote_labels.push((process.into(), label.into(), Default::default()));
        }
    }
    Some(Wanted { name: text.into(), proc, labels })
}

/// Finds where processes are inside, in the finished tables.
pub(crate) fn resolve(checker: &mut Checker<'_>, wanted: Vec<Wanted>) -> Vec<Obligation> {
    wanted.into_iter().filter_map(|wanted| place(checker, wanted)).collect()
}

fn place(checker: &mut Checker<'_>, wanted: Wanted) -> Option<Obligation> {
    let Wanted { name, proc, labels } = wanted;
    let shape = &checker.program.procs[proc.0 as usize];
    let Some(at) = labels else {
        let name = shape.name.clone();
        let inside = shape.states.iter().map(|state| !is_end(state)).collect();
        return Some(Obligation { proc, kind: SectionKind::Process, name, inside });
    };
    let [from, to] = [at, at + 1].map(|at| checker.program.remote_labels[at]);
    let ever = reached(shape, &[shape.start], u16::MAX);
    if let Some(number) = [from, to].iter().position(|&state| !ever[state as usize]) {
        let label = &checker.remote_labels[at + number].1;
        let message = format!("`{name}`: no process ever stands at `{label}`");
        let help = ["the first statement of an option is no place: put the label behind it"];
        checker.error(Default::default(), message, &help);
        return None;
    }
    let inside = reached(shape, &[from], to);
    let outside = reached(shape, &[shape.start, to], from);
    let both = |state: &usize| inside[*state] && outside[*state];
    if let Some(state) = (0..shape.states.len()).find(both) {
        let site = shape.states[state].site.map(|site| &checker.program.sites[site.0 as usize]);
        let place = site.map_or("a statement".to_string(), |site| {
            format!("`{}` ({})", site.text, site.location)
        });
        let message = format!("`{name}` has no clear bounds: {place} is inside and outside of it");
        let help = ["every way in must pass the first label, and every way out the second one"];
        checker.error(Default::default(), message, &help);
        return None;
    }
    Some(Obligation { proc, kind: SectionKind::User, name, inside })
}

/// The states on ways from some to another one, without it. A process at its
/// end is outside of everything.
fn reached(shape: &Proc, from: &[u16], until: u16) -> Vec<bool> {
    let mut reached = vec![false; shape.states.len()];
    let mut work: Vec<u16> = from.to_vec();
    while let Some(state) = work.pop() {
        let info = &shape.states[state as usize];
        if state == until || is_end(info) || std::mem::replace(&mut reached[state as usize], true) {
            continue;
        }
        work.extend(info.transitions.iter().map(|transition| transition.target));
    }
    reached
}

fn is_end(state: &StateInfo) -> bool {
    matches!(state.transitions.first().map(|first| &first.action), Some(Action::End))
}
