//! What compiled code shares with its host: counters, the window of registers, and tables of memory that can be
//! accessed without asking.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use exeunt_ir::Pc;
use exeunt_mem::{Bits, Direct};

use crate::code::Code;

/// Whether compiled code goes on behind what it has asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    GoesOn,
    /// It is left in front of the instruction, or the instruction has failed.
    Leaves,
}

/// Executes what compiled code does not do itself, for the frame on top. Operands are in the window then, and
/// results are expected there.
pub trait Host {
    /// The registers and constants of the frame on top.
    fn window(&mut self) -> &mut [Bits];
    /// Executes a load; what may be read from now on without asking goes into the tables.
    fn load(&mut self, pc: Pc, context: &mut Context) -> Outcome;
    /// Executes a store.
    fn store(&mut self, pc: Pc, context: &mut Context) -> Outcome;
    /// A store has been executed, and something may look like a pointer now.
    fn stored(&mut self, pc: Pc, context: &mut Context) -> Outcome;
    /// Executes an instruction that only computes.
    fn compute(&mut self, pc: Pc, context: &mut Context) -> Outcome;
    /// Executes an instruction that does more, but leaves control where it is. All live registers are in
    /// the window.
    fn act(&mut self, pc: Pc, context: &mut Context) -> Outcome;
    /// Makes the frame of a call, if what it goes to is compiled ([`Context::goes_to`]).
    fn call(&mut self, pc: Pc, context: &mut Context) -> Outcome;
    /// Returns to the caller.
    fn leave(&mut self, pc: Pc, context: &mut Context) -> Outcome;
}

/// Rows of a table.
pub(crate) const ROWS: u64 = 1 << 10;
/// Bytes that a row is about: those of a piece of a large object.
pub(crate) const SPAN: u64 = 1 << SPAN_BITS;
pub(crate) const SPAN_BITS: u64 = 7;
/// No address has this one above its span.
const NOWHERE: u64 = u64::MAX;

/// Memory that can be accessed: bytes `low..end` of the span with this number.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Row {
    pub(crate) number: u64,
    pub(crate) start: usize,
    /// How far behind a byte its shadow is; zero if there is none.
    pub(crate) shadow: u64,
    pub(crate) low: i16,
    pub(crate) end: i16,
    /// The last byte behind that may be looked at.
    pub(crate) last: i16,
}

const EMPTY: Row = Row { number: NOWHERE, start: 0, shadow: 0, low: 0, end: 0, last: 0 };

/// A table of memory, with one row for each remainder of the numbers.
#[repr(C)]
pub struct Table {
    rows: [Row; ROWS as usize],
    /// The rows that are not empty.
    used: Vec<u16>,
}

impl Table {
    fn new() -> Table {
        Table { rows: [EMPTY; ROWS as usize], used: Vec::new() }
    }

    pub fn clear(&mut self) {
        for at in self.used.drain(..) {
            self.rows[usize::from(at)].number = NOWHERE;
        }
    }

    /// The span of an address may be accessed like this.
    pub fn put(&mut self, addr: u64, direct: Direct) {
        let number = addr >> SPAN_BITS;
        let at = (number ^ number >> (32 - SPAN_BITS)) % ROWS;
        let Direct { start, low, end, last, shadow } = direct;
        let (low, end, last) = (low as i16, end as i16, last as i16);
        let row = &mut self.rows[at as usize];
        if row.number == NOWHERE {
            self.used.push(at as u16);
        }
        *row = Row { number, start, shadow: shadow.into(), low, end, last };
    }
}

/// The state of compiled code while it runs.
#[repr(C)]
pub struct Context {
    /// The registers of the frame on top.
    pub(crate) window: *mut Bits,
    /// Backward jumps that may be made.
    pub jumps: u64,
    /// Instructions that may be executed, as far as loops, calls and returns count them.
    pub work: i64,
    /// Where the code was left.
    pub(crate) pc: u64,
    /// Calls that may still be nested, and that are.
    pub(crate) calls_left: u64,
    pub(crate) calls: u64,
    /// Where the code begins that is called.
    pub(crate) target: usize,
    /// Spans whose bytes can be read.
    pub reads: Table,
    /// Spans of which aligned pointers can be read.
    pub pointers: Table,
    /// Spans into which can be written.
    pub writes: Table,
    host: Option<&'static mut dyn Host>,
    panic: Option<Box<dyn Any + Send>>,
}

/// Nested calls of compiled code: each takes some of our own stack, up to about 10 KiB (`MOST_REGISTERS`).
const MOST_CALLS: u64 = 64;

impl Default for Context {
    fn default() -> Context {
        Context {
            window: std::ptr::null_mut(),
            jumps: 0,
            work: 0,
            pc: 0,
            calls_left: 0,
            calls: 0,
            target: 0,
            reads: Table::new(),
            pointers: Table::new(),
            writes: Table::new(),
            host: None,
            panic: None,
        }
    }
}

impl Context {
    /// Before code is entered. The host is there until [`Context::end`].
    pub(crate) fn begin(&mut self, host: &'static mut dyn Host, jumps: u64, work: i64) {
        self.window = host.window().as_mut_ptr();
        (self.jumps, self.work) = (jumps, work);
        (self.calls_left, self.calls) = (MOST_CALLS, 0);
        self.forget();
        self.host = Some(host);
    }

    /// A call goes to this code.
    pub fn goes_to(&mut self, code: &Code) {
        self.target = code.address();
    }

    /// Nothing is known of memory any more.
    pub fn forget(&mut self) {
        self.reads.clear();
        self.pointers.clear();
        self.writes.clear();
    }

    /// Asks the host. A panic is kept until the code, through which it cannot go, has been left.
    fn ask(&mut self, question: impl FnOnce(&mut dyn Host, &mut Self) -> Outcome) -> u64 {
        let Some(host) = self.host.take() else { return LEAVES };
        let outcome = catch_unwind(AssertUnwindSafe(|| question(host, self)));
        self.host = Some(host);
        match outcome {
            Ok(Outcome::GoesOn) => GOES_ON,
            Ok(Outcome::Leaves) => LEAVES,
            Err(panic) => {
                self.panic = Some(panic);
                LEAVES
            }
        }
    }

    pub(crate) fn end(&mut self) -> (Pc, u64, i64) {
        self.host = None;
        if let Some(panic) = self.panic.take() {
            std::panic::resume_unwind(panic);
        }
        (self.pc as Pc, self.jumps, self.work)
    }
}

/// Outcomes as code sees them.
pub(crate) const GOES_ON: u64 = 0;
pub(crate) const LEAVES: u64 = 1;

/// The functions that compiled code calls.
pub(crate) mod asked {
    #![allow(unsafe_code)]

    use super::{Context, LEAVES, Outcome, Pc};

    macro_rules! asked {
        ($($name:ident)*) => {
            $(pub(crate) extern "C" fn $name(context: *mut Context, pc: u64) -> u64 {
                // SAFETY: compiled code hands on the pointer that `Code::run` gave it, which nobody
                // else uses while the code runs.
                let context = unsafe { &mut *context };
                context.ask(|host, context| host.$name(pc as Pc, context))
            })*
        };
    }

    asked! { load store stored compute act }

    pub(crate) extern "C" fn call(context: *mut Context, pc: u64) -> u64 {
        // SAFETY: as above.
        let context = unsafe { &mut *context };
        if context.calls_left == 0 {
            return LEAVES;
        }
        context.ask(|host, context| {
            let outcome = host.call(pc as Pc, context);
            if outcome == Outcome::GoesOn {
                context.calls_left -= 1;
                context.calls += 1;
                context.window = host.window().as_mut_ptr();
            }
            outcome
        })
    }

    pub(crate) extern "C" fn leave(context: *mut Context, pc: u64) -> u64 {
        // SAFETY: as above.
        let context = unsafe { &mut *context };
        // The caller of the first function is not compiled code.
        if context.calls == 0 {
            return LEAVES;
        }
        context.ask(|host, context| {
            let outcome = host.leave(pc as Pc, context);
            if outcome == Outcome::GoesOn {
                context.calls_left += 1;
                context.calls -= 1;
                context.window = host.window().as_mut_ptr();
            }
            outcome
        })
    }
}
