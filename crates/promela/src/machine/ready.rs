//! Which steps of a process are enabled.

use crate::code::{Action, DNode, DStep, StateInfo, Transition};

use super::channel::ChannelId;
use super::trouble::Trouble;
use super::{Frame, Machine};

/// One enabled step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Which of the transitions of the process's state.
    pub transition: u16,
    /// The process that completes a rendezvous, and its transition.
    pub partner: Option<(u32, u16)>,
    /// Not zero if evaluating the guard already went wrong: which of the
    /// machine's `troubles`, counted from one.
    pub broken: u32,
}

/// Whether a step is enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ready {
    No,
    Yes,
    /// Needs a partner at this channel.
    Offers(ChannelId),
    Broken,
}

impl<'a> Machine<'a> {
    pub(super) fn transitions(&self, pid: u32) -> &'a [Transition] {
        &self.standing_in(pid).transitions
    }

    /// The state that a process is in.
    pub(super) fn standing_in(&self, pid: u32) -> &'a StateInfo {
        let proc = self.memory.process(pid).proc;
        let state = self.memory.state_of(pid);
        &self.program.procs[proc.0 as usize].states[state as usize]
    }

    /// Appends the enabled steps of a process to `entries`.
    pub(super) fn collect(&mut self, pid: u32) {
        let frame = self.frame(pid);
        if !self.may_run(pid, frame) {
            self.take_trouble();
            return;
        }
        let list = self.transitions(pid);
        let mut escape = 0;
        let mut moved = false;
        for (index, transition) in list.iter().enumerate() {
            if escape > 0 && escape != transition.escape {
                break;
            }
            let before = self.entries.len();
            let entry = Entry { transition: index as u16, partner: None, broken: 0 };
            match self.ready(&transition.action, pid, frame, moved) {
                Ready::No => continue,
                Ready::Yes => self.entries.push(entry),
                Ready::Broken => self.push_broken(entry),
                Ready::Offers(channel) => {
                    self.collect_partners(pid, channel, transition, index as u16);
                    if self.entries.len() == before {
                        escape = 0;
                        continue;
                    }
                }
            }
            moved = true;
            escape = transition.escape;
        }
    }

    /// Drops what was collected outside of a chain.
    pub(super) fn forget_entries(&mut self) {
        self.entries.clear();
        self.troubles.clear();
    }

    #[cold]
    fn push_broken(&mut self, entry: Entry) {
        let trouble = self.take_trouble().expect("something went wrong");
        self.troubles.push(trouble);
        self.entries.push(Entry { broken: self.troubles.len() as u32, ..entry });
    }

    /// Whether the provided clause and the priorities let a process run.
    fn may_run(&self, pid: u32, frame: Frame) -> bool {
        if !self.program.restricts {
            return true;
        }
        let proc = self.memory.process(pid).proc;
        if let Some(provided) = &self.program.procs[proc.0 as usize].provided
            && self.eval(provided, frame) == 0
        {
            return false;
        }
        if !self.program.uses_priority {
            return true;
        }
        let own = self.memory.priority(pid);
        !(0..self.memory.process_count())
            .any(|other| other != pid && self.memory.priority(other) > own && self.can_move(other))
    }

    /// Whether a process has an enabled step, priorities aside.
    pub(super) fn can_move(&self, pid: u32) -> bool {
        let frame = self.frame(pid);
        let proc = self.memory.process(pid).proc;
        if let Some(provided) = &self.program.procs[proc.0 as usize].provided
            && self.eval(provided, frame) == 0
        {
            return false;
        }
        self.transitions(pid).iter().any(|transition| {
            match self.ready(&transition.action, pid, frame, false) {
                Ready::No => false,
                Ready::Yes | Ready::Broken => true,
                Ready::Offers(channel) => self.has_partner(pid, channel, transition, frame),
            }
        })
    }

    fn ready(&self, action: &Action, pid: u32, frame: Frame, moved: bool) -> Ready {
        let ready = match action {
            Action::Skip
            | Action::Assign(..)
            | Action::Assert(_)
            | Action::Print { .. }
            | Action::PrintMtype(_)
            | Action::SetPriority(_)
            | Action::Code(_)
            | Action::GuardRun(_) => return Ready::Yes,
            Action::Else => return if moved { Ready::No } else { Ready::Yes },
            Action::End => {
                let youngest = pid + 1 == self.memory.process_count();
                return if youngest { Ready::Yes } else { Ready::No };
            }
            Action::Guard(expr) => self.eval(expr, frame) != 0,
            Action::Send(send) => {
                let Some(channel) = self.channel_of(&send.chan, frame) else {
                    return self.broken_or(false);
                };
                if self.is_rendezvous(channel) {
                    return Ready::Offers(channel);
                }
                self.has_room(channel)
            }
            Action::Receive(receive) => match self.channel_of(&receive.chan, frame) {
                Some(channel) if self.is_rendezvous(channel) => {
                    if receive.peek {
                        self.complain(Trouble::PollRendezvous);
                    }
                    false
                }
                Some(channel) => self.find_message(channel, receive, frame).is_some(),
                None => false,
            },
            Action::DStep(program) => self.d_step_ready(program, program.start, pid, frame, moved),
        };
        self.broken_or(ready)
    }

    fn broken_or(&self, ready: bool) -> Ready {
        if self.trouble.borrow().is_some() {
            return Ready::Broken;
        }
        if ready { Ready::Yes } else { Ready::No }
    }

    /// A `d_step` can begin if its first statement or one of its options can.
    fn d_step_ready(
        &self,
        program: &DStep,
        node: u32,
        pid: u32,
        frame: Frame,
        moved: bool,
    ) -> bool {
        match &program.nodes[node as usize] {
            DNode::Exit => true,
            DNode::Act { action, .. } => match self.ready(action, pid, frame, moved) {
                Ready::Yes => true,
                Ready::No | Ready::Broken => false,
                Ready::Offers(_) => {
                    self.complain(Trouble::RendezvousInDStep);
                    false
                }
            },
            DNode::Choose { options, .. } => {
                options.iter().any(|option| self.d_step_ready(program, *option, pid, frame, false))
            }
        }
    }

    /// The message of a rendezvous send, on its way.
    fn offer(&self, transition: &Transition, frame: Frame) -> Option<Vec<i32>> {
        let Action::Send(send) = &transition.action else { return None };
        let channel = self.channel_of(&send.chan, frame)?;
        let shape = self.shape(channel);
        if send.args.len() != shape.fields.len() {
            let wanted = shape.fields.len();
            self.complain(Trouble::Fields { wanted, given: send.args.len() });
            return None;
        }
        let values = send.args.iter().zip(&shape.fields);
        Some(values.map(|(arg, field)| field.width.truncate(self.eval(arg, frame))).collect())
    }

    /// Appends an entry for every step that can receive what is offered.
    fn collect_partners(
        &mut self,
        pid: u32,
        channel: ChannelId,
        transition: &Transition,
        index: u16,
    ) {
        let frame = self.frame(pid);
        let message = self.offer(transition, frame);
        if self.trouble.borrow().is_some() {
            self.push_broken(Entry { transition: index, partner: None, broken: 0 });
            return;
        }
        let Some(message) = message else { return };
        let mark = self.memory.mark();
        self.memory.set_state(pid, transition.target);
        self.handshake.channel = channel.0 + 1;
        self.handshake.message = message;
        for other in (0..self.memory.process_count()).filter(|other| *other != pid) {
            self.collect_receives(other, index, channel);
        }
        self.handshake.channel = 0;
        self.memory.undo(mark);
    }

    fn collect_receives(&mut self, pid: u32, index: u16, channel: ChannelId) {
        let frame = self.frame(pid);
        if !self.may_run(pid, frame) {
            return;
        }
        let mut escape = 0;
        for (number, transition) in self.transitions(pid).iter().enumerate() {
            if escape > 0 && escape != transition.escape {
                break;
            }
            if !self.receives(&transition.action, channel, frame) {
                if self.trouble.borrow().is_some() {
                    let partner = Some((pid, number as u16));
                    self.push_broken(Entry { transition: index, partner, broken: 0 });
                    return;
                }
                continue;
            }
            let partner = Some((pid, number as u16));
            self.entries.push(Entry { transition: index, partner, broken: 0 });
            escape = transition.escape;
        }
    }

    /// Whether an action takes the message that passes through `channel`.
    fn receives(&self, action: &Action, channel: ChannelId, frame: Frame) -> bool {
        match action {
            Action::Receive(receive) => {
                let number = self.eval(&receive.chan, frame);
                number as u32 == channel.0 + 1
                    && !receive.peek
                    && self.find_message(channel, receive, frame).is_some()
            }
            Action::DStep(program) => self.d_step_receives(program, program.start, channel, frame),
            _ => false,
        }
    }

    fn d_step_receives(
        &self,
        program: &DStep,
        node: u32,
        channel: ChannelId,
        frame: Frame,
    ) -> bool {
        match &program.nodes[node as usize] {
            DNode::Exit => false,
            DNode::Act { action, .. } => self.receives(action, channel, frame),
            DNode::Choose { options, .. } => {
                options.iter().any(|option| self.d_step_receives(program, *option, channel, frame))
            }
        }
    }

    /// Whether anyone would take part in a rendezvous, without looking at who
    /// else could.
    fn has_partner(
        &self,
        pid: u32,
        channel: ChannelId,
        transition: &Transition,
        frame: Frame,
    ) -> bool {
        let Some(message) = self.offer(transition, frame) else { return false };
        (0..self.memory.process_count()).filter(|other| *other != pid).any(|other| {
            let frame = self.frame(other);
            self.transitions(other).iter().any(|transition| match &transition.action {
                Action::Receive(receive) => {
                    self.eval(&receive.chan, frame) as u32 == channel.0 + 1
                        && self.fits(receive, &message, frame)
                }
                _ => false,
            })
        })
    }

    fn fits(&self, receive: &crate::code::Receive, message: &[i32], frame: Frame) -> bool {
        receive.args.len() == message.len()
            && receive.args.iter().zip(message).all(|(arg, value)| match arg {
                crate::code::Slot::Store(_) => true,
                crate::code::Slot::Match(expr) => self.eval(expr, frame) == *value,
            })
    }
}
