//! What statements need and what they do.

use exeunt_promela::code::{Action, DNode, DStep, Expr, Place, Receive, Send, Slot};
use exeunt_smt::{Formula, Int, Term};

use crate::arithmetic;
use crate::check::Wrong;
use crate::world::World;

/// Steps that a `d_step` may take.
const LONGEST: u32 = 100_000;

impl World<'_> {
    pub(crate) fn pipe(&mut self, chan: &Expr, pid: u32) -> Result<usize, Wrong> {
        let number = self.eval(chan, pid)?;
        let number = self.pin(&number)?;
        match usize::try_from(number) {
            Ok(number) if (1..=self.pipes.len()).contains(&number) => Ok(number - 1),
            _ => Err(Wrong::step(format!("there is no channel {number}"))),
        }
    }

    pub(crate) fn is_handshake(&self, pipe: usize) -> bool {
        self.program.channels[self.pipes[pipe].decl.0 as usize].capacity == 0
    }

    pub(crate) fn length(&self, pipe: usize) -> Term {
        match (&self.passing, &self.pipes[pipe].endless) {
            (Some((passing, _)), _) if *passing == pipe => Term::number(1),
            (_, Some(length)) => length.clone(),
            _ => Term::number(self.pipes[pipe].queue.len() as Int),
        }
    }

    fn message_at(&self, pipe: usize, place: usize) -> Result<Vec<Term>, Wrong> {
        match &self.passing {
            Some((passing, message)) if *passing == pipe => Ok(message.clone()),
            _ => {
                let queue = &self.pipes[pipe].queue;
                queue.get(place).cloned().ok_or_else(|| Wrong::step("a look behind the front"))
            }
        }
    }

    /// The place of the message that a receive takes.
    pub(crate) fn wanted(
        &mut self,
        receive: &Receive,
        pipe: usize,
        pid: u32,
    ) -> Result<Option<usize>, Wrong> {
        let length = self.length(pipe);
        if self.settle(Formula::zero(length))? {
            return Ok(None);
        }
        let passing = self.passing.as_ref().is_some_and(|(passing, _)| *passing == pipe);
        if self.pipes[pipe].bag.is_some() && !passing {
            return self.wanted_from_heap(receive, pipe, pid);
        }
        let mut places = 1;
        if receive.random && !passing {
            if self.pipes[pipe].endless.is_some() {
                let front = self.message_at(pipe, 0)?;
                // What lies behind the front is not known here.
                return match self.matches(receive, &front, pid)? {
                    true => Ok(Some(0)),
                    false => Err(Wrong::step("a random receive from deep in a growing channel")),
                };
            }
            places = self.pipes[pipe].queue.len();
        }
        for place in 0..places {
            let message = self.message_at(pipe, place)?;
            if self.matches(receive, &message, pid)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    pub(crate) fn matches(
        &mut self,
        receive: &Receive,
        message: &[Term],
        pid: u32,
    ) -> Result<bool, Wrong> {
        if receive.args.len() != message.len() {
            return Err(Wrong::step("a message has another number of fields"));
        }
        for (slot, field) in receive.args.iter().zip(message) {
            if let Slot::Match(expr) = slot {
                let value = self.eval(expr, pid)?;
                if !self.settle(Formula::equal(&value, field))? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// What a send puts into its channel.
    pub(crate) fn letter(
        &mut self,
        send: &Send,
        pipe: usize,
        pid: u32,
    ) -> Result<Vec<Term>, Wrong> {
        let fields = &self.program.channels[self.pipes[pipe].decl.0 as usize].fields;
        if fields.len() != send.args.len() {
            return Err(Wrong::step("a message has another number of fields"));
        }
        let mut message = Vec::new();
        for (arg, field) in send.args.iter().zip(fields) {
            let value = self.eval(arg, pid)?;
            message.push(arithmetic::stored(&value, field.width, self.integers));
        }
        Ok(message)
    }

    /// Whether a statement can be executed, but for `else` and the sending
    /// half of a rendezvous.
    pub(crate) fn possible(&mut self, action: &Action, pid: u32) -> Result<bool, Wrong> {
        match action {
            Action::Guard(expr) => self.holds(expr, pid),
            Action::End => Ok(pid as usize + 1 == self.actors.len()),
            Action::Receive(receive) => {
                let pipe = self.pipe(&receive.chan, pid)?;
                Ok(!self.is_handshake(pipe) && self.wanted(receive, pipe, pid)?.is_some())
            }
            Action::DStep(program) => self.d_step_begins(program, program.start, pid),
            Action::Code(_) => Err(Wrong::step("C code is not known here")),
            _ => Ok(true),
        }
    }

    fn d_step_begins(&mut self, program: &DStep, node: u32, pid: u32) -> Result<bool, Wrong> {
        match &program.nodes[node as usize] {
            DNode::Exit => Ok(true),
            DNode::Act { action, .. } => self.possible(action, pid),
            DNode::Choose { options, .. } => {
                for option in options {
                    if self.d_step_begins(program, *option, pid)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    pub(crate) fn act(&mut self, action: &Action, pid: u32) -> Result<(), Wrong> {
        match action {
            Action::Skip | Action::Else | Action::Guard(_) => {}
            Action::GuardRun(expr) | Action::PrintMtype(expr) => {
                self.eval(expr, pid)?;
            }
            Action::Print { args, .. } => {
                for arg in args {
                    self.eval(arg, pid)?;
                }
            }
            Action::Assign(place, value) => {
                let value = self.eval(value, pid)?;
                self.put(place, &value, pid)?;
            }
            Action::Assert(expr) => {
                if !self.holds(expr, pid)? {
                    return Err(Wrong::step("an assertion does not hold"));
                }
            }
            Action::Send(send) => self.send(send, pid)?,
            Action::Receive(receive) => self.receive(receive, pid)?,
            Action::DStep(program) => self.d_step(program, pid)?,
            Action::End => self.end_last(),
            Action::SetPriority(parts) => {
                let other = self.eval(&parts.0, pid)?;
                let priority = self.eval(&parts.1, pid)?;
                let priority = self.pin(&priority)?;
                let priority = u8::try_from(priority).ok().filter(|priority| *priority > 0);
                let priority = priority.ok_or_else(|| Wrong::step("this is no priority"))?;
                if let Some(other) = self.actor(&other)? {
                    self.actors[other as usize].priority = priority;
                }
            }
            Action::Code(_) => return Err(Wrong::step("C code is not known here")),
        }
        Ok(())
    }

    fn put(&mut self, place: &Place, value: &Term, pid: u32) -> Result<(), Wrong> {
        let (space, bit, width) = match place {
            Place::Nowhere => return Ok(()),
            Place::Cell(cell) => (cell.space, cell.word * 64 + u32::from(cell.shift), cell.width),
            Place::Element(element) => (element.space, self.bit_of(element, pid)?, element.width),
        };
        let value = arithmetic::stored(value, width, self.integers);
        *self.cell(space, bit, pid)? = value;
        Ok(())
    }

    fn send(&mut self, send: &Send, pid: u32) -> Result<(), Wrong> {
        let pipe = self.pipe(&send.chan, pid)?;
        if self.is_handshake(pipe) {
            return Err(Wrong::step("a rendezvous send stands alone"));
        }
        let message = self.letter(send, pipe, pid)?;
        self.pipes[pipe].sent.push(message.clone());
        if let Some(length) = &self.pipes[pipe].endless {
            let longer = length.add(1);
            self.pipes[pipe].endless = Some(longer);
            if self.pipes[pipe].bag.is_some() {
                return self.put_on_heap(pipe, &message, send.sorted);
            }
            let sorted = || Wrong::step("a sorted send to a growing channel");
            return if send.sorted { Err(sorted()) } else { Ok(()) };
        }
        let mut place = self.pipes[pipe].queue.len();
        if send.sorted {
            let own = self.pinned(&message)?;
            for (index, other) in self.pipes[pipe].queue.clone().iter().enumerate() {
                if self.pinned(other)? >= own {
                    place = index;
                    break;
                }
            }
        }
        self.pipes[pipe].queue.insert(place, message);
        Ok(())
    }

    pub(crate) fn pinned(&mut self, message: &[Term]) -> Result<Vec<Int>, Wrong> {
        message.iter().map(|field| self.pin(field)).collect()
    }

    fn receive(&mut self, receive: &Receive, pid: u32) -> Result<(), Wrong> {
        let pipe = self.pipe(&receive.chan, pid)?;
        let place = self.wanted(receive, pipe, pid)?;
        let place = place.ok_or_else(|| Wrong::step("there is no such message"))?;
        let message = self.message_at(pipe, place)?;
        let passing = self.passing.as_ref().is_some_and(|(passing, _)| *passing == pipe);
        if !passing && !receive.peek {
            let own = &mut self.pipes[pipe];
            own.queue.remove(place);
            own.taken += 1;
            own.endless = own.endless.as_ref().map(|length| length.add(-1));
        }
        for (slot, field) in receive.args.iter().zip(&message) {
            if let Slot::Store(place) = slot {
                self.put(place, field, pid)?;
            }
        }
        Ok(())
    }

    fn d_step(&mut self, program: &DStep, pid: u32) -> Result<(), Wrong> {
        let mut at = program.start;
        let mut entered = false;
        for _ in 0..LONGEST {
            match &program.nodes[at as usize] {
                DNode::Exit => return Ok(()),
                DNode::Choose { options, .. } => {
                    at = self.first_possible(program, options, pid)?;
                    entered = true;
                }
                DNode::Act { action, next, .. } => {
                    if !entered && !self.possible_inside(action, pid)? {
                        return Err(Wrong::step("a d_step blocks"));
                    }
                    entered = false;
                    self.act(action, pid)?;
                    if matches!(action, Action::Receive(_)) {
                        self.passing = None;
                    }
                    at = *next;
                }
            }
        }
        Err(Wrong::step("a d_step does not end"))
    }

    fn first_possible(&mut self, program: &DStep, options: &[u32], pid: u32) -> Result<u32, Wrong> {
        for option in options {
            let DNode::Act { action, .. } = &program.nodes[*option as usize] else {
                return Ok(*option);
            };
            if self.possible_inside(action, pid)? {
                return Ok(*option);
            }
        }
        Err(Wrong::step("a d_step blocks"))
    }

    /// Inside a `d_step`, also the message that just passes can be taken.
    fn possible_inside(&mut self, action: &Action, pid: u32) -> Result<bool, Wrong> {
        match action {
            Action::Guard(expr) => self.holds(expr, pid),
            Action::Receive(receive) => {
                let pipe = self.pipe(&receive.chan, pid)?;
                let passing = self.passing.as_ref().is_some_and(|(passing, _)| *passing == pipe);
                if self.is_handshake(pipe) && !passing {
                    return Ok(false);
                }
                Ok(self.wanted(receive, pipe, pid)?.is_some())
            }
            _ => Ok(true),
        }
    }

    /// Whether a statement takes the message that passes through `pipe`.
    pub(crate) fn catches(
        &mut self,
        action: &Action,
        pipe: usize,
        pid: u32,
    ) -> Result<bool, Wrong> {
        match action {
            Action::Receive(receive) if !receive.peek => {
                let chan = self.eval(&receive.chan, pid)?;
                let same = self.pin(&chan)? == pipe as Int + 1;
                Ok(same && self.wanted(receive, pipe, pid)?.is_some())
            }
            Action::DStep(program) => self.d_step_catches(program, program.start, pipe, pid),
            _ => Ok(false),
        }
    }

    fn d_step_catches(
        &mut self,
        program: &DStep,
        node: u32,
        pipe: usize,
        pid: u32,
    ) -> Result<bool, Wrong> {
        match &program.nodes[node as usize] {
            DNode::Exit => Ok(false),
            DNode::Act { action, .. } => self.catches(action, pipe, pid),
            DNode::Choose { options, .. } => {
                for option in options {
                    if self.d_step_catches(program, *option, pipe, pid)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }
}
