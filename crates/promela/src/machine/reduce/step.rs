//! What the next steps of a process touch, and what could enable those that
//! are not enabled.

use crate::code::{Action, Expr, StateInfo, Transition};
use crate::machine::channel::ChannelId;
use crate::machine::{Frame, Machine};
use crate::syntax::Binary;

use super::facts::{Atom, Facts};
use super::foot::{Foot, Look, Sight};

/// One transition of the state a process is in.
pub(super) struct Step<'a> {
    /// What it touches if it is taken, to the end of its atomic sequence.
    pub foot: Foot,
    pub need: Need<'a>,
    pub is_end: bool,
}

/// What a transition waits for if it is not enabled.
pub(super) enum Need<'a> {
    Nothing,
    /// One of these that does not hold must come to hold.
    Conditions(Vec<(&'a Expr, Foot)>),
    /// Another process must take a message out.
    Room {
        out: Atom,
    },
    Message {
        channel: ChannelId,
        random: bool,
        into: Atom,
        out: Atom,
        reads: Vec<Atom>,
    },
    /// Something of this must be written.
    Change(Foot),
    /// All younger processes must be gone.
    Youngest,
}

/// The next steps of a process.
pub(super) struct Steps<'a> {
    pub list: Vec<Step<'a>>,
    /// None of them touches anything shared.
    pub private: bool,
}

impl<'a> Steps<'a> {
    pub fn of(machine: &Machine<'a>, facts: &Facts, pid: u32) -> Self {
        let frame = machine.frame(pid);
        let state = machine.standing_in(pid);
        let list: Vec<Step<'a>> = state
            .transitions
            .iter()
            .map(|transition| Step::of(machine, facts, frame, state, transition))
            .collect();
        let private = list.iter().all(|step| step.foot.is_private());
        Steps { list, private }
    }
}

impl<'a> Step<'a> {
    fn of(
        machine: &Machine<'a>,
        facts: &Facts,
        frame: Frame,
        state: &StateInfo,
        transition: &'a Transition,
    ) -> Self {
        let mut look = look(machine, facts, frame);
        look.transition(state, transition);
        if transition.atomic {
            look_further(&mut look, transition.target);
        }
        if facts.hops && look.foot.meets {
            look_everywhere(&mut look);
        }
        let mut foot = look.foot;
        foot.tidy();
        let need = Need::of(machine, facts, frame, &transition.action);
        Step { foot, need, is_end: matches!(transition.action, Action::End) }
    }
}

fn look<'m, 'a>(machine: &'m Machine<'a>, facts: &'m Facts, frame: Frame) -> Look<'m, 'a> {
    let proc = machine.memory.process(frame.pid).proc;
    let (sight, inner) = (Sight::Now, false);
    Look { machine, facts, proc, frame, sight, inner, foot: Foot::default() }
}

/// The states that the step may pass through because control is kept.
fn look_further(look: &mut Look<'_, '_>, from: u16) {
    look.sight = Sight::Life;
    look.inner = true;
    let states = &look.machine.program.procs[look.proc.0 as usize].states;
    let mut seen = vec![from];
    let mut next = 0;
    while next < seen.len() {
        let state = &states[seen[next] as usize];
        for transition in &state.transitions {
            look.transition(state, transition);
            if transition.atomic && !seen.contains(&transition.target) {
                seen.push(transition.target);
            }
        }
        next += 1;
    }
}

/// A rendezvous may hand control back and forth.
fn look_everywhere(look: &mut Look<'_, '_>) {
    look.sight = Sight::Life;
    look.inner = true;
    let states = &look.machine.program.procs[look.proc.0 as usize].states;
    for state in states {
        state.transitions.iter().for_each(|transition| look.transition(state, transition));
    }
}

impl<'a> Need<'a> {
    fn of(machine: &Machine<'a>, facts: &Facts, frame: Frame, action: &'a Action) -> Self {
        match action {
            Action::Skip
            | Action::Else
            | Action::GuardRun(_)
            | Action::Assign(..)
            | Action::Assert(_)
            | Action::Print { .. }
            | Action::PrintMtype(_)
            | Action::SetPriority(_)
            | Action::Code(_) => Need::Nothing,
            Action::End => Need::Youngest,
            Action::Guard(expr) => {
                let mut parts = Vec::new();
                conjuncts(expr, &mut parts);
                let feet = parts.into_iter().map(|part| {
                    let mut look = look(machine, facts, frame);
                    look.expr(part);
                    (part, look.foot)
                });
                Need::Conditions(feet.collect())
            }
            Action::Send(send) => match buffered(&mut look(machine, facts, frame), &send.chan) {
                Some(channel) => Need::Room { out: facts.ends(channel).1 },
                None => Need::change(machine, facts, frame, action),
            },
            Action::Receive(receive) => {
                let mut look = look(machine, facts, frame);
                let Some(channel) = buffered(&mut look, &receive.chan) else {
                    return Need::change(machine, facts, frame, action);
                };
                let (into, out) = facts.ends(channel);
                look.foot = Foot::default();
                look.action(action);
                let random = receive.random;
                let channel = ChannelId(channel);
                Need::Message { channel, random, into, out, reads: look.foot.reads }
            }
            Action::DStep(_) => Need::change(machine, facts, frame, action),
        }
    }

    fn change(machine: &Machine<'a>, facts: &Facts, frame: Frame, action: &Action) -> Self {
        let mut look = look(machine, facts, frame);
        look.inner = true;
        look.action(action);
        Need::Change(look.foot)
    }
}

/// The channel, if it is certain and buffers.
fn buffered(look: &mut Look<'_, '_>, chan: &Expr) -> Option<u32> {
    let channel = u32::try_from(look.value(chan)? - 1).ok()?;
    // Nobody knows the number of a channel that is gone, if numbers are hidden.
    let lives = !look.facts.is_local(channel) || look.facts.numbers_hidden;
    let buffers = look.facts.rendezvous(look.machine.program, channel) == Some(false);
    (lives && buffers).then_some(channel)
}

fn conjuncts<'a>(expr: &'a Expr, out: &mut Vec<&'a Expr>) {
    match expr {
        Expr::Binary(Binary::And, left, right) => {
            conjuncts(left, out);
            conjuncts(right, out);
        }
        _ => out.push(expr),
    }
}
