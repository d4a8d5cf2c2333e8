//! Sections that open and close, and what a story tells of a step.

use std::sync::Arc;

use exeunt_ir::LocId;
use exeunt_ir::address::ObjId;
use exeunt_model::{
    ActorId, BlockId, Detail, Event, Fault, Location, OpenSection, SectionKind, Stream,
};

use crate::builtin::Builtin;
use crate::machine::{Machine, slot_of};
use crate::thread::Section;

/// After so many events of one step only sections and output are told.
const MANY_EVENTS: usize = 4096;

impl Machine<'_> {
    pub fn open(&mut self, kind: SectionKind, resource: u64) {
        debug_assert!(self.says(|row| row.opens.contains(&kind)), "it opens {kind:?}");
        let site = if kind == SectionKind::User { self.loc().0 } else { 0 };
        let section = Section { kind, resource, site };
        self.thread.head.sections.push(section);
        self.note_lock(kind, resource);
        self.note_opened(section);
    }

    /// Closes the innermost such section; `false` if there is none.
    pub fn close(&mut self, kind: SectionKind, resource: u64) -> bool {
        let wanted = Section::new(kind, resource);
        let Some(at) = self.thread.head.sections.iter().rposition(|&s| s == wanted) else {
            return false;
        };
        debug_assert!(self.says(|row| row.closes.contains(&kind)), "it closes {kind:?}");
        self.thread.head.sections.remove(at);
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
        self.tale.opened += 1;
        if let Some(frame) = self.thread.frames.last() {
            self.tale.sites.insert((frame.func, frame.pc));
        }
    }

    pub fn note_opened(&mut self, section: Section) {
        self.count_opened();
        self.tale.reopens |= self.tale.closed.contains(&section);
        if self.tale.tells_sections() {
            let name = self.name_section(section);
            let called = section.kind == SectionKind::Function;
            let location = if called { self.caller_location() } else { self.location() };
            let section = self.open_section(section);
            self.tell_callers();
            self.tale.events.push(Event::Opened { section, name: Arc::from(name), location });
        }
    }

    /// A section opens that the state shows anyway: only a story tells of it.
    pub fn tell_opened(&mut self, section: Section) {
        if self.tale.tells_sections() {
            self.note_opened(section);
        }
    }

    /// A wait of the thread goes on as a section that it holds.
    pub fn note_kept_open(&mut self, section: Section) {
        self.tale.reopens |= self.tale.has_closed(section);
        self.tell_opened(section);
    }

    pub fn note_closed(&mut self, section: Section) {
        self.tale.closed.push(section);
        if self.tale.tells_sections() {
            let location = self.location();
            let section = self.open_section(section);
            self.tale.events.push(Event::Closed { section, location });
        }
    }

    /// After a step: whether it ended a wait and is in a wait of the same
    /// name again.
    pub fn note_reopened(&mut self) {
        if !self.thread.head.is_alive() {
            return;
        }
        if let Some(section) = self.pending_wait() {
            self.tale.reopens |= self.tale.has_closed(section);
            self.count_opened();
        }
    }

    pub fn open_section(&self, section: Section) -> OpenSection {
        OpenSection { actor: self.actor(), slot: slot_of(section), kind: section.kind }
    }

    /// Tells what the thread does, if anybody listens. A step that does very
    /// much is not told to the end.
    pub fn tell(&mut self, text: impl FnOnce(&mut Self) -> String) {
        if self.tale.story && self.tale.events.len() < MANY_EVENTS {
            let text = text(self);
            let location = self.location();
            self.tell_callers();
            self.tale.events.push(Event::Did { location, text: Arc::from(text) });
        }
    }

    /// Tells what the thread does with memory. What the C++ library does with its own
    /// is not the user's concern.
    pub fn tell_of_memory(&mut self, text: impl FnOnce(&mut Self) -> String) {
        if !self.tale.story || self.is_in_library() {
            return;
        }
        match self.container_call() {
            Some(operation) => self.tell_once(operation),
            None => self.tell(text),
        }
    }

    /// Tells of an access to shared memory. Of what a container does with its own memory, only the operation is
    /// told, and what it writes into elements.
    pub fn tell_access_to(&mut self, place: &str, write: bool, text: String) {
        let Some(operation) = self.container_call() else { return self.tell(|_| text) };
        let element = place.contains('[') || place.starts_with('*');
        let known = !place.contains(' ') && !text.contains(" memory");
        self.tell_once(match write && element && known {
            true => format!("{operation}: {text}"),
            false => operation,
        });
    }

    /// Tells something that a step may do many times, once.
    fn tell_once(&mut self, text: String) {
        let last = exeunt_model::deeds(&self.tale.events).next_back();
        let told = last.is_some_and(|(_, told)| {
            told == text || told.strip_prefix(&*text).is_some_and(|rest| rest.starts_with(": "))
        });
        if !told {
            self.tell(|_| text);
        }
    }

    /// Whether the function that runs comes from the source of the C++ library.
    pub fn is_in_library(&self) -> bool {
        self.thread.frames.last().is_some_and(|frame| self.vm.code(frame.func).function.library)
    }

    /// Tells which calls the place of a fault is in, as the last thing of a step.
    pub fn tell_fault(&mut self, fault: &Fault) {
        if !self.tale.story {
            return;
        }
        let here = fault.location.as_ref() == Some(&self.location());
        let callers = if here { self.callers().into() } else { Arc::from([]) };
        self.tale.events.push(Event::Within { callers });
    }

    /// Tells which calls the thread is in, where that was not told yet.
    fn tell_callers(&mut self) {
        let callers: Arc<[Location]> = self.callers().into();
        let told = self.tale.events.iter().rev().find_map(|event| match event {
            Event::Within { callers } => Some(&**callers),
            _ => None,
        });
        if told.unwrap_or_default() != &*callers {
            self.tale.events.push(Event::Within { callers });
        }
    }

    /// After a step that nothing was told of: from where to where it went, or what went wrong.
    pub fn tell_quiet(&mut self, from: Location, failed: Option<&Fault>) {
        if self.tale.events.iter().any(|event| matches!(event, Event::Did { .. })) {
            return;
        }
        if let Some(Fault { location: Some(location), message, .. }) = failed {
            let (location, text) = (location.clone(), Arc::from(&**message));
            self.tale.events.insert(0, Event::Did { location, text });
            return;
        }
        let to = self.location();
        let text = match to.line {
            _ if !self.thread.head.is_alive() => "computes to its end".to_string(),
            line if line == 0 || (line == from.line && to.file == from.file) => {
                "computes".to_string()
            }
            line => format!("computes up to line {line}"),
        };
        self.tale.events.insert(0, Event::Did { location: from, text: Arc::from(text) });
    }

    /// Tells that shared memory was read or written.
    pub fn tell_accessed(&mut self, at: u64, place: &str, write: bool) {
        if self.tale.story && self.tale.events.len() < MANY_EVENTS {
            self.tale.events.push(Event::Accessed { at, place: Arc::from(place), write });
        }
    }

    /// Tells who was woken from a wait, perhaps nobody.
    pub fn tell_signal(&mut self, wait: Section, woken: &[u32]) {
        if self.tale.story {
            let woken = woken.iter().map(|&thread| ActorId(thread)).collect();
            self.tale.events.push(Event::Signalled { slot: slot_of(wait), woken: Some(woken) });
        }
    }

    /// Tells that a block of the heap is given back.
    pub fn tell_freed(&mut self, id: ObjId) {
        let Some(block) = BlockId::new(id.0).filter(|_| self.tale.story) else { return };
        let site = self.mem.header(id).map_or(LocId::NONE, |header| LocId(header.site));
        let made = self.vm.program.location(site);
        self.tale.events.push(Event::Freed { block, location: self.location(), made });
    }

    /// Tells that the environment did something that it need not do.
    pub fn tell_whim(&mut self, text: &'static str) {
        if self.tale.story {
            self.tale.events.push(Event::Whim { text });
        }
    }

    /// Tells something that is no deed of the thread.
    pub fn tell_event(&mut self, event: Event) {
        if self.tale.story {
            self.tale.events.push(event);
        }
    }

    pub fn output(&mut self, stream: Stream, bytes: &[u8]) {
        self.note_trace();
        if self.tale.detail() != Detail::Targets && !bytes.is_empty() {
            self.tale.events.push(Event::Output { stream, bytes: bytes.to_vec() });
        }
    }
}
