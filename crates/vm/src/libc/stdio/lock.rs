//! The locks of streams: `flockfile`, and what every function of stdio does
//! with its stream while it runs.
//!
//! A lock is recursive and is a section like a mutex. It is kept in a variable
//! of the library, eight bytes for each stream: owner + 1, and how often. A
//! program that never calls `flockfile` or `ftrylockfile` cannot notice them.

use exeunt_ir::address;
use exeunt_mem::Bits;
use exeunt_model::{SectionKind, Stream};

use super::{Answer, Standard, stream};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Flow, Locks};
use crate::libc::library;
use crate::stop::{Stop, Waiting};
use crate::vm::Vm;

const BYTES: usize = 3 * 8;

impl Vm {
    /// The stream that a call locks while it runs, if another thread could notice.
    pub(crate) fn stream_of_call(&self, builtin: &Builtin, first: &[u64]) -> Option<u64> {
        if !self.locks_streams {
            return None;
        }
        let known = |name: &str| self.program.find_global(name).map(|id| address::global(id, 0));
        match builtin.locks {
            Locks::No => None,
            Locks::Argument(index) => first.get(index as usize).copied().filter(|&addr| addr != 0),
            Locks::Input => known("_IO_2_1_stdin_"),
            Locks::Output => known("_IO_2_1_stdout_"),
            Locks::Error => known("_IO_2_1_stderr_"),
        }
    }
}

impl Context<'_, '_> {
    /// Where the lock of a stream is kept.
    fn stream_lock(&mut self, stream: Standard) -> u64 {
        let at = match stream {
            Standard::Input => 0,
            Standard::Output(Stream::Out) => 8,
            Standard::Output(Stream::Err) => 16,
            Standard::Opened(id) => return id.at(0) + stream::LOCK,
        };
        // What is declared is the stream itself.
        self.unguarded(|m| m.library_variable(library::STREAM_LOCKS, || vec![0; BYTES])) + at
    }

    fn owner_of(&mut self, lock: u64) -> Result<(Option<u32>, u32), Stop> {
        let owner = self.unguarded(|m| m.read(lock, 4))?.value as u32;
        let count = self.unguarded(|m| m.read(lock + 4, 4))?.value as u32;
        Ok((owner.checked_sub(1), count))
    }

    fn set_owner(&mut self, lock: u64, owner: u32, count: u32) -> Result<(), Stop> {
        self.unguarded(|m| m.write(lock, 4, Bits::defined(owner as u64)))?;
        self.unguarded(|m| m.write(lock + 4, 4, Bits::defined(count as u64)))
    }

    /// Waits until no other thread holds the lock of a stream.
    pub fn pass_stream_lock(&mut self, addr: u64) -> Result<(), Stop> {
        // What is no stream is for the function itself to complain about.
        let Some(stream) = self.standard(addr) else { return Ok(()) };
        let lock = self.stream_lock(stream);
        match self.owner_of(lock)? {
            (Some(owner), _) if owner != self.me() => {
                Err(Stop::Blocked(Waiting::Mutex { addr, owner: Some(owner) }))
            }
            _ => Ok(()),
        }
    }

    fn lock_stream(&mut self, args: &Args<'_>) -> Result<(), Stop> {
        let addr = args.ptr(0);
        let stream = self.stream(args, 0)?;
        let lock = self.stream_lock(stream);
        match self.owner_of(lock)? {
            (None, _) => {
                self.set_owner(lock, self.me() + 1, 1)?;
                self.open(SectionKind::Critical, addr);
                self.tell(|m| format!("locks {}", m.name_resource(addr)));
                Ok(())
            }
            (Some(owner), count) if owner == self.me() => {
                self.set_owner(lock, owner + 1, count + 1)?;
                self.tell(|m| format!("locks {} again", m.name_resource(addr)));
                Ok(())
            }
            (owner, _) => Err(Stop::Blocked(Waiting::Mutex { addr, owner })),
        }
    }
}

pub fn lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.lock_stream(args)?;
    Ok(Flow::VOID)
}

pub fn try_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match context.lock_stream(args) {
        Ok(()) => Ok(Flow::int(0)),
        Err(Stop::Blocked(_)) => Ok(Flow::int(super::EBUSY)),
        Err(stop) => Err(stop),
    }
}

pub fn unlock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let addr = args.ptr(0);
    let stream = context.stream(args, 0)?;
    let lock = context.stream_lock(stream);
    match context.owner_of(lock)? {
        (Some(owner), count) if owner == context.me() => {
            if count > 1 {
                context.set_owner(lock, owner + 1, count - 1)?;
            } else {
                context.set_owner(lock, 0, 0)?;
                context.close(SectionKind::Critical, addr);
            }
            context.tell(|m| format!("unlocks {}", m.name_resource(addr)));
            Ok(Flow::VOID)
        }
        _ => {
            let name = context.name_resource(addr);
            let message = format!("stream {name} is unlocked by a thread that does not hold it");
            Err(context.misuse(message, "only the thread that called flockfile may unlock"))
        }
    }
}
