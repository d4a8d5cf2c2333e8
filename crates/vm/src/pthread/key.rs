//! Thread-specific data.

use exeunt_mem::Bits;

use super::{EAGAIN, EINVAL, OK};
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::machine::Machine;
use crate::stop::Stop;

pub const TABLE: &[Builtin] = &[
    row("pthread_key_create", "i:pp", Effect::Visible, create),
    row("pthread_key_delete", "i:i", Effect::Visible, delete),
    row("pthread_setspecific", "i:ip", Effect::Local, set),
    row("pthread_getspecific", "p:i", Effect::Local, get),
];

/// Marks in the table of destructors.
const NO_DESTRUCTOR: u64 = 0;
const DELETED: u64 = 1;
const LIMIT: usize = 1000;

impl Machine<'_> {
    /// A new key, the lowest that is free.
    pub fn create_key(&mut self, destructor: u64) -> Option<u32> {
        let keys = &mut self.system.keys;
        if let Some(free) = keys.iter().position(|&d| d == DELETED) {
            keys[free] = destructor;
            return Some(free as u32);
        }
        if keys.len() >= LIMIT {
            return None;
        }
        keys.push(destructor);
        Some(keys.len() as u32 - 1)
    }

    pub fn delete_key(&mut self, key: u32) {
        if let Some(entry) = self.system.keys.get_mut(key as usize) {
            *entry = DELETED;
        }
        while self.system.keys.last() == Some(&DELETED) {
            self.system.keys.pop();
        }
    }

    pub fn is_key(&self, key: u32) -> bool {
        self.system.keys.get(key as usize).is_some_and(|&d| d != DELETED)
    }

    pub fn set_specific(&mut self, key: u32, value: u64) {
        let keys = &mut self.head.keys;
        keys.retain(|&(k, _)| k != key);
        if value != 0 {
            let at = keys.partition_point(|&(k, _)| k < key);
            keys.insert(at, (key, value));
        }
    }

    pub fn specific(&self, key: u32) -> u64 {
        self.head.keys.iter().find(|&&(k, _)| k == key).map_or(0, |&(_, value)| value)
    }
}

fn create(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let destructor = if args.ptr(1) == 0 { NO_DESTRUCTOR } else { args.ptr(1) };
    match machine.create_key(destructor) {
        Some(key) => {
            machine.write(args.ptr(0), 4, Bits::defined(key as u64))?;
            Ok(OK)
        }
        None => Ok(Flow::int(EAGAIN)),
    }
}

fn delete(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    machine.delete_key(args.i32(0) as u32);
    Ok(OK)
}

fn set(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let key = args.i32(0) as u32;
    if !machine.is_key(key) {
        return Ok(Flow::int(EINVAL));
    }
    machine.set_specific(key, args.ptr(1));
    Ok(OK)
}

fn get(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::value(machine.specific(args.i32(0) as u32)))
}
