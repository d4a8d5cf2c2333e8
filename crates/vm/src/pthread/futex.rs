//! `syscall(2)`: futexes, and the few other system calls that programs with
//! threads make by number.
//!
//! Who waits at a word is written in the threads (`Status::FutexWait`), as for
//! conditions; nothing but the program itself changes the word. Any of the
//! waiters may be woken: the kernel promises no order. A wait may end although
//! nobody woke it, which futex(2) warns of, unless `--no-spurious` forbids it.
//! A wake-up does not look at the word, so it may come when the memory is gone:
//! that is how locks inside of freed objects are given back.

use exeunt_mem::Bits;
use exeunt_model::words::{Doing, Woken};
use exeunt_model::{ActorId, ChoiceKind, SectionKind};
use libc::{EAGAIN, EINVAL, ETIMEDOUT};
use smallvec::SmallVec;

use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, Orders, Touches, row};
use crate::libc::unistd;
use crate::step::footprint::{FUTEX, TIMESPEC};
use crate::stop::{Stop, Waiting};
use crate::thread::Status;

/// What a wait enters: the C++ library waits for its objects in this way (`cxx/primitive.rs`).
const WAITING: &[SectionKind] = &[
    SectionKind::FutexWait,
    SectionKind::LatchWait,
    SectionKind::FutureWait,
    SectionKind::AtomicWait,
    SectionKind::StopWait,
    SectionKind::BarrierWait,
    SectionKind::SemWait,
];

/// Calls that are not supported.
const NO_WAKE_OP: &str = "FUTEX_WAKE_OP";
const NO_INHERITANCE: &str = "a futex with priority inheritance (FUTEX_…_PI)";
const NO_PARTIAL_REQUEUE: &str = "FUTEX_REQUEUE of some waiters only";

pub const TABLE: &[Builtin] = &[row("syscall", "l:l.", Effect::Visible, system_call)
    .without(&[NO_WAKE_OP, NO_INHERITANCE, NO_PARTIAL_REQUEUE])
    .syncs(Touches::SystemCall)
    .orders(Orders::WakesSecond)
    .opens(WAITING)
    .outside_if(asks_outside)];

type Answer = Result<Flow, Stop>;

/// A wake-up or a wait without a mask of its own.
pub const ANY: u32 = u32::MAX;
/// FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME, which change nothing here.
const FLAGS: i32 = libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME;
/// More ways to choose whom to wake than this are not tried.
const MOST_WAYS: u64 = 1 << 16;

/// The addresses, lengths and accesses of what a system call touches, given its
/// number and arguments.
pub fn touched(words: &[u64]) -> SmallVec<[(u64, u64, bool); 3]> {
    let word = |at: usize| words.get(at).copied().unwrap_or(0);
    let mut touched = SmallVec::new();
    if word(0) as i64 != libc::SYS_futex {
        return touched;
    }
    touched.push((word(1), FUTEX, true));
    match word(2) as i32 & !FLAGS {
        libc::FUTEX_REQUEUE | libc::FUTEX_CMP_REQUEUE => touched.push((word(5), FUTEX, true)),
        libc::FUTEX_WAIT | libc::FUTEX_WAIT_BITSET if word(4) != 0 => {
            touched.push((word(4), TIMESPEC, false));
        }
        _ => {}
    }
    touched
}

/// Whether a system call may wait, as far as its number and arguments are known.
pub fn may_wait(words: &[Option<u64>]) -> bool {
    let known = |at: usize| words.get(at).copied().flatten();
    let waits = |operation: u64| {
        matches!(operation as i32 & !FLAGS, libc::FUTEX_WAIT | libc::FUTEX_WAIT_BITSET)
    };
    known(0).is_none_or(|number| number as i64 == libc::SYS_futex) && known(2).is_none_or(waits)
}

fn asks_outside(args: &[Option<u64>]) -> Option<&'static str> {
    match args.first().copied().flatten().map(|number| number as i64) {
        Some(libc::SYS_gettid | libc::SYS_getpid) => Some("the process was number 1000"),
        Some(_) | None => None,
    }
}

fn system_call(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match args.u64(0) as i64 {
        libc::SYS_futex => futex(context, args),
        libc::SYS_gettid => Ok(Flow::value(u64::from(unistd::PROCESS + context.me()))),
        libc::SYS_getpid => Ok(Flow::value(unistd::PROCESS.into())),
        libc::SYS_sched_yield => Ok(Flow::value(0)),
        libc::SYS_membarrier => membarrier(context, args),
        number => {
            let name = NAMES.iter().find(|(known, _)| *known == number);
            let name = name.map_or(String::new(), |(_, name)| format!(", {name}"));
            Err(Stop::unsupported(format!("the system call {number}{name}")))
        }
    }
}

/// The numbers of system calls that programs make by number most often, for messages.
const NAMES: &[(i64, &str)] = &[
    (libc::SYS_read, "SYS_read"),
    (libc::SYS_write, "SYS_write"),
    (libc::SYS_mmap, "SYS_mmap"),
    (libc::SYS_munmap, "SYS_munmap"),
    (libc::SYS_ioctl, "SYS_ioctl"),
    (libc::SYS_exit, "SYS_exit"),
    (libc::SYS_exit_group, "SYS_exit_group"),
    (libc::SYS_tgkill, "SYS_tgkill"),
    (libc::SYS_tkill, "SYS_tkill"),
    (libc::SYS_clone, "SYS_clone"),
    (libc::SYS_clone3, "SYS_clone3"),
    (libc::SYS_getcpu, "SYS_getcpu"),
    (libc::SYS_getrandom, "SYS_getrandom"),
    (libc::SYS_clock_gettime, "SYS_clock_gettime"),
    (libc::SYS_sched_setaffinity, "SYS_sched_setaffinity"),
    (libc::SYS_sched_getaffinity, "SYS_sched_getaffinity"),
    (libc::SYS_set_robust_list, "SYS_set_robust_list"),
    (libc::SYS_rseq, "SYS_rseq"),
    (libc::SYS_perf_event_open, "SYS_perf_event_open"),
    (libc::SYS_eventfd2, "SYS_eventfd2"),
    (libc::SYS_io_uring_setup, "SYS_io_uring_setup"),
    (libc::SYS_io_uring_enter, "SYS_io_uring_enter"),
    (libc::SYS_memfd_create, "SYS_memfd_create"),
    (libc::SYS_futex_waitv, "SYS_futex_waitv"),
];

/// All that `membarrier` orders is ordered already: memory is sequentially
/// consistent. The commands are those of Linux 6.
fn membarrier(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    const QUERY: i32 = 0;
    const COMMANDS: i32 = 0x3ff;
    let command = int(args, 1)?;
    match command {
        QUERY => Ok(Flow::value(COMMANDS as u64)),
        _ if command.count_ones() == 1 && command & COMMANDS != 0 => Ok(Flow::value(0)),
        _ => context.failed(EINVAL),
    }
}

/// A variadic argument, which the row does not check.
fn word(args: &Args<'_>, index: usize) -> Result<u64, Stop> {
    match args.values.get(index) {
        Some(value) if value.low.undefined == 0 => Ok(value.low.value),
        Some(_) => Err(Stop::unsupported("a system call with an undefined argument")),
        None => Err(Stop::unsupported("a system call with too few arguments")),
    }
}

fn int(args: &Args<'_>, index: usize) -> Result<i32, Stop> {
    Ok(word(args, index)? as i32)
}

fn futex(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (addr, operation) = (word(args, 1)?, int(args, 2)?);
    if !addr.is_multiple_of(FUTEX) {
        return context.failed(EINVAL);
    }
    match operation & !FLAGS {
        libc::FUTEX_WAIT => wait(context, args, addr, ANY),
        libc::FUTEX_WAIT_BITSET => wait(context, args, addr, int(args, 6)? as u32),
        libc::FUTEX_WAKE => wake(context, args, addr, ANY),
        libc::FUTEX_WAKE_BITSET => wake(context, args, addr, int(args, 6)? as u32),
        libc::FUTEX_REQUEUE => requeue(context, args, addr),
        libc::FUTEX_CMP_REQUEUE => {
            let expected = int(args, 6)? as u32;
            if context.futex_word(addr)? != expected {
                return context.failed(EAGAIN);
            }
            requeue(context, args, addr)
        }
        libc::FUTEX_WAKE_OP => Err(Stop::unsupported(NO_WAKE_OP)),
        libc::FUTEX_LOCK_PI
        | libc::FUTEX_UNLOCK_PI
        | libc::FUTEX_TRYLOCK_PI
        | libc::FUTEX_WAIT_REQUEUE_PI
        | libc::FUTEX_CMP_REQUEUE_PI
        | libc::FUTEX_LOCK_PI2 => Err(Stop::unsupported(NO_INHERITANCE)),
        _ => context.failed(libc::ENOSYS),
    }
}

fn wait(context: &mut Context<'_, '_>, args: &Args<'_>, addr: u64, mask: u32) -> Answer {
    let (expected, time) = (int(args, 3)? as u32, word(args, 4)?);
    if mask == 0 || time != 0 && !context.is_time(time)? {
        return context.failed(EINVAL);
    }
    let result = context.wait_at_futex(addr, expected, mask, time != 0);
    if time != 0 && matches!(result, Err(Stop::Waits)) {
        // Only FUTEX_WAIT takes how long, the others take until when.
        match int(args, 2)? & libc::FUTEX_CMD_MASK {
            libc::FUTEX_WAIT => context.set_patience(time)?,
            _ => context.set_deadline(time)?,
        }
    }
    result
}

fn wake(context: &mut Context<'_, '_>, args: &Args<'_>, addr: u64, mask: u32) -> Answer {
    if mask == 0 {
        return context.failed(EINVAL);
    }
    let woken = context.wake_at_futex(addr, int(args, 3)?, mask)?;
    Ok(Flow::value(woken as u64))
}

/// Wakes some, and has the others wait at another word.
fn requeue(context: &mut Context<'_, '_>, args: &Args<'_>, addr: u64) -> Answer {
    let (most, moved, target) = (int(args, 3)?, int(args, 4)?, word(args, 5)?);
    if most < 0 || moved < 0 {
        return context.failed(EINVAL);
    }
    let waiters = context.futex_waiters(addr, ANY);
    let woken = context.choose_waiters(&waiters, most as usize)?;
    let rest: Vec<u32> = waiters.iter().copied().filter(|t| !woken.contains(t)).collect();
    if (moved as usize) < rest.len() && moved > 0 {
        return Err(Stop::unsupported(NO_PARTIAL_REQUEUE));
    }
    let rest = if moved == 0 { &[][..] } else { &rest };
    for &thread in rest {
        let head = context.head_mut(thread);
        if let Status::FutexWait { mask, timed, .. } = head.status {
            head.status = Status::FutexWait { addr: target, mask, timed };
        }
    }
    context.wake_all(&woken);
    let (woken, moved) = (woken.len(), rest.len());
    context.tell(|m| {
        let (from, to) = (m.name_resource(addr), m.name_resource(target));
        format!("wakes {woken} threads at futex {from} and moves {moved} to {to}")
    });
    Ok(Flow::value((woken + moved) as u64))
}

impl Context<'_, '_> {
    /// The word as the kernel reads it: at once.
    fn futex_word(&mut self, addr: u64) -> Result<u32, Stop> {
        let bits = self.as_sync(|context| context.read(addr, FUTEX as usize))?;
        match bits.undefined as u32 {
            0 => Ok(bits.value as u32),
            _ => Err(self.undefined_use("a futex")),
        }
    }

    /// Waits until woken if the word is what is expected. Fails with `EAGAIN`
    /// if it is not, and with `ETIMEDOUT`.
    pub fn wait_at_futex(&mut self, addr: u64, expected: u32, mask: u32, timed: bool) -> Answer {
        let found = self.futex_word(addr)?;
        if found != expected {
            self.tell(|m| format!("does not wait at {}: it is {found}", m.call_futex(addr)));
            return self.failed(EAGAIN);
        }
        self.own_mut().status = Status::FutexWait { addr, mask, timed };
        self.tell(|m| m.describe_futex_wait(addr, found));
        self.tell_opened_wait(addr);
        Err(Stop::Waits)
    }

    /// Wakes so many of those who wait; returns how many it were.
    pub fn wake_at_futex(&mut self, addr: u64, most: i32, mask: u32) -> Result<usize, Stop> {
        let waiters = self.futex_waiters(addr, mask);
        // The kernel wakes one even if asked for none.
        let woken = self.choose_waiters(&waiters, most.max(1) as usize)?;
        self.wake_all(&woken);
        let heard: Vec<ActorId> = woken.iter().map(|&thread| ActorId(thread)).collect();
        self.tell(|m| Doing::WakesFutex(&m.call_futex(addr), Woken::Known(&heard)).words());
        self.tell_signal_at(addr, &woken);
        Ok(woken.len())
    }

    fn futex_waiters(&mut self, addr: u64, bits: u32) -> Vec<u32> {
        let mut found = Vec::new();
        for thread in 0..self.threads() {
            if let Status::FutexWait { addr: at, mask, .. } = self.status(thread)
                && at == addr
                && mask & bits != 0
            {
                found.push(thread);
            }
        }
        found
    }

    /// Some of the waiters, any of them.
    fn choose_waiters(&mut self, waiters: &[u32], most: usize) -> Result<Vec<u32>, Stop> {
        let count = most.min(waiters.len());
        let ways = ways(waiters.len(), count).filter(|&ways| ways <= MOST_WAYS);
        let ways = ways.ok_or_else(|| Stop::unsupported("a wake-up of some of many waiters"))?;
        let chosen = self.choose(ChoiceKind::Scheduler, ways as u32)?;
        Ok(selection(waiters, count, chosen.into()))
    }

    fn wake_all(&mut self, threads: &[u32]) {
        for &thread in threads {
            self.head_mut(thread).status = Status::FutexWoken;
        }
    }

    /// Goes on with a wait; `true` if the call is complete.
    pub fn resume_futex(&mut self) -> Result<bool, Stop> {
        match self.own().status {
            Status::FutexWait { addr, timed: true, .. } => {
                self.own_mut().status = Status::Ready;
                self.wait_times_out();
                self.tell(|m| format!("times out waiting at {}", m.call_futex(addr)));
                self.futex_wait_is_over(addr);
                self.set_errno(ETIMEDOUT)?;
                self.note_act();
                self.finish_call(Bits::defined(u64::MAX));
                Ok(true)
            }
            Status::FutexWait { addr, .. } => Err(Stop::Blocked(Waiting::Futex { addr })),
            Status::FutexWoken => {
                self.own_mut().status = Status::Ready;
                self.wait_is_early();
                self.finish_call(Bits::defined(0));
                Ok(true)
            }
            Status::Ready
            | Status::CondWait { .. }
            | Status::CondRelock { .. }
            | Status::BarrierWait { .. }
            | Status::BarrierLeave { .. }
            | Status::Ended { .. }
            | Status::Free => Ok(true),
        }
    }
}

/// In how many ways `count` of `all` things can be chosen.
fn ways(all: usize, count: usize) -> Option<u64> {
    let mut ways = 1u64;
    for i in 0..count.min(all - count) as u64 {
        ways = ways.checked_mul(all as u64 - i)? / (i + 1);
    }
    Some(ways)
}

/// The selection of `count` items with this number.
fn selection(items: &[u32], count: usize, mut number: u64) -> Vec<u32> {
    let mut chosen = Vec::new();
    let mut rest = items;
    while chosen.len() < count {
        let (&first, behind) = rest.split_first().expect("count is at most the number of items");
        let with = ways(behind.len(), count - chosen.len() - 1).unwrap_or(u64::MAX);
        if number < with {
            chosen.push(first);
        } else {
            number -= with;
        }
        rest = behind;
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_selection_has_a_number() {
        let items: Vec<u32> = (10..16).collect();
        for count in 0..=items.len() {
            let all = ways(items.len(), count).unwrap();
            let mut seen: Vec<Vec<u32>> = (0..all).map(|n| selection(&items, count, n)).collect();
            assert!(seen.iter().all(|chosen| chosen.len() == count));
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len() as u64, all);
        }
        assert_eq!(ways(6, 3), Some(20));
        assert_eq!(ways(255, 127), None);
    }
}
