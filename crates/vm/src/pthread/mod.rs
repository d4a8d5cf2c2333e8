//! Threads and synchronisation, one file for each family of functions.
//!
//! Objects keep their state in the program's own memory, in the layout of
//! glibc's types as far as static initialisers need it. A call that cannot go
//! on answers `Blocked` and changes nothing.

mod attr;
mod barrier;
mod c11;
mod cancel;
mod cond;
pub mod futex;
mod key;
mod mutex;
mod named;
mod once;
mod rwlock;
mod semaphore;
mod spin;
#[cfg(test)]
mod standard;
mod thread;
mod thread_attr;

use crate::builtin::Context;
use crate::builtin::{Flow, Table};
use crate::stop::Stop;
use exeunt_ir::CmpPred;

pub const TABLES: &[Table] = &[
    ("pthread.h", attr::TABLE),
    ("pthread.h", barrier::TABLE),
    ("threads.h", c11::TABLE),
    ("pthread.h", cancel::TABLE),
    ("pthread.h", cond::TABLE),
    ("sys/syscall.h", futex::TABLE),
    ("pthread.h", key::TABLE),
    ("pthread.h", mutex::TABLE),
    ("semaphore.h", named::TABLE),
    ("pthread.h", once::TABLE),
    ("pthread.h", rwlock::TABLE),
    ("semaphore.h", semaphore::TABLE),
    ("pthread.h", spin::TABLE),
    ("pthread.h", thread::TABLE),
    ("pthread.h", thread_attr::TABLE),
];

pub use libc::{EAGAIN, EBUSY, EDEADLK, EINVAL, EOVERFLOW, EPERM, ERANGE, ETIMEDOUT};

/// The clocks that waits can be given: CLOCK_REALTIME and CLOCK_MONOTONIC.
fn is_clock(number: i32) -> bool {
    matches!(number, 0 | 1)
}

pub const OK: Flow = Flow::Return(exeunt_mem::Bits { value: 0, undefined: 0 });

impl Context<'_, '_> {
    /// A 32-bit field of a synchronisation object, which must be initialised.
    fn field(&mut self, addr: u64, offset: u64, what: &str) -> Result<u32, Stop> {
        let bits = self.as_sync(|context| context.read(addr.wrapping_add(offset), 4))?;
        if bits.undefined != 0 {
            let name = self.name_resource(addr);
            let message = format!("{what} {name} is used but was never initialised");
            return Err(
                self.misuse(message, "call its init function or use the static initialiser")
            );
        }
        Ok(bits.value as u32)
    }

    /// Whether the nanoseconds of a `timespec` are less than a second.
    fn is_time(&mut self, addr: u64) -> Result<bool, Stop> {
        let nanoseconds = self.read_time(addr.wrapping_add(8))?;
        if nanoseconds.undefined != 0 {
            return Err(self.undefined_use("the time-out of a wait"));
        }
        let below = self.decide(CmpPred::Slt, nanoseconds.value, 1_000_000_000)?;
        Ok(below && self.decide(CmpPred::Sge, nanoseconds.value, 0)?)
    }

    fn set_field(&mut self, addr: u64, offset: u64, value: u32) -> Result<(), Stop> {
        let bits = exeunt_mem::Bits::defined(value as u64);
        self.as_sync(|context| context.write(addr.wrapping_add(offset), 4, bits))
    }

    /// Clears the `size` bytes of a synchronisation object.
    fn reset(&mut self, addr: u64, size: usize) -> Result<(), Stop> {
        self.write_bytes(addr, &vec![0; size], &[])
    }
}
