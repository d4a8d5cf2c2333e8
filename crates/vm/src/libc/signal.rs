//! `signal.h`: signals that a program raises for itself.
//!
//! What others send is not modelled: a handler for a signal that can come from
//! outside makes a search inconclusive (`--signals none` says that none come).
//! A disposition is one word for each signal number in an object of the
//! library: 0 default, 1 ignore, else the handler. While a handler runs its
//! signal is blocked, and what is raised meanwhile waits for its end.

use exeunt_mem::Bits;
use exeunt_model::Property;
use libc::{EINVAL, ESRCH, SIGABRT, SIGKILL, SIGSTOP};

use super::{library, messages};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::machine::thread_object;
use crate::stop::Stop;
use crate::thread::Status;
use crate::thread::frame::OnReturn;

pub const TABLE: &[Builtin] = &[
    row("raise", "i:i", Effect::Visible, raise).moves_control().disturbs(),
    row("kill", "i:ii", Effect::Visible, kill).moves_control().disturbs(),
    row("pthread_kill", "i:li", Effect::Visible, pthread_kill).moves_control().disturbs(),
    row("signal", "p:ip", Effect::Visible, signal).disturbs().outside_if(may_be_sent),
    row("__sysv_signal", "p:ip", Effect::Visible, sysv_signal).disturbs().outside_if(may_be_sent),
    row("bsd_signal", "p:ip", Effect::Visible, signal).disturbs().outside_if(may_be_sent),
    row("sigaction", "i:ipp", Effect::Visible, sigaction)
        .disturbs()
        .outside_if(may_be_sent_by_action),
    row("sigemptyset", "i:p", Effect::Memory, sigemptyset),
    row("sigfillset", "i:p", Effect::Memory, sigfillset),
    row("sigaddset", "i:pi", Effect::Memory, sigaddset),
    row("sigdelset", "i:pi", Effect::Memory, sigdelset),
    row("sigismember", "i:pi", Effect::Memory, sigismember),
    row("sigprocmask", "i:ipp", Effect::Memory, sigprocmask).moves_control(),
    row("pthread_sigmask", "i:ipp", Effect::Memory, pthread_sigmask).moves_control(),
    row("siginterrupt", "i:ii", Effect::Local, siginterrupt),
];

type Answer = Result<Flow, Stop>;

/// Signals are 1 to 64.
const COUNT: i32 = 65;
/// SIGCHLD, SIGCONT, SIGURG and SIGWINCH do nothing by default.
const HARMLESS: [i32; 4] = [17, 18, 23, 28];
const STOPPING: [i32; 4] = [SIGSTOP, 20, 21, 22];

/// SIGKILL and SIGSTOP.
const NEVER_BLOCKED: u64 = 1 << (SIGKILL - 1) | 1 << (SIGSTOP - 1);

const DEFAULT: u64 = 0;
const IGNORE: u64 = 1;
const ERROR: u64 = u64::MAX;

const SA_SIGINFO: u32 = 4;
const SA_RESETHAND: u32 = 0x8000_0000;
const SA_NODEFER: u32 = 0x4000_0000;

/// What a thread has of signals: the mask, those that are pending, how many
/// handlers run, and the masks to go back to behind them. 8 bytes each.
const PENDING: u64 = 8;
const RUNNING: u64 = 16;
const SAVED: u64 = 24;
const MOST_HANDLERS: u64 = 16;
const STATE_BYTES: usize = (SAVED + 8 * MOST_HANDLERS) as usize;

/// SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS: what a program
/// does to itself.
const OWN: [u64; 7] = [4, 5, 6, 7, 8, 11, 31];
pub const FROM_OUTSIDE: &str =
    "no signal came from outside to run its handler (--signals none accepts that)";

/// Whether a call of `signal` may install a handler for others to run.
fn may_be_sent(args: &[Option<u64>]) -> Option<&'static str> {
    let own = matches!(args.first(), Some(Some(number)) if OWN.contains(number));
    let no_handler = matches!(args.get(1), Some(Some(DEFAULT | IGNORE)));
    (!own && !no_handler).then_some(FROM_OUTSIDE)
}

/// The same for `sigaction`, whose handler is in memory.
fn may_be_sent_by_action(args: &[Option<u64>]) -> Option<&'static str> {
    let own = matches!(args.first(), Some(Some(number)) if OWN.contains(number));
    let only_asks = matches!(args.get(1), Some(Some(0)));
    (!own && !only_asks).then_some(FROM_OUTSIDE)
}

/// What a program does when it gets a signal: the handler and the flags and
/// mask of `sigaction`, 24 bytes.
const ENTRY: u64 = 24;

impl Context<'_, '_> {
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

    fn signal_state(&mut self) -> u64 {
        self.thread_variable(library::SIGNAL_STATE, || vec![0; STATE_BYTES])
    }

    /// The signals that this thread has blocked.
    pub fn signal_mask(&mut self) -> Result<u64, Stop> {
        if !self.has_thread_variable(library::SIGNAL_STATE) {
            return Ok(0);
        }
        let state = self.signal_state();
        self.kept_word(state)
    }

    fn is_blocked(&mut self, signal: i32) -> Result<bool, Stop> {
        Ok(self.signal_mask()? >> (signal - 1) & 1 != 0)
    }

    /// A new thread has the mask of the one that makes it.
    pub fn inherit_signal_mask(&mut self, thread: u32) -> Result<(), Stop> {
        let mask = self.signal_mask()?;
        if mask != 0 {
            let mut bytes = vec![0; STATE_BYTES];
            bytes[..8].copy_from_slice(&mask.to_le_bytes());
            self.variable_of_thread(thread, library::SIGNAL_STATE, || bytes);
        }
        Ok(())
    }

    /// This thread gets a signal in the middle of a call, which then answers 0.
    fn deliver(&mut self, args: &Args<'_>, signal: i32) -> Answer {
        let (handler, _) = self.handler(signal)?;
        if handler != IGNORE && self.is_blocked(signal)? {
            let state = self.signal_state();
            let pending = self.kept_word(state + PENDING)?;
            self.write(state + PENDING, 8, Bits::defined(pending | 1 << (signal - 1)))?;
            return Ok(Flow::int(0));
        }
        match self.handle(signal)? {
            true => {
                self.answer_zero(args);
                Ok(Flow::Moved)
            }
            false => Ok(Flow::int(0)),
        }
    }

    /// The call in progress answers 0 when the handler above it has returned.
    fn answer_zero(&mut self, args: &Args<'_>) {
        if let Some(slot) = args.site.result {
            let frame = self.frames()[self.frames().len() - 2];
            self.set_register(&frame, slot, Bits::default());
        }
    }

    /// Does what a signal does; `true` if a handler is on top now.
    fn handle(&mut self, signal: i32) -> Result<bool, Stop> {
        let (handler, flags) = self.handler(signal)?;
        match handler {
            IGNORE => Ok(false),
            DEFAULT if HARMLESS.contains(&signal) => Ok(false),
            DEFAULT if STOPPING.contains(&signal) => {
                Err(Stop::unsupported("stopping the process by a signal"))
            }
            DEFAULT => Err(self.fatal_signal(signal)),
            _ => {
                self.run_handler(signal, handler, flags)?;
                Ok(true)
            }
        }
    }

    /// Calls a handler above the call in progress. Until it returns its signal
    /// is blocked, and so is what `sigaction` was given.
    fn run_handler(&mut self, signal: i32, handler: u64, flags: u32) -> Result<(), Stop> {
        if flags & SA_SIGINFO != 0 {
            return Err(Stop::unsupported("a signal handler with three arguments (SA_SIGINFO)"));
        }
        let func = self.function_behind(handler, "a signal handler")?;
        self.tell(|_| format!("handles signal {signal}"));
        let place = self.disposition_place(signal);
        let more = self.kept_word(place + 16)?;
        let own = if flags & SA_NODEFER != 0 { 0 } else { 1 << (signal - 1) };
        if flags & SA_RESETHAND != 0 {
            self.set_handler(signal, DEFAULT, 0, 0)?;
        }
        let state = self.signal_state();
        let (mask, running) = (self.kept_word(state)?, self.kept_word(state + RUNNING)?);
        if running >= MOST_HANDLERS {
            return Err(Stop::unsupported("more than 16 nested signal handlers"));
        }
        self.write(state + SAVED + 8 * running, 8, Bits::defined(mask))?;
        self.write(state + RUNNING, 8, Bits::defined(running + 1))?;
        self.write(state, 8, Bits::defined((mask | more | own) & !NEVER_BLOCKED))?;
        self.push_internal(func, &[Bits::defined(signal as u64)], OnReturn::Handled);
        Ok(())
    }

    /// A handler has returned: the mask is what it was, and what has come
    /// meanwhile is handled.
    pub fn handler_returned(&mut self) -> Result<(), Stop> {
        let mask = self.forget_handler()?;
        let state = self.signal_state();
        self.write(state, 8, Bits::defined(mask))?;
        if !self.handle_pending()? {
            let pc = self.top().pc;
            self.set_pc(pc + 1);
        }
        Ok(())
    }

    /// A handler is no longer running; returns the mask of before it.
    pub fn forget_handler(&mut self) -> Result<u64, Stop> {
        let state = self.signal_state();
        let running = self.kept_word(state + RUNNING)?.saturating_sub(1);
        let saved = state + SAVED + 8 * running;
        let mask = self.kept_word(saved)?;
        self.write(saved, 8, Bits::defined(0))?;
        self.write(state + RUNNING, 8, Bits::defined(running))?;
        Ok(mask)
    }

    /// Handles the lowest signal that waits and is not blocked; `true` if a
    /// handler is on top now.
    fn handle_pending(&mut self) -> Result<bool, Stop> {
        let state = self.signal_state();
        loop {
            let pending = self.kept_word(state + PENDING)?;
            let ready = pending & !self.kept_word(state)?;
            if ready == 0 {
                return Ok(false);
            }
            let bit = ready.trailing_zeros();
            self.write(state + PENDING, 8, Bits::defined(pending & !(1 << bit)))?;
            if self.handle(bit as i32 + 1)? {
                return Ok(true);
            }
        }
    }

    /// `siglongjmp` brings a mask back.
    pub fn restore_signal_mask(&mut self, mask: u64) -> Result<(), Stop> {
        if mask == 0 && !self.has_thread_variable(library::SIGNAL_STATE) {
            return Ok(());
        }
        let state = self.signal_state();
        self.write(state, 8, Bits::defined(mask))?;
        if self.kept_word(state + PENDING)? & !mask != 0 {
            return Err(Stop::unsupported("a pending signal that siglongjmp lets through"));
        }
        Ok(())
    }

    /// Whether the program has said that a signal does nothing.
    pub fn ignores_signal(&mut self, signal: i32) -> Result<bool, Stop> {
        match self.handler(signal)?.0 {
            IGNORE => Ok(true),
            DEFAULT => Ok(false),
            _ => Err(Stop::unsupported("a handler for a signal of the kernel")),
        }
    }

    /// The kernel sends a signal that ends the program.
    pub fn dies_of(&self, signal: i32) -> Stop {
        self.fatal_signal(signal)
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
pub fn abort(context: &mut Context<'_, '_>) -> Answer {
    let (handler, flags) = context.handler(SIGABRT)?;
    if matches!(handler, DEFAULT | IGNORE) {
        if context.options().abort_ends {
            context.own_mut().result = EXIT_BY_SIGNAL + SIGABRT as u64;
            context.exit_program()?;
            return Err(Stop::Moved);
        }
        return Err(context.fatal_signal(SIGABRT));
    }
    if flags & SA_SIGINFO != 0 {
        return Err(Stop::unsupported("a signal handler with three arguments (SA_SIGINFO)"));
    }
    context.set_handler(SIGABRT, DEFAULT, 0, 0)?;
    let func = context.function_behind(handler, "a signal handler")?;
    context.push_internal(func, &[Bits::defined(SIGABRT as u64)], OnReturn::Again);
    Ok(Flow::Moved)
}

fn is_signal(signal: i32) -> bool {
    (1..COUNT).contains(&signal)
}

fn failed(context: &mut Context<'_, '_>, code: i32) -> Answer {
    context.set_errno(code)?;
    Ok(Flow::int(-1))
}

fn raise(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match args.i32(0) {
        signal if is_signal(signal) => context.deliver(args, signal),
        _ => failed(context, EINVAL),
    }
}

/// To this process, or to its group, which has no other member.
fn kill(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (process, signal) = (args.i32(0), args.i32(1));
    if signal != 0 && !is_signal(signal) {
        return failed(context, EINVAL);
    }
    if !matches!(process.unsigned_abs(), 0 | super::unistd::PROCESS) {
        return failed(context, ESRCH);
    }
    match signal {
        0 => Ok(Flow::int(0)),
        _ if !context.alone() && context.is_blocked(signal)? => {
            Err(Stop::unsupported("a signal to the process that this thread has blocked"))
        }
        _ => context.deliver(args, signal),
    }
}

fn pthread_kill(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (handle, signal) = (args.u64(0), args.i32(1));
    if signal != 0 && !is_signal(signal) {
        return Ok(Flow::int(EINVAL));
    }
    let target = context.thread_behind(handle)?;
    // It has ended but its handle is still good.
    if matches!(context.status(target), Status::Ended { .. }) {
        return Ok(Flow::int(0));
    }
    match signal {
        0 => Ok(Flow::int(0)),
        _ if handle == thread_object(context.me()).at(0) => context.deliver(args, signal),
        _ => {
            let (handler, _) = context.handler(signal)?;
            match handler {
                IGNORE => Ok(Flow::int(0)),
                DEFAULT if HARMLESS.contains(&signal) => Ok(Flow::int(0)),
                DEFAULT if !STOPPING.contains(&signal) => Err(context.fatal_signal(signal)),
                _ => Err(Stop::unsupported("a signal that is sent to another thread")),
            }
        }
    }
}

fn signal(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    install(context, args, 0)
}

/// The handler is installed for one signal.
fn sysv_signal(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    install(context, args, SA_RESETHAND | SA_NODEFER)
}

fn install(context: &mut Context<'_, '_>, args: &Args<'_>, flags: u32) -> Answer {
    let (signal, handler) = (args.i32(0), args.ptr(1));
    if !is_signal(signal) || handler == ERROR || matches!(signal, SIGKILL | SIGSTOP) {
        context.set_errno(EINVAL)?;
        return Ok(Flow::value(ERROR));
    }
    let (old, _) = context.handler(signal)?;
    context.set_handler(signal, handler, flags, 0)?;
    Ok(Flow::value(old))
}

/// `struct sigaction`: handler at 0, mask (128 bytes) at 8, flags at 136.
fn sigaction(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (signal, new, old) = (args.i32(0), args.ptr(1), args.ptr(2));
    if !is_signal(signal) || new != 0 && matches!(signal, SIGKILL | SIGSTOP) {
        return failed(context, EINVAL);
    }
    let place = context.disposition_place(signal);
    let before = [place, place + 8, place + 16].map(|addr| context.kept_word(addr));
    let [handler, flags, mask] = before;
    let (handler, flags, mask) = (handler?, flags?, mask?);
    if new != 0 {
        let words = [context.read(new, 8)?, context.read(new + 8, 8)?, context.read(new + 136, 4)?];
        if words.iter().any(|word| word.undefined != 0) {
            return Err(context.undefined_text(args));
        }
        context.set_handler(signal, words[0].value, words[2].value as u32, words[1].value)?;
    }
    if old != 0 {
        context.write_bytes(old, &[0; 152], &[])?;
        context.write(old, 8, Bits::defined(handler))?;
        context.write(old + 8, 8, Bits::defined(mask))?;
        context.write(old + 136, 4, Bits::defined(flags))?;
    }
    Ok(Flow::int(0))
}

// ---- sets of signals --------------------------------------------------------------

/// A set is 1024 bits, of which the first word has the signals.
fn sigemptyset(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.write_bytes(args.ptr(0), &[0; 128], &[])?;
    Ok(Flow::int(0))
}

/// All signals but the two that glibc needs for itself.
fn sigfillset(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let mut set = [0xff; 128];
    set[..8].copy_from_slice(&(!(3u64 << 31)).to_le_bytes());
    context.write_bytes(args.ptr(0), &set, &[])?;
    Ok(Flow::int(0))
}

fn set_word(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<u64, Stop> {
    let word = context.read(args.ptr(0), 8)?;
    if word.undefined != 0 {
        return Err(context.undefined_text(args));
    }
    Ok(word.value)
}

fn change_set(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    change: fn(u64, u64) -> u64,
) -> Answer {
    if !is_signal(args.i32(1)) {
        return failed(context, EINVAL);
    }
    let word = set_word(context, args)?;
    let word = change(word, 1 << (args.i32(1) - 1));
    context.write(args.ptr(0), 8, Bits::defined(word))?;
    Ok(Flow::int(0))
}

fn sigaddset(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    change_set(context, args, |set, bit| set | bit)
}

fn sigdelset(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    change_set(context, args, |set, bit| set & !bit)
}

fn sigismember(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if !is_signal(args.i32(1)) {
        return failed(context, EINVAL);
    }
    let word = set_word(context, args)?;
    Ok(Flow::int((word >> (args.i32(1) - 1) & 1) as i32))
}

/// Changes this thread's mask; `Err` is an error number.
fn change_mask(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<i32, Stop> {
    let (how, new, old) = (args.i32(0), args.ptr(1), args.ptr(2));
    let place = context.signal_state();
    let mask = context.kept_word(place)?;
    if new != 0 {
        let set = context.read(new, 8)?;
        if set.undefined != 0 {
            return Err(context.undefined_text(args));
        }
        let changed = match how {
            0 => mask | set.value,
            1 => mask & !set.value,
            2 => set.value,
            _ => return Ok(EINVAL),
        };
        context.write(place, 8, Bits::defined(changed & !NEVER_BLOCKED))?;
    }
    if old != 0 {
        context.write_bytes(old, &[0; 128], &[])?;
        context.write(old, 8, Bits::defined(mask))?;
    }
    Ok(0)
}

fn sigprocmask(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match change_mask(context, args)? {
        0 => let_pending_through(context, args),
        code => failed(context, code),
    }
}

fn pthread_sigmask(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match change_mask(context, args)? {
        0 => let_pending_through(context, args),
        code => Ok(Flow::int(code)),
    }
}

/// Signals that waited and are no longer blocked come before the call returns.
fn let_pending_through(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if context.handle_pending()? {
        context.answer_zero(args);
        return Ok(Flow::Moved);
    }
    Ok(Flow::int(0))
}

fn siginterrupt(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::int(0))
}
