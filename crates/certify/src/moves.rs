//! Whether a move may be made, and making it.

use exeunt_promela::code::{Action, Transition};

use crate::check::Wrong;
use crate::world::World;
use crate::{Move, Statement};

impl<'p> World<'p> {
    /// Makes a move, or says why it cannot be made.
    pub fn play(&mut self, chosen: &Move) -> Result<(), Wrong> {
        let pid = chosen.by.process;
        let own = self.named(&chosen.by)?;
        let partner = match &chosen.partner {
            Some(partner) => {
                self.named(partner)?;
                Some((partner.process, partner.choice))
            }
            None => None,
        };
        self.timeout = false;
        self.others_wait(chosen)?;
        self.timeout = chosen.timeout;
        let made = self.may(pid, usize::from(chosen.by.choice), partner).and_then(|may| {
            let no = || Wrong::step(format!("`{}` is not possible", chosen.by.text));
            if may { self.make(pid, own, partner) } else { Err(no()) }
        });
        self.timeout = false;
        self.passing = None;
        made
    }

    /// The statement that is meant, if the process stands at it.
    fn named(&self, statement: &Statement) -> Result<&'p Transition, Wrong> {
        let pid = statement.process;
        let Some(actor) = self.actors.get(pid as usize) else {
            return Err(Wrong::step(format!("there is no process {pid}")));
        };
        let proc = &self.program.procs[actor.proc.0 as usize];
        if *proc.name != *statement.proctype || actor.state != statement.state {
            return Err(Wrong::step(format!("process {pid} does not stand there")));
        }
        let list = &proc.states[usize::from(statement.state)].transitions;
        let own = list.get(usize::from(statement.choice));
        let own = own.ok_or_else(|| Wrong::step("there is no such statement"))?;
        let text = &self.program.sites[own.site.0 as usize].text;
        if **text != *statement.text {
            let said = &statement.text;
            return Err(Wrong::step(format!("the statement is `{text}`, not `{said}`")));
        }
        Ok(own)
    }

    /// An atomic sequence goes first if it can, then come higher priorities; a timeout comes last.
    fn others_wait(&mut self, chosen: &Move) -> Result<(), Wrong> {
        if let Some(holder) = self.atomic
            && holder != chosen.by.process
            && self.is_ahead(holder)?
            && self.could_move(holder)?
        {
            return Err(Wrong::step("another process is in an atomic sequence"));
        }
        if chosen.timeout {
            for pid in 0..self.actors.len() as u32 {
                if self.could_move(pid)? {
                    return Err(Wrong::step("a timeout although something can move"));
                }
            }
        }
        Ok(())
    }

    /// Whether no process of a higher priority can move.
    fn is_ahead(&mut self, pid: u32) -> Result<bool, Wrong> {
        if !self.program.uses_priority {
            return Ok(true);
        }
        let own = self.actors[pid as usize].priority;
        for other in 0..self.actors.len() as u32 {
            if self.actors[other as usize].priority > own && self.could_move(other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn list(&self, pid: u32) -> &'p [Transition] {
        let actor = &self.actors[pid as usize];
        let program = self.program;
        &program.procs[actor.proc.0 as usize].states[actor.state as usize].transitions
    }

    fn is_let(&mut self, pid: u32) -> Result<bool, Wrong> {
        let proc = self.actors[pid as usize].proc;
        let program = self.program;
        match &program.procs[proc.0 as usize].provided {
            Some(provided) => self.holds(provided, pid),
            None => Ok(true),
        }
    }

    /// Whether any statement of a process is possible.
    pub(crate) fn could_move(&mut self, pid: u32) -> Result<bool, Wrong> {
        if self.depth > self.actors.len() as u32 {
            return Err(Wrong::step("processes ask each other whether they can move"));
        }
        self.depth += 1;
        let answer = self.some_possible(pid);
        self.depth -= 1;
        answer
    }

    fn some_possible(&mut self, pid: u32) -> Result<bool, Wrong> {
        if !self.is_let(pid)? {
            return Ok(false);
        }
        for index in 0..self.list(pid).len() {
            if self.alone(pid, index)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a statement is possible, its neighbours aside: an `else` is
    /// reached only if they are not.
    fn alone(&mut self, pid: u32, index: usize) -> Result<bool, Wrong> {
        let own = &self.list(pid)[index];
        match self.offered(own, pid)? {
            Some(pipe) => self.someone_catches(own, pipe, pid),
            None => self.possible(&own.action, pid),
        }
    }

    /// The rendezvous channel that a statement sends to.
    fn offered(&mut self, own: &Transition, pid: u32) -> Result<Option<usize>, Wrong> {
        let Action::Send(send) = &own.action else { return Ok(None) };
        let pipe = self.pipe(&send.chan, pid)?;
        Ok(self.is_handshake(pipe).then_some(pipe))
    }

    fn may(&mut self, pid: u32, index: usize, partner: Option<(u32, u16)>) -> Result<bool, Wrong> {
        if !self.is_let(pid)? || !self.is_ahead(pid)? {
            return Ok(false);
        }
        let list = self.list(pid);
        let own = &list[index];
        for (before, other) in list[..index].iter().enumerate() {
            let goes_first = other.escape > 0 && other.escape != own.escape;
            let is_else = matches!(own.action, Action::Else);
            if (goes_first || is_else) && self.alone(pid, before)? {
                return Ok(false);
            }
        }
        match (self.offered(own, pid)?, partner) {
            (Some(_), Some(_)) => Ok(true),
            (None, None) => self.possible(&own.action, pid),
            _ => Ok(false),
        }
    }

    fn someone_catches(&mut self, own: &Transition, pipe: usize, pid: u32) -> Result<bool, Wrong> {
        let mut trial = self.clone();
        trial.offer(own, pipe, pid)?;
        let mut found = false;
        for other in (0..trial.actors.len() as u32).filter(|other| *other != pid) {
            for index in 0..trial.list(other).len() {
                found |= trial.takes(other, index, pipe)?;
            }
        }
        self.conditions = trial.conditions;
        Ok(found)
    }

    /// Puts the message of a send on its way, and the sender behind it.
    fn offer(&mut self, own: &Transition, pipe: usize, pid: u32) -> Result<(), Wrong> {
        let Action::Send(send) = &own.action else {
            return Err(Wrong::step("only a send has a partner"));
        };
        let message = self.letter(send, pipe, pid)?;
        self.passing = Some((pipe, message));
        self.actors[pid as usize].state = own.target;
        Ok(())
    }

    /// Whether a process can take the passing message with this statement.
    fn takes(&mut self, pid: u32, index: usize, pipe: usize) -> Result<bool, Wrong> {
        if !self.is_let(pid)? {
            return Ok(false);
        }
        let list = self.list(pid);
        let Some(own) = list.get(index) else { return Ok(false) };
        for other in &list[..index] {
            let goes_first = other.escape > 0 && other.escape != own.escape;
            if goes_first && self.catches(&other.action, pipe, pid)? {
                return Ok(false);
            }
        }
        self.catches(&own.action, pipe, pid)
    }

    fn make(
        &mut self,
        pid: u32,
        own: &Transition,
        partner: Option<(u32, u16)>,
    ) -> Result<(), Wrong> {
        let Some((other, index)) = partner else {
            self.act(&own.action, pid)?;
            self.note_last(pid)?;
            self.atomic = None;
            if !matches!(own.action, Action::End) {
                self.actors[pid as usize].state = own.target;
                self.atomic = own.atomic.then_some(pid);
            }
            return Ok(());
        };
        if other == pid || other as usize >= self.actors.len() {
            return Err(Wrong::step("there is no such partner"));
        }
        let pipe = self.offered(own, pid)?.ok_or_else(|| Wrong::step("no partner is needed"))?;
        self.offer(own, pipe, pid)?;
        if !self.takes(other, usize::from(index), pipe)? {
            return Err(Wrong::step("the partner cannot take the message"));
        }
        self.note_last(pid)?;
        let theirs = &self.list(other)[usize::from(index)];
        self.act(&theirs.action, other)?;
        self.actors[other as usize].state = theirs.target;
        self.note_last(other)?;
        self.atomic = theirs.atomic.then_some(other);
        Ok(())
    }

    fn note_last(&mut self, pid: u32) -> Result<(), Wrong> {
        if let Some(cell) = self.program.last {
            let bit = cell.word * 64 + u32::from(cell.shift);
            *self.cell(cell.space, bit, 0)? = exeunt_smt::Term::number(i128::from(pid));
        }
        Ok(())
    }
}
