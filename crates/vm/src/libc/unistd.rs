//! `unistd.h` and `sched.h`: what a program can ask without files (`files/`).
//! The machine has two processors.

use exeunt_mem::Bits;
use libc::{EBADF, EINVAL, ENOTTY};

use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, Touches, refused, row};
use crate::clock::SECOND;
use crate::libc::stdlib::heap;
use crate::stop::{Stop, Waiting};

pub const TABLE: &[Builtin] = &[
    row("isatty", "i:i", Effect::Local, isatty).outside("no standard stream was a terminal"),
    row("getpid", "i:", Effect::Local, getpid).outside("the process was number 1000"),
    row("getppid", "i:", Effect::Local, getppid).outside("the parent process was number 1"),
    row("gettid", "i:", Effect::Local, gettid).outside("the process was number 1000"),
    row("getuid", "i:", Effect::Local, user).outside("the user and the group were number 1000"),
    row("geteuid", "i:", Effect::Local, user).outside("the user and the group were number 1000"),
    row("getgid", "i:", Effect::Local, user).outside("the user and the group were number 1000"),
    row("getegid", "i:", Effect::Local, user).outside("the user and the group were number 1000"),
    row("getpagesize", "i:", Effect::Local, getpagesize),
    row("sysconf", "l:i", Effect::Local, sysconf).outside_if(sysconf_asks),
    row("get_nprocs", "i:", Effect::Local, processors).outside(PROCESSORS_FOUND),
    row("get_nprocs_conf", "i:", Effect::Local, processors).outside(PROCESSORS_FOUND),
    row("pause", "i:", Effect::Visible, pause).cancels(),
    row("sleep", "i:i", Effect::Visible, sleep).syncs(Touches::Nothing).cancels().sleeps(),
    row("usleep", "i:i", Effect::Visible, usleep).syncs(Touches::Nothing).cancels().sleeps(),
    row("sched_get_priority_max", "i:i", Effect::Local, priority_max),
    row("sched_get_priority_min", "i:i", Effect::Local, priority_min),
    row("sched_getscheduler", "i:i", Effect::Local, zero),
    row("sched_setscheduler", "i:iip", Effect::Local, zero),
    row("sched_setaffinity", "i:ilp", Effect::Local, zero),
    row("sched_getaffinity", "i:ilp", Effect::Memory, get_affinity).outside(PROCESSORS_FOUND),
    row("sched_setparam", "i:ip", Effect::Local, zero),
    row("sched_getparam", "i:ip", Effect::Memory, get_priority)
        .outside("every thread had the ordinary scheduling policy"),
    row("sched_rr_get_interval", "i:ip", Effect::Memory, get_interval)
        .outside("a time slice was 4 milliseconds"),
    row("__sched_cpucount", "i:lp", Effect::Memory, count_processors),
    row("__sched_cpualloc", "p:l", Effect::Local, new_set).allocating(),
    row("__sched_cpufree", "v:p", Effect::Memory, heap::free),
    row("getcpu", "i:pp", Effect::Memory, get_cpu).outside("the thread ran on processor 0"),
    refused("clone", "i:ppip.", Effect::Local, PROCESSES),
    refused("unshare", "i:i", Effect::Local, PROCESSES),
    refused("setns", "i:ii", Effect::Local, PROCESSES),
    row("sched_getcpu", "i:", Effect::Local, zero).outside("the thread ran on processor 0"),
    refused("fork", "i:", Effect::Local, PROCESSES),
    refused("vfork", "i:", Effect::Local, PROCESSES),
    refused("wait", "i:p", Effect::Local, PROCESSES).cancels(),
    refused("waitpid", "i:ipi", Effect::Local, PROCESSES).cancels(),
    refused("alarm", "i:i", Effect::Local, "signals from outside (`{}`)"),
];

type Answer = Result<Flow, Stop>;

pub const PROCESSORS_FOUND: &str = "there were two processors";

/// What `sysconf` tells about the machine and not about the platform.
fn sysconf_asks(args: &[Option<u64>]) -> Option<&'static str> {
    match args.first().copied().flatten() {
        Some(83 | 84) => Some(PROCESSORS_FOUND),
        Some(85 | 86) => Some("there were 4 GiB of memory"),
        Some(4) => Some("1024 files could be open"),
        Some(190 | 193) => Some("a line of the cache had 64 bytes"),
        Some(_) => None,
        None => Some("the machine had two processors and 4 GiB of memory"),
    }
}

/// The number of the process.
pub const PROCESS: u32 = 1000;
const PROCESSORS: u64 = 2;
const PAGE: u64 = 4096;

impl Context<'_, '_> {
    /// A system call has failed.
    pub fn failed(&mut self, code: i32) -> Answer {
        self.set_errno(code)?;
        Ok(Flow::Return(exeunt_mem::Bits::defined(u64::MAX)))
    }
}

fn isatty(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let open = (0..=2).contains(&args.i32(0));
    context.set_errno(if open { ENOTTY } else { EBADF })?;
    Ok(Flow::int(0))
}

fn getpid(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::value(PROCESS as u64))
}

fn getppid(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::int(1))
}

fn gettid(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::value((PROCESS + context.me()) as u64))
}

fn user(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::int(1000))
}

fn getpagesize(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::value(PAGE))
}

fn processors(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::value(PROCESSORS))
}

fn sysconf(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let value = match args.i32(0) {
        libc::_SC_ARG_MAX => 2 << 20,
        libc::_SC_CLK_TCK => 100,
        libc::_SC_OPEN_MAX => 1024,
        libc::_SC_PAGESIZE => PAGE,
        libc::_SC_LINE_MAX => 2048,
        libc::_SC_IOV_MAX => 1024,
        libc::_SC_HOST_NAME_MAX => 64,
        libc::_SC_LOGIN_NAME_MAX => 256,
        libc::_SC_NGROUPS_MAX => 65536,
        libc::_SC_SYMLOOP_MAX => return Ok(Flow::Return(Bits::defined(u64::MAX))),
        libc::_SC_RTSIG_MAX => 32,
        libc::_SC_SEM_VALUE_MAX => i32::MAX as u64,
        libc::_SC_SEM_NSEMS_MAX => return Ok(Flow::Return(Bits::defined(u64::MAX))),
        libc::_SC_ATEXIT_MAX => i32::MAX as u64,
        libc::_SC_VERSION
        | libc::_SC_2_VERSION
        | libc::_SC_THREADS
        | libc::_SC_THREAD_SAFE_FUNCTIONS
        | libc::_SC_THREAD_ATTR_STACKADDR
        | libc::_SC_THREAD_ATTR_STACKSIZE
        | libc::_SC_THREAD_PRIORITY_SCHEDULING
        | libc::_SC_THREAD_PRIO_INHERIT
        | libc::_SC_THREAD_PRIO_PROTECT
        | libc::_SC_THREAD_PROCESS_SHARED
        | libc::_SC_TIMERS
        | libc::_SC_MONOTONIC_CLOCK
        | libc::_SC_CPUTIME
        | libc::_SC_THREAD_CPUTIME
        | libc::_SC_CLOCK_SELECTION
        | libc::_SC_SEMAPHORES
        | libc::_SC_BARRIERS
        | libc::_SC_READER_WRITER_LOCKS
        | libc::_SC_SPIN_LOCKS
        | libc::_SC_TIMEOUTS
        | libc::_SC_REALTIME_SIGNALS
        | libc::_SC_MAPPED_FILES
        | libc::_SC_MEMLOCK
        | libc::_SC_MEMORY_PROTECTION
        | libc::_SC_FSYNC => 200_809,
        libc::_SC_THREAD_DESTRUCTOR_ITERATIONS => 4,
        libc::_SC_THREAD_KEYS_MAX => 1024,
        libc::_SC_THREAD_STACK_MIN => 16384,
        libc::_SC_THREAD_THREADS_MAX => return Ok(Flow::Return(Bits::defined(u64::MAX))),
        libc::_SC_NPROCESSORS_CONF | libc::_SC_NPROCESSORS_ONLN => PROCESSORS,
        libc::_SC_PHYS_PAGES | libc::_SC_AVPHYS_PAGES => 1 << 20,
        libc::_SC_LEVEL1_DCACHE_LINESIZE | libc::_SC_LEVEL2_CACHE_LINESIZE => 64,
        name => return Err(Stop::unsupported(format!("sysconf({name})"))),
    };
    Ok(Flow::value(value))
}

/// No signal ever comes from outside.
fn pause(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Err(Stop::Blocked(Waiting::Forever("a signal (pause)")))
}

/// A sleeping thread may be resumed at any point: nothing but a step of its
/// own happens.
fn sleep(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.sleep(i64::from(args.i32(0) as u32).saturating_mul(SECOND))
}

fn usleep(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.sleep(i64::from(args.i32(0) as u32).saturating_mul(1000))
}

fn priority(context: &mut Context<'_, '_>, args: &Args<'_>, real_time: i32) -> Answer {
    match args.i32(0) {
        1 | 2 => Ok(Flow::int(real_time)),
        0 | 3 | 5 | 6 => Ok(Flow::int(0)),
        _ => context.failed(EINVAL),
    }
}

fn priority_max(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    priority(context, args, 99)
}

fn priority_min(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    priority(context, args, 1)
}

fn zero(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::int(0))
}

/// The set of processors that threads may run on: all.
pub fn write_processors(context: &mut Context<'_, '_>, bytes: u64, set: u64) -> Result<i32, Stop> {
    if bytes < 8 || !bytes.is_multiple_of(8) {
        return Ok(EINVAL);
    }
    let mut mask = vec![0; bytes as usize];
    mask[0] = ((1u32 << PROCESSORS) - 1) as u8;
    context.write_bytes(set, &mask, &[])?;
    Ok(0)
}

fn get_affinity(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match write_processors(context, args.u64(1), args.ptr(2))? {
        0 => Ok(Flow::int(0)),
        code => context.failed(code),
    }
}

fn get_priority(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.write(args.ptr(1), 4, Bits::defined(0))?;
    Ok(Flow::int(0))
}

fn get_interval(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.write(args.ptr(1), 8, Bits::defined(0))?;
    context.write(args.ptr(1) + 8, 8, Bits::defined(4_000_000))?;
    Ok(Flow::int(0))
}

fn count_processors(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let bytes = context.defined_bytes(args, args.ptr(1), args.u64(0) & !7)?;
    Ok(Flow::value(bytes.iter().map(|byte| u64::from(byte.count_ones())).sum()))
}

fn new_set(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let bytes = args.u64(0).div_ceil(64).saturating_mul(8);
    Ok(Flow::value(context.heap_block(bytes, false)?))
}

fn get_cpu(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    for index in 0..2 {
        if args.ptr(index) != 0 {
            context.write(args.ptr(index), 4, Bits::defined(0))?;
        }
    }
    Ok(Flow::int(0))
}

const PROCESSES: &str = "other processes (`{}`)";
