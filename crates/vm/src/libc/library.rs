//! Objects that belong to the library itself: what glibc keeps in static or
//! thread-local variables.
//!
//! They live among the thread-local objects, in the arena of a thread that
//! cannot exist (process-wide ones) or in the highest slots of a thread's own
//! arena, and are made on first use, so that programs which never ask for
//! them do not carry them in their states. Tables that are never written are
//! not marked as shared: reading them is invisible.

use exeunt_ir::address::{ObjId, Space};
use exeunt_mem::{Flags, pointee};

use crate::builtin::Context;
use crate::stop::Stop;

/// No thread has this number (see `Machine::spawn`).
pub const PROCESS: u8 = 255;

/// Slots of process-wide objects.
pub const STRTOK: u16 = 0;
pub const RANDOM: u16 = 1;
pub const RAND48: u16 = 2;
pub const CTYPE_CLASS: u16 = 3;
pub const CTYPE_LOWER: u16 = 4;
pub const CTYPE_UPPER: u16 = 5;
pub const BROKEN_DOWN_TIME: u16 = 6;
pub const TIME_TEXT: u16 = 7;
pub const SIGNALS: u16 = 8;

pub const LOCALE_NAME: u16 = 10;
pub const QUICK_EXIT: u16 = 12;
pub const STANDARD_INPUT: u16 = 13;
pub const ZONE_GMT: u16 = 14;
pub const ZONE_UTC: u16 = 15;
pub const STREAM_LOCKS: u16 = 16;
/// What only `pthread_setconcurrency` sets.
pub const CONCURRENCY: u16 = 17;
/// The variables that the program was given are there.
pub const HAS_ENVIRONMENT: u16 = 19;
/// What is known about files, and what they contain, from here on.
pub const FILES: u16 = 18;
pub const CONTENTS: u16 = 0x500;
/// Stands for what is known at a node, for races. Nothing is there.
pub const KNOWN: u16 = 0x700;
/// Streams that the program has opened, from here on.
pub const STREAMS: u16 = 0x900;
/// Named semaphores, from here on.
pub const SEMAPHORES: u16 = 0x400;
/// Messages of errors and signals, by number.
pub const ERROR_TEXTS: u16 = 0x1000;
pub const SIGNAL_TEXTS: u16 = 0x1100;
/// Environment variables, from here on.
pub const ENVIRONMENT: u16 = 0x2000;

/// Slots of objects that each thread has for itself, from the top; the very
/// last one is `errno`.
pub const UNKNOWN_TEXT: u16 = u16::MAX - 1;
pub const SIGNAL_STATE: u16 = u16::MAX - 2;
pub const THREAD_NAME: u16 = u16::MAX - 3;

impl Context<'_, '_> {
    /// A process-wide variable of the library; `make` gives what it holds at
    /// first. Others can see changes of it.
    pub fn library_variable(&mut self, slot: u16, make: impl FnOnce() -> Vec<u8>) -> u64 {
        self.library_object(PROCESS, slot, Flags::SHARED, |_| make())
    }

    /// A process-wide table that never changes.
    pub fn library_table(&mut self, slot: u16, make: impl FnOnce(u64) -> Vec<u8>) -> u64 {
        self.library_object(PROCESS, slot, Flags::default(), make)
    }

    /// A variable that every thread has for itself.
    pub fn thread_variable(&mut self, slot: u16, make: impl FnOnce() -> Vec<u8>) -> u64 {
        self.library_object(self.me() as u8, slot, Flags::default(), |_| make())
    }

    /// The same of a thread that is just being made.
    pub fn variable_of_thread(&mut self, thread: u32, slot: u16, make: impl FnOnce() -> Vec<u8>) {
        self.library_object(thread as u8, slot, Flags::default(), |_| make());
    }

    fn library_object(
        &mut self,
        arena: u8,
        slot: u16,
        flags: Flags,
        make: impl FnOnce(u64) -> Vec<u8>,
    ) -> u64 {
        let id = ObjId::in_arena(Space::ThreadLocal, arena, slot);
        if self.header(id).is_none() {
            let data = make(id.at(0));
            self.create(id, data.len() as u32, flags);
            self.initialise(id, &data);
        }
        id.at(0)
    }

    /// Whether the running thread has such a variable.
    pub fn has_thread_variable(&mut self, slot: u16) -> bool {
        let id = ObjId::in_arena(Space::ThreadLocal, self.me() as u8, slot);
        self.header(id).is_some()
    }

    /// Reads a word that the library keeps.
    pub fn kept_word(&mut self, addr: u64) -> Result<u64, Stop> {
        Ok(self.read(addr, 8)?.value)
    }

    /// What the library keeps a pointer to in a place that others can see
    /// is shared.
    pub fn keep_word(&mut self, addr: u64, word: u64) -> Result<(), Stop> {
        if let Some(target) = pointee(word) {
            self.share(target);
        }
        self.write(addr, 8, exeunt_mem::Bits::defined(word))
    }
}
