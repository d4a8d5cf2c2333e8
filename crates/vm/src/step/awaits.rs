//! Busy waiting: loops whose rounds leave no trace.
//!
//! A thread that is inside of a loop which can be left (`ir/src/loops.rs`) is in
//! the section `await` of this loop. The section ends when the thread leaves the
//! loop, and also with a step that leaves a trace: one that changes memory
//! of others, writes output, wakes, creates or ends threads, or gets an input. So
//! what stays open for ever is a loop that goes round for ever and does nothing.
//! To take and to give back a lock is no trace: a loop that looks at a variable
//! under a lock waits for the variable.
//!
//! Which loops a thread is in is read off the state; that a step ends such a
//! section is noticed only while a story is told. Engines ask for the story of a
//! step where it matters (`search/src/stuck`).

use exeunt_ir::{Loop, Pc};
use exeunt_model::{ChoiceKind, Event, OpenSection, SectionKind};

use crate::machine::{Machine, slot_of};
use crate::thread::Section;

/// The loops that the running thread was in when its step began. Its fields
/// belong to this room.
#[derive(Default)]
pub struct Awaits {
    inside: Vec<Inside>,
    /// The step has left a trace.
    traced: bool,
    /// What is written now is part of a lock.
    locking: bool,
}

/// A thread inside of a loop.
#[derive(Clone, Copy)]
struct Inside {
    /// The frame of the loop, counted from the bottom.
    depth: u32,
    func: u32,
    head: Pc,
    left: bool,
}

impl Inside {
    /// 12 bits of depth, 20 of function, 24 of instruction; deeper or larger
    /// ones are not told apart, and so not listed.
    fn section(self) -> Option<Section> {
        let fits = self.depth < 1 << 12 && self.func < 1 << 20 && self.head < 1 << 24;
        let resource = (self.depth as u64) << 44 | (self.func as u64) << 24 | self.head as u64;
        fits.then(|| Section::new(SectionKind::Await, resource))
    }

    fn of(resource: u64) -> Inside {
        let depth = (resource >> 44) as u32;
        let func = (resource >> 24) as u32 & 0xf_ffff;
        Inside { depth, func, head: resource as u32 & 0xff_ffff, left: false }
    }
}

impl Machine<'_> {
    /// The sections `await` that the loaded thread is in.
    pub fn awaits(&self) -> Vec<Section> {
        self.inside().into_iter().filter_map(Inside::section).collect()
    }

    fn inside(&self) -> Vec<Inside> {
        let stack = self.call_stack();
        let mut inside = Vec::new();
        for (above, &(func, pc)) in stack.iter().enumerate() {
            let depth = (stack.len() - 1 - above) as u32;
            let here = self.vm.loops[func as usize].iter().filter(|found| found.contains(pc));
            inside.extend(here.map(|found| Inside { depth, func, head: found.head, left: false }));
        }
        inside
    }

    /// The loaded thread begins a step that is told.
    pub fn begin_awaits(&mut self) {
        let inside = if self.thread.head.is_alive() { self.inside() } else { Vec::new() };
        self.awaits = Awaits { inside, traced: false, locking: false };
    }

    /// Whether it is to be noticed what a step leaves behind.
    #[inline]
    pub fn watches_awaits(&self) -> bool {
        self.tale.is_told() && !self.awaits.inside.is_empty()
    }

    /// The frame on top goes on at an instruction.
    pub fn goes_on_at(&mut self, to: Pc) {
        let depth = self.depth() - 1;
        let func = self.top().func;
        let vm = self.vm;
        let outside = |at: &Inside| {
            let loops: &[Loop] = &vm.loops[at.func as usize];
            at.func != func || !loops.iter().any(|l| l.head == at.head && l.contains(to))
        };
        for at in &mut self.awaits.inside {
            at.left |= at.depth > depth || at.depth == depth && outside(at);
        }
    }

    /// The step did something that others can see.
    pub fn note_trace(&mut self) {
        self.awaits.traced = true;
    }

    /// Memory is about to be written, by an operation on a lock if `locking`.
    pub fn note_change(&mut self, addr: u64, data: &[u8], shadow: &[u8]) {
        let of_lock = self.awaits.locking || self.running.is_some_and(|row| row.is_of_lock());
        // Where operations are moved, threads that have ended count until they are joined;
        // but they see nothing any more.
        let unseen = self.system.alive == 1 && !self.vm.watch.active;
        if self.awaits.traced || of_lock || unseen || !self.is_shared(addr) {
            return;
        }
        self.awaits.traced = match self.mem.read_bytes(addr, data.len() as u64) {
            Ok((old, old_shadow)) => {
                let undefined = |at: usize| shadow.get(at).copied().unwrap_or(0);
                let same = |at: usize| {
                    old_shadow.get(at).copied().unwrap_or(0) == undefined(at)
                        && (old[at] ^ data[at]) & !undefined(at) == 0
                };
                !(0..data.len()).all(same)
            }
            Err(_) => true,
        };
    }

    /// Does something that only takes or gives back a lock.
    pub fn locking<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.awaits.locking, true);
        let result = work(self);
        self.awaits.locking = before;
        result
    }

    /// After a step: tells which loops are not the same wait any more.
    pub fn tell_awaits(&mut self) {
        if !self.watches_awaits() {
            return;
        }
        let choices = self.progress.choices().iter();
        let traced =
            self.awaits.traced || choices.into_iter().any(|c| c.kind == ChoiceKind::Environment);
        let now = if self.thread.head.is_alive() { self.inside() } else { Vec::new() };
        for at in std::mem::take(&mut self.awaits.inside) {
            let still = |n: &Inside| (n.depth, n.func, n.head) == (at.depth, at.func, at.head);
            let Some(section) = at.section() else { continue };
            if traced || at.left || !now.iter().any(still) {
                let location = self.location();
                let section = OpenSection {
                    actor: self.actor(),
                    slot: slot_of(section),
                    kind: SectionKind::Await,
                };
                self.tell_event(Event::Closed { section, location });
            }
        }
    }

    /// The line of a loop, for people.
    pub fn name_await(&self, resource: u64) -> String {
        format!("the loop at line {}", self.await_location(resource).line)
    }

    /// Where a loop is in the source.
    pub fn await_location(&self, resource: u64) -> exeunt_model::Location {
        let Inside { func, head, .. } = Inside::of(resource);
        let loc = self.loc_at(func, head);
        self.vm.program.location(loc).unwrap_or_else(|| self.location())
    }
}
