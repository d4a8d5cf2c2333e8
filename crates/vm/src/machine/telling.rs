//! Choices, sections, and what a story tells of a step.

use std::sync::Arc;

use exeunt_model::{Choice, ChoiceKind, Event, OpenSection, SectionKind, Stream};

use super::{MANY_EVENTS, Machine, slot_of};
use crate::builtin::Builtin;
use crate::stop::Stop;
use crate::thread::Section;

impl<'p> Machine<'p> {
    /// Lets the scheduler or the environment choose among `arity` things.
    ///
    /// Must be called before the operation has changed anything: a step ends
    /// before the second operation that chooses (`Err(Pause)`), or a loop with
    /// choices in it would make a step with exponentially many outcomes. A
    /// superstep ends before a choice that is not part of its first operation.
    pub fn choose(&mut self, kind: ChoiceKind, arity: u32) -> Result<u32, Stop> {
        if arity <= 1 {
            return Ok(0);
        }
        let late = self.superstep.active && self.superstep.operations > 1;
        if (self.chosen_before > 0 || late) && self.head.atomic == 0 {
            return Err(Stop::Pause);
        }
        // What is chosen must not depend on what the others do next: the step
        // ends before it could.
        self.acted = true;
        self.superstep.closed = true;
        let at = self.chosen;
        self.chosen += 1;
        match self.choices.get_mut(at) {
            Some(choice) => {
                choice.kind = kind;
                choice.arity = arity;
                Ok(choice.value)
            }
            None => {
                self.choices.push(Choice { kind, arity, value: 0 });
                Ok(0)
            }
        }
    }

    pub fn open(&mut self, kind: SectionKind, resource: u64) {
        debug_assert!(self.says(|row| row.opens.contains(&kind)), "it opens {kind:?}");
        let site = if kind == SectionKind::User { self.loc().0 } else { 0 };
        let section = Section { kind, resource, site };
        self.head.sections.push(section);
        self.note_lock(kind, resource);
        self.note_opened(section);
    }

    /// Closes the innermost such section; `false` if there is none.
    pub fn close(&mut self, kind: SectionKind, resource: u64) -> bool {
        let wanted = Section::new(kind, resource);
        let Some(at) = self.head.sections.iter().rposition(|&s| s == wanted) else {
            return false;
        };
        debug_assert!(self.says(|row| row.closes.contains(&kind)), "it closes {kind:?}");
        self.head.sections.remove(at);
        self.note_unlock(kind, resource);
        self.note_closed(wanted);
        true
    }

    /// Whether the row of the library function that runs says this; what no
    /// library function does needs no row.
    fn says(&self, what: impl FnOnce(&Builtin) -> bool) -> bool {
        self.running.is_none_or(what)
    }

    pub fn count_opened(&mut self) {
        self.opened += 1;
        if let Some(frame) = self.frames.last() {
            self.sites.insert((frame.func, frame.pc));
        }
    }

    pub fn note_opened(&mut self, section: Section) {
        self.count_opened();
        self.reopens |= self.closed.contains(&section);
        if self.story {
            let name = self.name_section(section);
            let called = section.kind == SectionKind::Function;
            let location = if called { self.caller_location() } else { self.location() };
            let section = self.open_section(section);
            self.events.push(Event::Opened { section, name: Arc::from(name), location });
        }
    }

    pub fn note_closed(&mut self, section: Section) {
        self.closed.push(section);
        if self.story {
            let location = self.location();
            let section = self.open_section(section);
            self.events.push(Event::Closed { section, location });
        }
    }

    pub fn open_section(&self, section: Section) -> OpenSection {
        OpenSection { actor: self.actor(), slot: slot_of(section), kind: section.kind }
    }

    /// Tells what the thread does, if anybody listens. A step that does very
    /// much is not told to the end.
    pub fn tell(&mut self, text: impl FnOnce(&mut Self) -> String) {
        if self.story && self.events.len() < MANY_EVENTS {
            let text = text(self);
            let location = self.location();
            self.events.push(Event::Did { location, text: Arc::from(text) });
        }
    }

    /// Tells that shared memory was read or written.
    pub fn tell_accessed(&mut self, place: &str, write: bool) {
        if self.story && self.events.len() < MANY_EVENTS {
            self.events.push(Event::Accessed { place: Arc::from(place), write });
        }
    }

    /// Tells that the environment did something that it need not do.
    pub fn tell_whim(&mut self, text: &'static str) {
        if self.story {
            self.events.push(Event::Whim { text });
        }
    }

    pub fn output(&mut self, stream: Stream, bytes: &[u8]) {
        if self.story && !bytes.is_empty() {
            self.events.push(Event::Output { stream, bytes: bytes.to_vec() });
        }
    }
}
