//! `signal.h`: signals that a program raises for itself.
//!
//! Nobody else sends any. A disposition is one word for each signal number
//! in an object of the library: 0 default, 1 ignore, else the handler.

use exeunt_ir::address::{self, Space};
use exeunt_mem::Bits;
use exeunt_model::Property;

use super::{library, messages};
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::frame::OnReturn;
use crate::machine::{Machine, thread_object};
use crate::stop::Stop;
use crate::thread::Status;

pub const TABLE: &[Builtin] = &[
    row("raise", "i:i", Effect::Visible, raise),
    row("kill", "i:ii", Effect::Visible, kill),
    row("pthread_kill", "i:li", Effect::Visible, pthread_kill),
    row("signal", "p:ip", Effect::Visible, signal),
    row("__sysv_signal", "p:ip", Effect::Visible, signal),
    row("bsd_signal", "p:ip", Effect::Visible, signal),
    row("sigaction", "i:ipp", Effect::Visible, sigaction),
    row("sigemptyset", "i:p", Effect::Memory, sigemptyset),
    row("sigfillset", "i:p", Effect::Memory, sigfillset),
    row("sigaddset", "i:pi", Effect::Memory, sigaddset),
    row("sigdelset", "i:pi", Effect::Memory, sigdelset),
    row("sigismember", "i:pi", Effect::Memory, sigismember),
    row("sigprocmask", "i:ipp", Effect::Memory, sigprocmask),
    row("pthread_sigmask", "i:ipp", Effect::Memory, pthread_sigmask),
    row("siginterrupt", "i:ii", Effect::Local, siginterrupt),
];

type Answer = Result<Flow, Stop>;

const ESRCH: i32 = 3;
const EINVAL: i32 = 22;
const SIGABRT: i32 = 6;
const SIGKILL: i32 = 9;
const SIGSTOP: i32 = 19;
/// Signals are 1 to 64.
const COUNT: i32 = 65;
/// SIGCHLD, SIGCONT, SIGURG and SIGWINCH do nothing by default.
const HARMLESS: [i32; 4] = [17, 18, 23, 28];
const STOPPING: [i32; 4] = [SIGSTOP, 20, 21, 22];

const DEFAULT: u64 = 0;
const IGNORE: u64 = 1;
const ERROR: u64 = u64::MAX;

const SA_SIGINFO: u32 = 4;
const SA_RESETHAND: u32 = 0x8000_0000;

/// What a program does when it gets a signal: the handler and the flags and
/// mask of `sigaction`, 24 bytes.
const ENTRY: u64 = 24;

impl Machine<'_> {
    fn disposition_place(&mut self, signal: i32) -> u64 {
        let bytes = COUNT as usize * ENTRY as usize;
        let table = self.library_variable(library::SIGNALS, || vec![0; bytes]);
        table + ENTRY * signal as u64
    }

    fn handler(&mut self, signal: i32) -> Result<(u64, u32), Stop> {
        let place = self.disposition_place(signal);
        Ok((self.kept_word(place)?, self.kept_word(place + 8)? as u32))
    }

    fn set_handler(
        &mut self,
        signal: i32,
        handler: u64,
        flags: u32,
        mask: u64,
    ) -> Result<(), Stop> {
        let place = self.disposition_place(signal);
        self.keep_word(place, handler)?;
        self.keep_word(place + 8, flags as u64)?;
        self.keep_word(place + 16, mask)
    }

    fn is_blocked(&mut self, signal: i32) -> Result<bool, Stop> {
        let mask = self.thread_variable(library::SIGNAL_MASK, || vec![0; 8]);
        Ok(self.kept_word(mask)? >> (signal - 1) & 1 != 0)
    }

    /// This thread gets a signal in the middle of a call, which then answers 0.
    fn deliver(&mut self, args: &Args<'_>, signal: i32) -> Answer {
        let (handler, flags) = self.handler(signal)?;
        if handler != IGNORE && self.is_blocked(signal)? {
            return Err(Stop::unsupported("a signal that is raised while it is blocked"));
        }
        match handler {
            IGNORE => Ok(Flow::int(0)),
            DEFAULT if HARMLESS.contains(&signal) => Ok(Flow::int(0)),
            DEFAULT if STOPPING.contains(&signal) => {
                Err(Stop::unsupported("stopping the process by a signal"))
            }
            DEFAULT => Err(self.fatal_signal(signal)),
            _ => {
                if flags & SA_RESETHAND != 0 {
                    self.set_handler(signal, DEFAULT, 0, 0)?;
                }
                self.run_handler(args, signal, handler, flags)
            }
        }
    }

    /// Calls a handler as if the call in progress were a call of it: it has
    /// no result, so the call keeps the 0 that is there.
    fn run_handler(&mut self, args: &Args<'_>, signal: i32, handler: u64, flags: u32) -> Answer {
        if flags & SA_SIGINFO != 0 {
            return Err(Stop::unsupported("a signal handler with three arguments (SA_SIGINFO)"));
        }
        let func = self.function_behind(handler, "a signal handler")?;
        self.tell(|_| format!("handles signal {signal}"));
        if let Some(slot) = args.site.result {
            let at = (self.top().base + slot) as usize;
            self.registers[at] = Bits::default();
        }
        self.push_internal(func, &[Bits::defined(signal as u64)], OnReturn::Continue);
        Ok(Flow::Moved)
    }

    fn fatal_signal(&self, signal: i32) -> Stop {
        let message = match signal {
            SIGABRT => "the program aborts".to_string(),
            _ => {
                let text = messages::signal_text(signal);
                format!("the program is ended by signal {signal} ({text})")
            }
        };
        self.fault(Property::Assertion, message)
    }
}

/// What a shell shows as the exit code of a program that a signal ended.
const EXIT_BY_SIGNAL: u64 = 128;

/// `abort`: the handler is reset before it runs, so the second time ends it.
pub fn abort(machine: &mut Machine<'_>) -> Answer {
    let (handler, flags) = machine.handler(SIGABRT)?;
    if matches!(handler, DEFAULT | IGNORE) {
        if machine.vm.options.abort_ends {
            machine.head.result = EXIT_BY_SIGNAL + SIGABRT as u64;
            machine.exit_program()?;
            return Err(Stop::Moved);
        }
        return Err(machine.fatal_signal(SIGABRT));
    }
    if flags & SA_SIGINFO != 0 {
        return Err(Stop::unsupported("a signal handler with three arguments (SA_SIGINFO)"));
    }
    machine.set_handler(SIGABRT, DEFAULT, 0, 0)?;
    let func = machine.function_behind(handler, "a signal handler")?;
    machine.push_internal(func, &[Bits::defined(SIGABRT as u64)], OnReturn::Again);
    Ok(Flow::Moved)
}

fn is_signal(signal: i32) -> bool {
    (1..COUNT).contains(&signal)
}

fn failed(machine: &mut Machine<'_>, code: i32) -> Answer {
    machine.set_errno(code)?;
    Ok(Flow::int(-1))
}

fn raise(machine: &mut Machine<'_>, args: &Args<'_>) -> Answer {
    match args.i32(0) {
        signal if is_signal(signal) => machine.deliver(args, signal),
        _ => failed(machine, EINVAL),
    }
}

/// To this process, or to its group, which has no other member.
fn kill(machine: &mut Machine<'_>, args: &Args<'_>) -> Answer {
    let (process, signal) = (args.i32(0), args.i32(1));
    if signal != 0 && !is_signal(signal) {
        return failed(machine, EINVAL);
    }
    if !matches!(process.unsigned_abs(), 0 | super::unistd::PROCESS) {
        return failed(machine, ESRCH);
    }
    match signal {
        0 => Ok(Flow::int(0)),
        _ => machine.deliver(args, signal),
    }
}

fn pthread_kill(machine: &mut Machine<'_>, args: &Args<'_>) -> Answer {
    let (handle, signal) = (args.u64(0), args.i32(1));
    if signal != 0 && !is_signal(signal) {
        return Ok(Flow::int(EINVAL));
    }
    if address::object(handle).space() != Some(Space::Thread) {
        return Ok(Flow::int(ESRCH));
    }
    let target = address::object(handle).index();
    let gone = target >= machine.system.threads
        || matches!(machine.status(target), Status::Free | Status::Ended { .. });
    if gone {
        return Ok(Flow::int(if signal == 0 { ESRCH } else { 0 }));
    }
    match signal {
        0 => Ok(Flow::int(0)),
        _ if handle == thread_object(machine.me).at(0) => machine.deliver(args, signal),
        _ => {
            let (handler, _) = machine.handler(signal)?;
            match handler {
                IGNORE => Ok(Flow::int(0)),
                DEFAULT if HARMLESS.contains(&signal) => Ok(Flow::int(0)),
                DEFAULT if !STOPPING.contains(&signal) => Err(machine.fatal_signal(signal)),
                _ => Err(Stop::unsupported("a signal that is sent to another thread")),
            }
        }
    }
}

fn signal(machine: &mut Machine<'_>, args: &Args<'_>) -> Answer {
    let (signal, handler) = (args.i32(0), args.ptr(1));
    if !is_signal(signal) || handler == ERROR || matches!(signal, SIGKILL | SIGSTOP) {
        machine.set_errno(EINVAL)?;
        return Ok(Flow::value(ERROR));
    }
    let (old, _) = machine.handler(signal)?;
    let once = machine.callee_name(args) == "__sysv_signal";
    machine.set_handler(signal, handler, if once { SA_RESETHAND } else { 0 }, 0)?;
    Ok(Flow::value(old))
}

/// `struct sigaction`: handler at 0, mask (128 bytes) at 8, flags at 136.
fn sigaction(machine: &mut Machine<'_>, args: &Args<'_>) -> Answer {
    let (signal, new, old) = (args.i32(0), args.ptr(1), args.ptr(2));
    if !is_signal(signal) || new != 0 && matches!(signal, SIGKILL | SIGSTOP) {
        return failed(machine, EINVAL);
    }
    let place = machine.disposition_place(signal);
    let before = [place, place + 8, place + 16].map(|addr| machine.kept_word(addr));
    let [handler, flags, mask] = before;
    let (handler, flags, mask) = (handler?, flags?, mask?);
    if new != 0 {
        let words = [machine.read(new, 8)?, machine.read(new + 8, 8)?, machine.read(new + 136, 4)?];
        if words.iter().any(|word| word.undefined != 0) {
            return Err(machine.undefined_text(args));
        }
        machine.set_handler(signal, words[0].value, words[2].value as u32, words[1].value)?;
    }
    if old != 0 {
        machine.write_bytes(old, &[0; 152], &[])?;
        machine.write(old, 8, Bits::defined(handler))?;
        machine.write(old + 8, 8, Bits::defined(mask))?;
        machine.write(old + 136, 4, Bits::defined(flags))?;
    }
    Ok(Flow::int(0))
}

// ---- sets of signals --------------------------------------------------------------

/// A set is 1024 bits, of which the first word has the signals.
fn sigemptyset(machine: &mut Machine<'_>, args: &Args<'_>) -> Answer {
    machine.write_bytes(args.ptr(0), &[0; 128], &[])?;
    Ok(Flow::int(0))
}

/// All signals but the two that glibc needs for itself.
fn sigfillset(machine: &mut Machine<'_>, args: &Args<'_>) -> Answer {
    let mut set = [0xff; 128];
    set[..8].copy_from_slice(&(!(3u64 << 31)).to_le_bytes());
    machine.write_bytes(args.ptr(0), &set, &[])?;
    Ok(Flow::int(0))
}

fn set_word(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<u64, Stop> {
    let word = machine.read(args.ptr(0), 8)?;
    if word.undefined != 0 {
        return Err(machine.undefined_text(args));
    }
    Ok(word.value)
}

fn change_set(machine: &mut Machine<'_>, args: &Args<'_>, change: fn(u64, u64) -> u64) -> Answer {
    if !is_signal(args.i32(1)) {
        return failed(machine, EINVAL);
    }
    let word = set_word(machine, args)?;
    let word = change(word, 1 << (args.i32(1) - 1));
    machine.write(args.ptr(0), 8, Bits::defined(word))?;
    Ok(Flow::int(0))
}

fn sigaddset(machine: &mut Machine<'_>, args: &Args<'_>) -> Answer {
    change_set(machine, args, |set, bit| set | bit)
}

fn sigdelset(machine: &mut Machine<'_>, args: &Args<'_>) -> Answer {
    change_set(machine, args, |set, bit| set & !bit)
}

fn sigismember(machine: &mut Machine<'_>, args: &Args<'_>) -> Answer {
    if !is_signal(args.i32(1)) {
        return failed(machine, EINVAL);
    }
    let word = set_word(machine, args)?;
    Ok(Flow::int((word >> (args.i32(1) - 1) & 1) as i32))
}

/// Changes this thread's mask; `Err` is an error number.
fn change_mask(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<i32, Stop> {
    let (how, new, old) = (args.i32(0), args.ptr(1), args.ptr(2));
    let place = machine.thread_variable(library::SIGNAL_MASK, || vec![0; 8]);
    let mask = machine.kept_word(place)?;
    if new != 0 {
        let set = machine.read(new, 8)?;
        if set.undefined != 0 {
            return Err(machine.undefined_text(args));
        }
        let changed = match how {
            0 => mask | set.value,
            1 => mask & !set.value,
            2 => set.value,
            _ => return Ok(EINVAL),
        };
        let never = 1 << (SIGKILL - 1) | 1 << (SIGSTOP - 1);
        machine.write(place, 8, Bits::defined(changed & !never))?;
    }
    if old != 0 {
        machine.write_bytes(old, &[0; 128], &[])?;
        machine.write(old, 8, Bits::defined(mask))?;
    }
    Ok(0)
}

fn sigprocmask(machine: &mut Machine<'_>, args: &Args<'_>) -> Answer {
    match change_mask(machine, args)? {
        0 => Ok(Flow::int(0)),
        code => failed(machine, code),
    }
}

fn pthread_sigmask(machine: &mut Machine<'_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(change_mask(machine, args)?))
}

fn siginterrupt(_: &mut Machine<'_>, _: &Args<'_>) -> Answer {
    Ok(Flow::int(0))
}
