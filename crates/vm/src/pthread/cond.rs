//! Condition variables.
//!
//! Who waits is written in the threads: a waiting thread has released its
//! mutex and is in status `CondWait` until it is signalled (or wakes up
//! spuriously, or times out), then in `CondRelock` until it has the mutex
//! back. The object itself only knows whether it was destroyed.

use exeunt_model::words::{Doing, Woken};
use exeunt_model::{ActorId, ChoiceKind, SectionKind};

use super::{EINVAL, EPERM, ETIMEDOUT, OK, is_clock, mutex};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, CONDITION, CONDITION_AND_MUTEX, Effect, Flow, Orders, row};
use crate::stop::{Stop, Waiting};
use crate::thread::{Section, Status};

/// What a wait enters, and what it leaves meanwhile.
const WAITING: &[SectionKind] = &[SectionKind::CondWait];
const HELD: &[SectionKind] = &[SectionKind::Critical];

pub const TABLE: &[Builtin] = &[
    row("pthread_cond_init", "i:pp", Effect::Memory, init),
    row("pthread_cond_destroy", "i:p", Effect::Visible, destroy).syncs(CONDITION),
    row("pthread_cond_wait", "i:pp", Effect::Visible, wait)
        .syncs(CONDITION_AND_MUTEX)
        .opens(WAITING)
        .closes(HELD)
        .cancels(),
    row("pthread_cond_timedwait", "i:ppp", Effect::Visible, timed_wait)
        .syncs(CONDITION_AND_MUTEX)
        .opens(WAITING)
        .closes(HELD)
        .cancels()
        .until(ETIMEDOUT),
    row("pthread_cond_clockwait", "i:ppip", Effect::Visible, clock_wait)
        .syncs(CONDITION_AND_MUTEX)
        .opens(WAITING)
        .closes(HELD)
        .cancels()
        .until(ETIMEDOUT),
    row("pthread_cond_signal", "i:p", Effect::Visible, signal)
        .syncs(CONDITION)
        .orders(Orders::Wakes),
    row("pthread_cond_broadcast", "i:p", Effect::Visible, broadcast)
        .syncs(CONDITION)
        .orders(Orders::Wakes),
];

const SIZE: usize = 48;
/// What a wait returns that ended because its thread is cancelled: nothing.
pub const CANCELLED: u64 = u64::MAX;
const DESTROYED: u32 = 0xdead_c04d;

impl Context<'_, '_> {
    pub fn init_condition(&mut self, addr: u64) -> Result<(), Stop> {
        self.reset(addr, SIZE)
    }

    fn check_condition(&mut self, addr: u64) -> Result<(), Stop> {
        if self.field(addr, 0, "condition")? == DESTROYED {
            let name = self.name_resource(addr);
            let message = format!("condition {name} is used after it was destroyed");
            return Err(self.misuse(message, "destroy it only when no thread can use it any more"));
        }
        Ok(())
    }

    fn waiters(&mut self, addr: u64) -> Vec<u32> {
        let threads = self.threads();
        (0..threads)
            .filter(|&t| matches!(self.status(t), Status::CondWait { cond, .. } if cond == addr))
            .collect()
    }

    pub fn destroy_condition(&mut self, addr: u64) -> Result<(), Stop> {
        self.check_condition(addr)?;
        if let Some(&waiter) = self.waiters(addr).first() {
            let name = self.name_resource(addr);
            let message =
                format!("condition {name} is destroyed while thread {} waits on it", waiter + 1);
            return Err(self.misuse(message, "wake and join the waiting threads first"));
        }
        self.set_field(addr, 0, DESTROYED)
    }

    /// Begins to wait: releases the mutex. `Ok` is the error number of a wait
    /// that does not begin.
    pub fn wait_condition(&mut self, cond: u64, mutex: u64, timed: bool) -> Result<i32, Stop> {
        self.check_condition(cond)?;
        let state = self.mutex(mutex)?;
        if state.owner != Some(self.me()) && state.kind == mutex::ERRORCHECK {
            return Ok(EPERM);
        }
        if state.owner != Some(self.me()) {
            let (cond, mutex) = (self.name_resource(cond), self.name_resource(mutex));
            let message = format!("wait on condition {cond} without holding mutex {mutex}");
            return Err(self
                .misuse(message, "lock the mutex before the wait; it is released while waiting"));
        }
        // A recursive mutex is given back once, however often it is locked.
        match state.count {
            0 | 1 => drop(self.release_mutex(mutex)?),
            count => self.set_field(mutex, 4, count - 1)?,
        }
        self.own_mut().status = Status::CondWait { cond, mutex, timed };
        self.tell(|m| Doing::WaitsOn(&m.name_resource(cond), &m.name_resource(mutex)).words());
        self.tell_opened(Section::new(SectionKind::CondWait, cond));
        Err(Stop::Waits)
    }

    /// The same with a time-out, which must be a time.
    pub fn wait_until(&mut self, cond: u64, mutex: u64, time: u64) -> Result<i32, Stop> {
        if !self.is_time(time)? {
            return Ok(EINVAL);
        }
        let result = self.wait_condition(cond, mutex, true);
        if matches!(result, Err(Stop::Waits)) {
            self.set_deadline(time)?;
        }
        result
    }

    fn wake(&mut self, thread: u32) {
        let head = self.head_mut(thread);
        if let Status::CondWait { mutex, .. } = head.status {
            head.status = Status::CondRelock { mutex, result: 0 };
        }
    }

    pub fn signal_condition(&mut self, addr: u64) -> Result<(), Stop> {
        self.check_condition(addr)?;
        let waiters = self.waiters(addr);
        if waiters.is_empty() {
            self.tell(|m| Doing::Signals(&m.name_resource(addr), Woken::Known(&[])).words());
            self.tell_signal(Section::new(SectionKind::CondWait, addr), &[]);
            return Ok(());
        }
        let at = self.choose(ChoiceKind::Scheduler, waiters.len() as u32)?;
        let woken = waiters[at as usize];
        self.wake(woken);
        let heard = [ActorId(woken)];
        self.tell(|m| Doing::Signals(&m.name_resource(addr), Woken::Known(&heard)).words());
        self.tell_signal(Section::new(SectionKind::CondWait, addr), &[woken]);
        Ok(())
    }

    pub fn broadcast_condition(&mut self, addr: u64) -> Result<(), Stop> {
        self.check_condition(addr)?;
        let waiters = self.waiters(addr);
        for &thread in &waiters {
            self.wake(thread);
        }
        let heard: Vec<ActorId> = waiters.iter().map(|&thread| ActorId(thread)).collect();
        self.tell(|m| Doing::Broadcasts(&m.name_resource(addr), Woken::Known(&heard)).words());
        self.tell_signal(Section::new(SectionKind::CondWait, addr), &waiters);
        Ok(())
    }

    /// Goes on with a wait in progress; `true` if the call is complete and
    /// the thread may run on.
    pub fn resume_wait(&mut self) -> Result<bool, Stop> {
        match self.own().status {
            Status::CondWait { mutex, timed: true, cond } => {
                self.own_mut().status = Status::CondRelock { mutex, result: ETIMEDOUT as u64 };
                self.tell(|m| Doing::TimesOut(&m.name_resource(cond)).words());
                self.wait_times_out();
                self.note_act();
                Ok(false)
            }
            Status::CondWait { cond, .. } => Err(Stop::Blocked(Waiting::Condition { addr: cond })),
            Status::CondRelock { mutex, result } => {
                let state = self.mutex(mutex)?;
                let again = state.owner == Some(self.me());
                if let Some(owner) = state.owner
                    && !again
                {
                    return Err(Stop::Blocked(Waiting::Mutex { addr: mutex, owner: Some(owner) }));
                }
                // One that was woken and then cancelled may do either.
                let cancelled = self.is_cancelled()
                    && (result == CANCELLED || self.choose(ChoiceKind::Scheduler, 2)? == 1);
                self.note_act();
                self.wait_is_early();
                self.own_mut().status = Status::Ready;
                // A robust mutex may have lost its owner meanwhile.
                let taken = match again {
                    true => {
                        self.set_field(mutex, 4, state.count + 1)?;
                        0
                    }
                    false => self.acquire_mutex(mutex)?,
                };
                self.wait_is_over(Section::new(SectionKind::MutexWait, mutex));
                if cancelled {
                    self.cancellation_point()?;
                }
                let result = if taken == 0 { self.wait_result(result) } else { taken as u64 };
                self.finish_call(exeunt_mem::Bits::defined(result));
                Ok(true)
            }
            Status::BarrierWait { .. } | Status::BarrierLeave { .. } => self.resume_barrier(),
            Status::FutexWait { .. } | Status::FutexWoken => self.resume_futex(),
            Status::Ready | Status::Ended { .. } | Status::Free => Ok(true),
        }
    }

    /// C11 functions report a time-out with a number of their own.
    fn wait_result(&mut self, result: u64) -> u64 {
        let Some(site) = self.function().call_at(self.top().pc) else { return result };
        let timed_out = self.builtin_of(site).and_then(|builtin| builtin.timed);
        match timed_out {
            Some(answer) if result == ETIMEDOUT as u64 => answer as u64,
            Some(_) | None => result,
        }
    }
}

fn init(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.init_condition(args.ptr(0))?;
    Ok(OK)
}

fn destroy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.destroy_condition(args.ptr(0))?;
    Ok(OK)
}

fn wait(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int(context.wait_condition(args.ptr(0), args.ptr(1), false)?))
}

fn timed_wait(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int(context.wait_until(args.ptr(0), args.ptr(1), args.ptr(2))?))
}

fn clock_wait(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if !is_clock(args.i32(2)) {
        return Ok(Flow::int(EINVAL));
    }
    Ok(Flow::int(context.wait_until(args.ptr(0), args.ptr(1), args.ptr(3))?))
}

fn signal(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.signal_condition(args.ptr(0))?;
    Ok(OK)
}

fn broadcast(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.broadcast_condition(args.ptr(0))?;
    Ok(OK)
}
