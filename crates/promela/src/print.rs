//! The transition tables as text: one line for each transition that can be
//! reached, in the style of `pan -d`.

use std::fmt::Write;

use crate::PromelaModel;
use crate::code::{Action, Proc, Program, StateInfo};

/// All tables of a model. A line reads `state -> target [marks] line: text`;
/// marks are `A` (keeps control), `D` (d_step), `a`, `e`, `p` (labels of the
/// state).
pub fn print(model: &PromelaModel) -> String {
    let mut out = String::new();
    for proc in &model.program.procs {
        writeln!(out, "{}, starts in {}", proc.name, proc.start).expect("writing to a string");
        for state in reached(proc) {
            print_state(&model.program, &proc.states[state as usize], state, &mut out);
        }
    }
    out
}

fn print_state(program: &Program, info: &StateInfo, state: u16, out: &mut String) {
    for transition in &info.transitions {
        let site = &program.sites[transition.site.0 as usize];
        let dstep = matches!(transition.action, Action::DStep(_));
        let marks = [
            (transition.atomic, 'A'),
            (dstep, 'D'),
            (info.accept, 'a'),
            (info.valid_end, 'e'),
            (info.progress, 'p'),
        ];
        let marks: String =
            marks.iter().map(|(set, mark)| if *set { *mark } else { '-' }).collect();
        let escape = match transition.escape {
            0 => String::new(),
            state => format!(" (escape {state})"),
        };
        writeln!(
            out,
            "  {state} -> {} [{marks}] {}: {}{escape}",
            transition.target, site.location.line, site.text
        )
        .expect("writing to a string");
    }
}

/// The control states that can be reached in a table, in order.
pub fn reached(proc: &Proc) -> Vec<u16> {
    let mut seen = vec![false; proc.states.len()];
    let mut todo = vec![proc.start];
    let mut order = Vec::new();
    while let Some(state) = todo.pop() {
        if state == 0 || std::mem::replace(&mut seen[state as usize], true) {
            continue;
        }
        order.push(state);
        let info = &proc.states[state as usize];
        todo.extend(info.transitions.iter().map(|transition| transition.target));
    }
    order.sort_unstable();
    order
}
