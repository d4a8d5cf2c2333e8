//! The functions of the thread library, by family. Each says what it is about
//! to do, waits for its turn, and answers as POSIX says.
//!
//! Before the program has begun, and in processes that are not explored, each
//! is the real function.
//!
//! Invariant: while a thread waits for its turn, its frames hold no memory of the
//! runtime. A run may be resumed there any number of times, and that memory is not
//! taken back.

pub mod atomic;
mod c11;
mod cancel;
mod cond;
mod files;
mod guard;
mod identity;
mod instrumented;
pub mod kernel;
pub mod mutex;
pub mod process;
mod rwlock;
mod section;
mod semaphore;
mod signal;
mod thread;

use exeunt_model::{Access, Action, ObjectId, Operation, Reply};

use crate::machine::{Machine, machine};
use crate::tell;

/// The name of the object at an address: the address, and how often something
/// was initialised there.
fn object(machine: &Machine, place: usize) -> ObjectId {
    let times = machine.world.births.get(&place).map_or(0, |(times, _)| *times);
    ObjectId(place as u64 ^ (u64::from(times) << 48))
}

/// Something begins to exist at an address, with a value.
fn born(place: usize, value: u32) {
    let Some(machine) = machine() else { return };
    let entry = machine.world.births.entry(place).or_insert((0, 0));
    *entry = (entry.0.wrapping_add(1), value);
}

/// One access to the object at an address.
fn access(machine: &Machine, place: usize, action: Action) -> Access {
    let birth = machine.world.births.get(&place).map_or(0, |(_, value)| *value);
    Access { object: object(machine, place), action, birth }
}

/// Does one thing to the object at an address.
fn one(machine: &mut Machine, verb: &str, place: usize, action: Action) -> Reply {
    tell::place(machine, verb, &[place]);
    let operation = Operation::on(&[access(machine, place, action)]);
    machine.reach(operation)
}

/// The same where the thread may also end because it was asked to.
fn one_or_end(machine: &mut Machine, verb: &str, place: usize, action: Action) -> Reply {
    tell::place(machine, verb, &[place]);
    let operation = Operation::on(&[access(machine, place, action)]);
    let point = cancel::point(machine);
    let reply = machine.reach(operation.and(point));
    cancel::obey(reply);
    reply
}

/// The present thread ends, in a program that asks for the ends of threads.
pub fn announce_end(machine: &mut Machine) {
    tell::place(machine, "finish", &[]);
    let index = machine.world.current;
    let finish = thread::end_of(index, Action::Finish);
    // Where the last one ends the program, the order of the ends matters.
    let operation = match machine.main_left {
        true => Operation::of_everything().and(Some(finish)),
        false => Operation::on(&[finish]),
    };
    machine.reach(operation);
}

/// What a function of the family answers.
fn code(reply: Reply, busy: i32) -> i32 {
    match reply {
        Reply::Done | Reply::First | Reply::Value(_) => 0,
        Reply::Busy => busy,
        Reply::Held => libc::EDEADLK,
        Reply::NotHeld => libc::EPERM,
        Reply::Deserted => libc::EOWNERDEAD,
        Reply::Broken => libc::ENOTRECOVERABLE,
        Reply::Cancelled => cancel::end(),
    }
}
