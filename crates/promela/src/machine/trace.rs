//! `trace` and `notrace`: an automaton that is told every send and receive on
//! the channels it names. Its state is part of the model's state.

use crate::code::{Action, Expr, Slot, StateInfo, Transition};

use super::trouble::Trouble;
use super::{Frame, Machine};

const OUTSIDE: Frame = Frame { pid: u32::MAX, base: 0 };

impl<'a> Machine<'a> {
    /// A message went over a channel (its number counts from one).
    #[inline]
    pub(super) fn event(&mut self, receive: bool, channel: u32, message: &[i32]) {
        if self.program.trace.is_some() {
            self.trace_event(receive, channel, message);
        }
    }

    fn trace_event(&mut self, receive: bool, channel: u32, message: &[i32]) {
        let program = self.program;
        let trace = program.trace.as_ref().expect("asked before");
        let states = &program.procs[trace.proc.0 as usize].states;
        let all = states.iter().flat_map(|info| &info.transitions);
        if !all.into_iter().any(|step| self.is_about(step, receive, channel)) {
            return;
        }
        let now = self.memory.load(&trace.cell, 0) as u16;
        let mut next = None;
        for step in silent_closure(states, now) {
            if self.is_about(step, receive, channel) && self.allows(step, message) {
                next = Some(step.target);
                break;
            }
        }
        let ended = |state: u16| ends(&states[state as usize]);
        match (next, trace.negated) {
            (Some(next), negated) => {
                self.memory.store(&trace.cell, 0, i32::from(next));
                if negated && silent_states(states, next).into_iter().any(ended) {
                    self.complain(Trouble::NotraceDone);
                }
            }
            (None, false) => self.complain(Trouble::TraceBroken { receive }),
            // Only the first try counts: from the end nothing leads on.
            (None, true) => {
                let last = (0..states.len() as u16).find(|state| ended(*state));
                self.memory.store(&trace.cell, 0, i32::from(last.unwrap_or(now)));
            }
        }
    }

    fn is_about(&self, step: &Transition, receive: bool, channel: u32) -> bool {
        let named = match &step.action {
            Action::Send(send) if !receive => &send.chan,
            Action::Receive(other) if receive => &other.chan,
            _ => return false,
        };
        self.eval(named, OUTSIDE) as u32 == channel
    }

    fn allows(&self, step: &Transition, message: &[i32]) -> bool {
        let same = |expr: &Expr, value: &i32| self.eval(expr, OUTSIDE) == *value;
        match &step.action {
            Action::Send(send) => {
                let anything = |expr: &Expr| matches!(expr, Expr::Anything);
                send.args.iter().zip(message).all(|(arg, value)| anything(arg) || same(arg, value))
            }
            Action::Receive(receive) => {
                receive.args.iter().zip(message).all(|(arg, value)| match arg {
                    Slot::Match(expr) => same(expr, value),
                    Slot::Store(_) => true,
                })
            }
            _ => false,
        }
    }

    /// Whether the trace, if there is one, may stop here.
    pub(super) fn trace_may_stop(&self) -> bool {
        let program = self.program;
        let Some(trace) = &program.trace else { return true };
        let states = &program.procs[trace.proc.0 as usize].states;
        let now = self.memory.load(&trace.cell, 0) as u16;
        silent_states(states, now).into_iter().any(|state| {
            let info = &states[state as usize];
            info.valid_end || ends(info)
        })
    }
}

fn ends(info: &StateInfo) -> bool {
    info.transitions.is_empty()
        || info.transitions.iter().any(|step| matches!(step.action, Action::End))
}

/// The states reached by jumps alone.
fn silent_states(states: &[StateInfo], from: u16) -> Vec<u16> {
    let mut reached = vec![from];
    let mut at = 0;
    while at < reached.len() {
        for step in &states[reached[at] as usize].transitions {
            if matches!(step.action, Action::Skip) && !reached.contains(&step.target) {
                reached.push(step.target);
            }
        }
        at += 1;
    }
    reached
}

fn silent_closure(states: &[StateInfo], from: u16) -> impl Iterator<Item = &Transition> {
    silent_states(states, from).into_iter().flat_map(|state| &states[state as usize].transitions)
}
