//! What statements do.

use exeunt_promela::code::{Action, Expr, Receive, Send, Slot};

use crate::config::Traffic;
use crate::domain::Domain;
use crate::stop::Stop;

use super::Machine;

impl<D: Domain> Machine<'_, D> {
    /// The effect of a statement that can be executed.
    pub(super) fn perform(&mut self, action: &Action, pid: u32) -> Result<(), Stop> {
        match action {
            Action::Skip | Action::Else | Action::Guard(_) => Ok(()),
            Action::GuardRun(run) => self.eval(run, pid).map(|_| ()),
            Action::Assign(place, value) => {
                let value = self.eval(value, pid)?;
                self.store_place(place, &value, pid)
            }
            Action::Send(send) => self.send(send, pid),
            Action::Receive(receive) => self.receive(receive, pid),
            Action::Assert(expr) => match self.truth(expr, pid)? {
                true => Ok(()),
                false => Err(Stop::fault("an assertion does not hold")),
            },
            Action::Print { args, .. } => {
                for arg in args {
                    self.eval(arg, pid)?;
                }
                Ok(())
            }
            Action::PrintMtype(value) => self.eval(value, pid).map(|_| ()),
            Action::Code(_) => Err(Stop::unknown("C code is not known here")),
            Action::SetPriority(parts) => self.set_priority(&parts.0, &parts.1, pid),
            Action::DStep(program) => self.d_step(program, pid),
            Action::End => {
                self.end_youngest();
                Ok(())
            }
        }
    }

    /// The run depends on the priority, so it is a number and no term.
    fn set_priority(&mut self, whose: &Expr, value: &Expr, pid: u32) -> Result<(), Stop> {
        let whose = self.eval(whose, pid)?;
        let value = self.eval(value, pid)?;
        let value = self.domain.fix(&value);
        let Some(priority) = u8::try_from(value).ok().filter(|priority| *priority > 0) else {
            return Err(Stop::fault(format!("{value} is no priority")));
        };
        if let Some(other) = self.running(&whose) {
            self.config.processes[other as usize].priority = priority;
        }
        Ok(())
    }

    fn send(&mut self, send: &Send, pid: u32) -> Result<(), Stop> {
        let channel = self.channel(&send.chan, pid)?;
        if self.is_rendezvous(channel) {
            return Err(Stop::fault("a rendezvous send in a d_step"));
        }
        let message = self.offer(send, channel, pid)?;
        if let Some(traffic) = self.traffic_of(channel) {
            traffic.sent.push(message.clone());
        }
        if self.config.channels[channel as usize].bag.is_some() {
            return self.put_into_bag(channel, &message, send.sorted);
        }
        if self.config.channels[channel as usize].open.is_some() {
            self.lengthen(channel, 1);
            let sorted = Stop::unknown("a sorted send to a channel that grows");
            return if send.sorted { Err(sorted) } else { Ok(()) };
        }
        let place = match send.sorted {
            true => self.sorted_place(channel, &message)?,
            false => self.config.channels[channel as usize].messages.len(),
        };
        self.config.channels[channel as usize].messages.insert(place, message.into());
        Ok(())
    }

    fn traffic_of(&mut self, channel: u32) -> Option<&mut Traffic<D::Value>> {
        self.traffic.as_mut()?.get_mut(channel as usize)
    }

    /// Counts messages of a channel of which only the front is known.
    pub(super) fn lengthen(&mut self, channel: u32, by: i64) {
        if let Some(length) = &mut self.config.channels[channel as usize].open {
            *length = self.domain.longer(length, by);
        }
    }

    /// Before the first message that is not smaller, field by field.
    pub(super) fn sorted_place(
        &mut self,
        channel: u32,
        message: &[D::Value],
    ) -> Result<usize, Stop> {
        let Machine { domain, config, .. } = self;
        let wanted: Vec<i64> = message.iter().map(|value| domain.fix(value)).collect();
        let messages = &config.channels[channel as usize].messages;
        let mut fields = Vec::new();
        for (slot, other) in messages.iter().enumerate() {
            fields.clear();
            fields.extend(other.iter().map(|value| domain.fix(value)));
            if fields >= wanted {
                return Ok(slot);
            }
        }
        Ok(messages.len())
    }

    fn receive(&mut self, receive: &Receive, pid: u32) -> Result<(), Stop> {
        let channel = self.channel(&receive.chan, pid)?;
        let Some(slot) = self.find_message(channel, receive, pid)? else {
            return Err(Stop::NotEnabled);
        };
        let message = self.message(channel, slot)?;
        if !self.passes(channel) && !receive.peek {
            self.take(channel, slot);
        }
        for (arg, value) in receive.args.iter().zip(message.iter()) {
            if let Slot::Store(place) = arg {
                self.store_place(place, value, pid)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, channel: u32, slot: usize) {
        self.lengthen(channel, -1);
        let message = self.config.channels[channel as usize].messages.remove(slot);
        if let (Some(traffic), Some(message)) = (self.traffic_of(channel), message) {
            traffic.received.push(message.to_vec());
        }
    }
}
