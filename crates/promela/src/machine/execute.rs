//! What an enabled step does.

use crate::code::{Action, DNode, DStep, Expr, Place, Receive, Send, SiteId, Slot, Transition};

use super::ready::Entry;
use super::trouble::Trouble;
use super::{Frame, Machine};

/// A step that went well.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    /// The process that may keep control.
    pub pid: u32,
    pub keeps_control: bool,
}

/// A step that did not, and where.
pub(super) struct Failed {
    pub trouble: Trouble,
    pub site: SiteId,
}

/// Steps of a `d_step` after which it is watched for running in circles.
const PATIENCE: u64 = 1 << 16;

impl Machine<'_> {
    /// Executes an entry of a process. After a failed assertion the step is
    /// still complete, so that a search may go on behind it.
    pub(super) fn execute(
        &mut self,
        pid: u32,
        transition: &Transition,
        entry: Entry,
    ) -> Result<Done, Failed> {
        let site = transition.site;
        self.note_step(pid, transition.number, site);
        if entry.broken > 0 {
            let trouble = self.troubles[entry.broken as usize - 1].clone();
            return Err(Failed { trouble, site });
        }
        if let Some((partner, number)) = entry.partner {
            return self.handshake(pid, transition, partner, number);
        }
        let frame = self.frame(pid);
        let mut failed_at = site;
        match &transition.action {
            Action::End => {
                self.tell(site, None);
                self.end_code(pid);
                self.memory.pop_process();
                self.set_last(pid);
                return match self.take_trouble() {
                    Some(trouble) => Err(Failed { trouble, site }),
                    None => Ok(Done { pid, keeps_control: false }),
                };
            }
            Action::DStep(program) => failed_at = self.d_step(pid, program, site),
            action => self.perform(action, frame, site),
        }
        self.arrive(pid, transition);
        self.set_last(pid);
        match self.take_trouble() {
            Some(trouble) => Err(Failed { trouble, site: failed_at }),
            None => Ok(Done { pid, keeps_control: transition.atomic }),
        }
    }

    /// A process comes to the place behind a transition.
    fn arrive(&mut self, pid: u32, transition: &Transition) {
        let before = self.memory.state_of(pid);
        self.memory.set_state(pid, transition.target);
        self.forget(pid);
        if !self.model.must_end.is_empty() {
            self.pass_bounds(pid, before, transition);
        }
    }

    /// Notes which obligations a process enters and leaves.
    fn pass_bounds(&mut self, pid: u32, before: u16, transition: &Transition) {
        let model = self.model;
        let proc = self.memory.process(pid).proc;
        for (number, bounds) in model.must_end.iter().enumerate() {
            if bounds.proc != proc {
                continue;
            }
            let [was, is] = [before, transition.target].map(|state| bounds.inside[state as usize]);
            if was == is {
                continue;
            }
            if was {
                self.closed.push((pid, number));
            }
            self.tell_bounds(pid, number, is, transition.site);
        }
    }

    /// Whether something that was left on the chain is open again behind it.
    pub(super) fn reopens(&self) -> bool {
        self.closed.iter().any(|&(pid, number)| {
            let bounds = &self.model.must_end[number];
            pid < self.memory.process_count()
                && self.memory.process(pid).proc == bounds.proc
                && bounds.inside[self.memory.state_of(pid) as usize]
        })
    }

    #[inline]
    fn set_last(&mut self, pid: u32) {
        if let Some(cell) = &self.program.last {
            self.memory.store(cell, 0, pid as i32);
        }
    }

    /// Both halves of a rendezvous.
    fn handshake(
        &mut self,
        pid: u32,
        transition: &Transition,
        partner: u32,
        number: u16,
    ) -> Result<Done, Failed> {
        let frame = self.frame(pid);
        let Action::Send(send) = &transition.action else {
            unreachable!("only a send has a partner");
        };
        let receive = &self.transitions(partner)[number as usize];
        let channel = self.eval(&send.chan, frame) as u32;
        let decl = self.memory.channel(channel - 1).decl;
        let fields = &self.program.channels[decl.0 as usize].fields;
        let mut message = std::mem::take(&mut self.handshake.message);
        message.clear();
        for (arg, field) in send.args.iter().zip(fields) {
            message.push(field.width.truncate(self.eval(arg, frame)));
        }
        self.check_exclusive(false, channel, pid);
        self.check_exclusive(true, channel, partner);
        self.event(false, channel, &message);
        self.tell(transition.site, Some(&message));
        self.note_message(false, channel, &message);
        self.note_step(partner, receive.number, receive.site);
        self.arrive(pid, transition);
        self.set_last(pid);
        self.handshake.channel = channel;
        self.handshake.message = message;
        let partner_frame = self.frame(partner);
        let mut failed_at = receive.site;
        match &receive.action {
            Action::DStep(program) => failed_at = self.d_step(partner, program, receive.site),
            action => self.perform(action, partner_frame, receive.site),
        }
        self.handshake.channel = 0;
        self.arrive(partner, receive);
        self.set_last(partner);
        match self.take_trouble() {
            Some(trouble) => Err(Failed { trouble, site: failed_at }),
            None => Ok(Done { pid: partner, keeps_control: receive.atomic }),
        }
    }

    /// The effect of a simple action.
    fn perform(&mut self, action: &Action, frame: Frame, site: SiteId) {
        match action {
            Action::Skip | Action::Else | Action::Guard(_) => self.tell(site, None),
            Action::GuardRun(run) => {
                let pid = self.value(run, frame);
                self.tell(site, Some(&[pid]));
            }
            Action::Assign(place, value) => self.assign(place, value, frame, site),
            Action::Send(send) => self.send(send, frame, site),
            Action::Receive(receive) => self.receive(receive, frame, site),
            Action::Assert(expr) => {
                self.tell(site, None);
                if self.eval(expr, frame) == 0 {
                    let text = self.program.sites[site.0 as usize].text.clone();
                    let inner = text.strip_prefix("assert(").and_then(|t| t.strip_suffix(")"));
                    self.complain(Trouble::Assertion(inner.unwrap_or(&text).into()));
                }
            }
            Action::Print { format, args } => self.print(format, args, frame, site),
            Action::PrintMtype(value) => self.print_mtype(value, frame, site),
            Action::Code(code) => self.run_code(code, frame, site),
            Action::SetPriority(parts) => {
                let (pid, value) = (self.eval(&parts.0, frame), self.eval(&parts.1, frame));
                self.tell(site, Some(&[value]));
                self.change_priority(pid, value);
            }
            Action::DStep(_) | Action::End => unreachable!("not a simple action"),
        }
    }

    fn change_priority(&mut self, pid: i32, value: i32) {
        let known = (0..self.memory.process_count() as i32).contains(&pid);
        match value {
            1..=255 if known => self.memory.set_priority(pid as u32, value as u8),
            1..=255 => {}
            value => self.complain(Trouble::Priority(value)),
        }
    }

    /// A value that may start a process.
    fn value(&mut self, expr: &Expr, frame: Frame) -> i32 {
        let Expr::Run(run) = expr else { return self.eval(expr, frame) };
        let args: Vec<i32> = run.args.iter().map(|arg| self.eval(arg, frame)).collect();
        self.start(run.proc, &args, run.priority).map_or(0, |pid| pid as i32)
    }

    fn assign(&mut self, place: &Place, value: &Expr, frame: Frame, site: SiteId) {
        let value = self.value(value, frame);
        self.store_place(place, value, frame);
        self.tell(site, Some(&[value]));
    }

    fn send(&mut self, send: &Send, frame: Frame, site: SiteId) {
        let Some(channel) = self.channel_of(&send.chan, frame) else { return };
        if self.is_rendezvous(channel) {
            self.complain(Trouble::RendezvousInDStep);
            return;
        }
        let wanted = self.shape(channel).fields.len();
        if wanted != send.args.len() {
            self.complain(Trouble::Fields { wanted, given: send.args.len() });
            return;
        }
        self.check_exclusive(false, channel.0 + 1, frame.pid);
        let mut message = std::mem::take(&mut self.scratch);
        message.clear();
        message.extend(send.args.iter().map(|arg| self.eval(arg, frame)));
        // Nobody sees a message that is lost.
        let arrives = self.length(channel) < self.shape(channel).capacity;
        self.put(channel, &message, send.sorted);
        if self.program.trace.is_some() && arrives {
            let fields = &self.shape(channel).fields;
            let sent =
                message.iter().zip(fields).map(|(value, field)| field.width.truncate(*value));
            let sent: Vec<i32> = sent.collect();
            self.event(false, channel.0 + 1, &sent);
        }
        self.tell(site, Some(&message));
        if arrives {
            self.note_message(false, channel.0 + 1, &message);
        }
        self.scratch = message;
    }

    fn receive(&mut self, receive: &Receive, frame: Frame, site: SiteId) {
        let Some(channel) = self.channel_of(&receive.chan, frame) else { return };
        let Some(slot) = self.find_message(channel, receive, frame) else {
            self.complain(Trouble::BlockedInDStep);
            return;
        };
        let mut message = std::mem::take(&mut self.scratch);
        message.clear();
        let fields = receive.args.len();
        message.extend((0..fields).map(|index| self.message_field(channel, slot, index)));
        if !receive.peek {
            self.event(true, channel.0 + 1, &message);
        }
        if !self.is_rendezvous(channel) {
            self.check_exclusive(true, channel.0 + 1, frame.pid);
            if !receive.peek {
                self.take(channel, slot);
            }
        }
        for (arg, value) in receive.args.iter().zip(&message) {
            if let Slot::Store(place) = arg {
                self.store_place(place, *value, frame);
            }
        }
        self.tell(site, Some(&message));
        if !receive.peek {
            self.note_message(true, channel.0 + 1, &message);
        }
        self.scratch = message;
    }

    /// Whether another process has claimed this use of a channel for itself.
    fn check_exclusive(&self, receive: bool, channel: u32, user: u32) {
        if !self.model.has_exclusive {
            return;
        }
        for owner in (0..self.memory.process_count()).filter(|owner| *owner != user) {
            let proc = self.memory.process(owner).proc;
            let frame = self.frame(owner);
            for claim in &self.program.procs[proc.0 as usize].exclusive {
                if claim.receive == receive && self.eval(&claim.chan, frame) as u32 == channel {
                    let channel = claim.name.clone();
                    self.complain(Trouble::Exclusive { receive, channel, owner, user });
                }
            }
        }
    }

    /// Runs a `d_step` to its exit. Returns where it stopped if something
    /// went wrong.
    fn d_step(&mut self, pid: u32, program: &DStep, site: SiteId) -> SiteId {
        let frame = self.frame(pid);
        let mut node = program.start;
        let mut at = site;
        let mut count: u64 = 0;
        let mut watched: Option<(u32, Vec<u64>)> = None;
        // Whether the guard at hand was just found to hold.
        let mut holds = false;
        loop {
            count += 1;
            if count >= PATIENCE && self.runs_in_circles(count, node, &mut watched) {
                self.complain(Trouble::EndlessDStep);
                return at;
            }
            let (action, next) = match &program.nodes[node as usize] {
                DNode::Exit => return at,
                DNode::Choose { options, site } => {
                    at = *site;
                    let open =
                        options.iter().find(|option| self.option_ready(program, **option, frame));
                    match open {
                        Some(option) => {
                            node = *option;
                            holds = true;
                            continue;
                        }
                        None => {
                            self.complain(Trouble::BlockedInDStep);
                            return at;
                        }
                    }
                }
                DNode::Act { action, next, site } => {
                    at = *site;
                    (action, *next)
                }
            };
            if !std::mem::take(&mut holds) && !self.may_perform(action, frame) {
                self.complain(Trouble::BlockedInDStep);
                return at;
            }
            self.perform(action, frame, at);
            if matches!(action, Action::Receive(_)) {
                self.handshake.channel = 0;
            }
            if self.trouble.borrow().is_some() {
                return at;
            }
            node = next;
        }
    }

    /// Compares with a state remembered at a power of two.
    fn runs_in_circles(
        &self,
        count: u64,
        node: u32,
        watched: &mut Option<(u32, Vec<u64>)>,
    ) -> bool {
        if let Some((old, words)) = watched
            && *old == node
            && words == self.memory.all_words()
        {
            return true;
        }
        if count.is_power_of_two() {
            *watched = Some((node, self.memory.all_words().to_vec()));
        }
        false
    }

    /// Whether an option can be taken. One that begins with a selection is
    /// entered in any case.
    fn option_ready(&self, program: &DStep, node: u32, frame: Frame) -> bool {
        match &program.nodes[node as usize] {
            DNode::Act { action, .. } => self.may_perform(action, frame),
            DNode::Choose { .. } | DNode::Exit => true,
        }
    }

    fn may_perform(&self, action: &Action, frame: Frame) -> bool {
        match action {
            Action::Guard(expr) => self.eval(expr, frame) != 0,
            Action::Send(send) => match self.channel_of(&send.chan, frame) {
                // The send itself says what is wrong.
                Some(channel) if self.is_rendezvous(channel) => true,
                Some(channel) => self.has_room(channel),
                None => false,
            },
            Action::Receive(receive) => match self.channel_of(&receive.chan, frame) {
                Some(channel) => self.find_message(channel, receive, frame).is_some(),
                None => false,
            },
            _ => true,
        }
    }
}
