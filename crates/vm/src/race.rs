//! Data races: two threads about to access the same bytes, at least one of
//! them writing and at least one of them not atomically.

use exeunt_ir::{Access, Inst};
use exeunt_model::{Fault, Property};

use crate::builtin::Effect;
use crate::machine::Machine;
use crate::thread::Status;

/// A memory access that a thread is about to make.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    pub addr: u64,
    pub len: u64,
    pub write: bool,
    pub atomic: bool,
}

impl Pending {
    fn conflicts(&self, other: &Pending) -> bool {
        let overlap = self.addr < other.addr.wrapping_add(other.len)
            && other.addr < self.addr.wrapping_add(self.len);
        overlap && (self.write || other.write) && !(self.atomic && other.atomic)
    }

    fn verb(&self) -> &'static str {
        match (self.write, self.atomic) {
            (true, true) => "atomically writes",
            (true, false) => "writes",
            (false, true) => "atomically reads",
            (false, false) => "reads",
        }
    }
}

impl Machine<'_> {
    /// A race of the pending access of `thread` with that of a later thread.
    pub fn find_race(&mut self, thread: u32) -> Option<Fault> {
        let mine = self.pending_accesses(thread);
        if mine.is_empty() {
            return None;
        }
        for other in thread + 1..self.system.threads {
            let theirs = self.pending_accesses(other);
            for (a, b) in mine.iter().flat_map(|a| theirs.iter().map(move |b| (a, b))) {
                if a.conflicts(b) {
                    return Some(self.race_fault(thread, a, other, b));
                }
            }
        }
        None
    }

    fn race_fault(&mut self, thread: u32, mine: &Pending, other: u32, theirs: &Pending) -> Fault {
        let place = self.name_place(mine.addr.max(theirs.addr));
        self.load_thread(other);
        let there = self.location();
        self.load_thread(thread);
        let here = self.location();
        let message = format!(
            "data race on {place}: thread {} {} while thread {} {}",
            thread + 1,
            mine.verb(),
            other + 1,
            theirs.verb()
        );
        let mut fault = Fault::new(Property::Race, message)
            .label(there, format!("thread {} {} here at the same time", other + 1, theirs.verb()))
            .help("protect both accesses with one mutex, or make both atomic");
        fault.location = Some(here);
        fault
    }

    fn pending_accesses(&mut self, thread: u32) -> Vec<Pending> {
        if self.peek_status(thread) != Status::Ready {
            return Vec::new();
        }
        self.load_thread(thread);
        let Some(frame) = self.frames.last().copied() else { return Vec::new() };
        let base = frame.base as usize;
        let value = |slot: u32| self.registers[base + slot as usize].value;
        let access = |addr: u32, bits: u8, write: bool, kind: Access| Pending {
            addr: value(addr),
            len: (bits as u64).div_ceil(8),
            write,
            atomic: kind == Access::Atomic,
        };
        let found = match self.function().code[frame.pc as usize] {
            Inst::Load { bits, addr, access: kind, .. } => vec![access(addr, bits, false, kind)],
            Inst::Store { bits, addr, access: kind, .. } => vec![access(addr, bits, true, kind)],
            Inst::Rmw { bits, addr, .. } | Inst::CmpXchg { bits, addr, .. } => {
                vec![access(addr, bits, true, Access::Atomic)]
            }
            Inst::MemCopy { dst, src, len, .. } => {
                let len = value(len);
                vec![
                    Pending { addr: value(dst), len, write: true, atomic: false },
                    Pending { addr: value(src), len, write: false, atomic: false },
                ]
            }
            Inst::MemSet { dst, len, .. } => {
                vec![Pending { addr: value(dst), len: value(len), write: true, atomic: false }]
            }
            Inst::Call { call } => self.accesses_of_call(call),
            _ => Vec::new(),
        };
        found.into_iter().filter(|pending| self.is_shared(pending.addr)).collect()
    }

    /// What a library function would access: it is tried out, and undone.
    fn accesses_of_call(&mut self, call: u32) -> Vec<Pending> {
        let site = &self.function().calls[call as usize];
        if !self.builtin_of(site).is_some_and(|builtin| builtin.effect == Effect::Memory) {
            return Vec::new();
        }
        let thread = self.me;
        self.accesses = Some(Vec::new());
        let _ = self.call(call);
        let found = self.accesses.take().unwrap_or_default();
        self.reload();
        self.load_thread(thread);
        found
    }
}
