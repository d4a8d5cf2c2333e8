//! Thread-specific data.
//!
//! The table of destructors belongs to the process, values belong to threads.
//! Deleting a key takes its values away from all threads, so that a later key
//! of the same number begins with null everywhere, as POSIX demands of
//! `pthread_key_create`.

use exeunt_mem::Bits;

use super::{EAGAIN, EINVAL, OK};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Chooses, Deed, Effect, Flow, row};
use crate::stop::Stop;
use crate::thread::Status;

pub const TABLE: &[Builtin] = &[
    row("pthread_key_create", "i:pp", Effect::Visible, create).chooses(Chooses::All),
    row("pthread_key_delete", "i:i", Effect::Visible, delete).does(Deed::DeletesKey),
    row("pthread_setspecific", "i:ip", Effect::Specific, set),
    row("pthread_getspecific", "p:i", Effect::Specific, get),
];

/// Marks in the table of destructors.
const NO_DESTRUCTOR: u64 = 0;
const DELETED: u64 = 1;
/// PTHREAD_KEYS_MAX
const LIMIT: usize = 1024;
/// PTHREAD_DESTRUCTOR_ITERATIONS
const ROUNDS: u8 = 4;

impl Context<'_, '_> {
    /// A new key, the lowest that is free.
    pub fn create_key(&mut self, destructor: u64) -> Option<u32> {
        let keys = self.keys_mut();
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

    /// `false` if there is no such key.
    pub fn delete_key(&mut self, key: u32) -> bool {
        if !self.is_key(key) {
            return false;
        }
        self.keys_mut()[key as usize] = DELETED;
        while self.keys().last() == Some(&DELETED) {
            self.keys_mut().pop();
        }
        for thread in 0..self.threads() {
            let alive = !matches!(self.status(thread), Status::Free | Status::Ended { .. });
            if alive && self.head_of(thread).keys.iter().any(|&(k, _)| k == key) {
                self.head_mut(thread).keys.retain(|&(k, _)| k != key);
            }
        }
        true
    }

    pub fn is_key(&self, key: u32) -> bool {
        self.keys().get(key as usize).is_some_and(|&d| d != DELETED)
    }

    /// Whether the entry of a key may become another one.
    pub fn key_may_change(&self, key: u32) -> bool {
        self.deletes_keys() || !self.is_key(key)
    }

    pub fn set_specific(&mut self, key: u32, value: u64) {
        let keys = &mut self.own_mut().keys;
        keys.retain(|&(k, _)| k != key);
        if value != 0 {
            let at = keys.partition_point(|&(k, _)| k < key);
            keys.insert(at, (key, value));
        }
    }

    pub fn specific(&self, key: u32) -> u64 {
        self.own().keys.iter().find(|&&(k, _)| k == key).map_or(0, |&(_, value)| value)
    }

    // ---- destructors ----------------------------------------------------------

    fn destructor(&self, key: u32) -> Option<u64> {
        self.keys().get(key as usize).copied().filter(|&d| d > DELETED)
    }

    /// The keys whose destructors are to run in this round; if there are none
    /// but some have a value again, the next round begins, up to the last.
    pub fn due_keys(&mut self) -> Vec<u32> {
        let set: Vec<u32> = self.own().keys.iter().map(|&(key, _)| key).collect();
        let set: Vec<u32> = set.into_iter().filter(|&k| self.destructor(k).is_some()).collect();
        let fresh = |destroyed: &[u32]| -> Vec<u32> {
            set.iter().copied().filter(|key| !destroyed.contains(key)).collect()
        };
        let due = fresh(&self.own().destroyed);
        if !due.is_empty() || set.is_empty() || self.own().round + 1 >= ROUNDS {
            return due;
        }
        self.own_mut().round += 1;
        self.own_mut().destroyed.clear();
        set
    }

    /// The destructor of a key that has one, and the value for it, which is
    /// null from now on.
    pub fn take_key(&mut self, key: u32) -> (u64, u64) {
        let value = self.specific(key);
        self.set_specific(key, 0);
        let at = self.own().destroyed.partition_point(|&k| k < key);
        self.own_mut().destroyed.insert(at, key);
        (self.destructor(key).expect("it has one"), value)
    }
}

fn create(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let destructor = if args.ptr(1) == 0 { NO_DESTRUCTOR } else { args.ptr(1) };
    match context.create_key(destructor) {
        Some(key) => {
            context.write(args.ptr(0), 4, Bits::defined(key as u64))?;
            Ok(OK)
        }
        None => Ok(Flow::int(EAGAIN)),
    }
}

fn delete(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let deleted = context.delete_key(args.i32(0) as u32);
    Ok(Flow::int(if deleted { 0 } else { EINVAL }))
}

fn set(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let key = args.i32(0) as u32;
    if !context.is_key(key) {
        return Ok(Flow::int(EINVAL));
    }
    context.set_specific(key, args.ptr(1));
    Ok(OK)
}

fn get(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::value(context.specific(args.i32(0) as u32)))
}
