//! What compiled code shares with its host: counters, the window of registers, and tables of memory that can be
//! accessed without asking.

use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use exeunt_ir::Pc;
use exeunt_ir::address::ObjId;
use exeunt_mem::{Bits, Direct};

use crate::code::{Callee, Code};

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
    /// Bytes that the stack of the thread has left; negative if calls are not to be made without us.
    fn stack_left(&mut self) -> i64;
    /// A call at an instruction of the frame on top was made without us, to this function: makes its frame. Its
    /// registers are at the beginning of these; gives how many registers and constants it has.
    fn enter(&mut self, func: u32, pc: Pc, registers: &[Bits]) -> usize;
    /// Executes a load; what may be read from now on without asking goes into the tables.
    fn load(&mut self, pc: Pc, context: &mut Context) -> Outcome;
    /// Executes a store.
    fn store(&mut self, pc: Pc, context: &mut Context) -> Outcome;
    /// A store has been executed, and something may look like a pointer now.
    fn stored(&mut self, pc: Pc, context: &mut Context) -> Outcome;
    /// Executes an instruction that only computes.
    fn compute(&mut self, pc: Pc, context: &mut Context) -> Outcome;
    /// Executes an instruction that does more, but leaves control where it is as a rule. All live registers are
    /// in the window.
    fn act(&mut self, pc: Pc, context: &mut Context) -> Outcome;
    /// Makes the frame of a call, if what it goes to is compiled ([`Context::goes_to`]).
    fn call(&mut self, pc: Pc, context: &mut Context) -> Outcome;
    /// Returns to the caller.
    fn leave(&mut self, pc: Pc, context: &mut Context) -> Outcome;
}

/// Rows of a table.
pub(crate) const ROWS: u64 = 1 << 13;
/// Bytes that a row is about: those of a piece of a large object.
pub(crate) const SPAN: u64 = 1 << SPAN_BITS;
pub(crate) const SPAN_BITS: u64 = 7;
/// The spans of an object that are forgotten one by one.
const FEW_SPANS: u64 = 64;
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
    /// No other thread can get hold of the object.
    pub(crate) private: bool,
}

const EMPTY: Row =
    Row { number: NOWHERE, start: 0, shadow: 0, low: 0, end: 0, last: 0, private: false };

/// A table of memory, with one row for each remainder of the numbers.
#[repr(C)]
pub struct Table {
    pub(crate) rows: Box<[Row]>,
    /// The rows that are not empty.
    used: Vec<u16>,
}

impl Table {
    fn new() -> Table {
        Table { rows: vec![EMPTY; ROWS as usize].into(), used: Vec::new() }
    }

    pub fn clear(&mut self) {
        for at in self.used.drain(..) {
            self.rows[usize::from(at)].number = NOWHERE;
        }
    }

    /// Nothing is known of a span any more.
    fn drop_span(&mut self, number: u64) {
        let row = &mut self.rows[row_of(number)];
        if row.number == number {
            // Where nothing is between its bounds, nothing can be accessed.
            (row.low, row.end) = (0, 0);
        }
    }

    /// Some of these bytes belong to a pointer now: nobody may read a part of it without the host. It may begin
    /// before them, or end behind them.
    pub fn drop_around(&mut self, addr: u64, len: u64) {
        self.drop_bytes(addr.saturating_sub(7)..addr + len + 7);
    }

    /// Nothing is known any more of spans with some of these bytes.
    fn drop_bytes(&mut self, bytes: Range<u64>) {
        for number in bytes.start >> SPAN_BITS..=(bytes.end - 1) >> SPAN_BITS {
            self.drop_span(number);
        }
    }

    /// The span of an address may be accessed like this.
    pub fn put(&mut self, addr: u64, direct: Direct) {
        let number = addr >> SPAN_BITS;
        let at = row_of(number);
        let Direct { start, low, end, last, shadow, private } = direct;
        let (low, end, last) = (low as i16, end as i16, last as i16);
        let row = &mut self.rows[at];
        if row.number == NOWHERE {
            self.used.push(at as u16);
        }
        *row = Row { number, start, shadow: shadow.into(), low, end, last, private };
    }
}

/// Where the row of a span is.
fn row_of(number: u64) -> usize {
    ((number ^ number >> (32 - SPAN_BITS)) % ROWS) as usize
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
    /// Calls that are nested.
    pub(crate) calls: u64,
    /// Of these, the innermost ones that the host does not know of yet.
    pub(crate) pending: u64,
    pub(crate) frames: [Pending; MOST_CALLS as usize],
    /// Where calls through pointers went the last time, by their places and pointers.
    pub(crate) targets: [Target; TARGETS],
    /// Where their registers are, one frame behind the other, and where that ends.
    pub(crate) room: *mut Bits,
    pub(crate) room_end: usize,
    /// Bytes that the stack of the thread has left.
    pub(crate) stack: i64,
    /// What a call that the host does not know of has given back.
    pub(crate) result: u64,
    /// Where the code begins that is called.
    pub(crate) target: usize,
    /// Spans whose bytes can be read.
    pub reads: Table,
    /// Spans of which aligned pointers can be read.
    pub pointers: Table,
    /// Spans into which can be written.
    pub writes: Table,
    registers: Box<[Bits]>,
    host: Option<&'static mut dyn Host>,
    panic: Option<Box<dyn Any + Send>>,
}

/// A call that the host does not know of: the function, and the instruction of its caller.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct Pending {
    pub func: u32,
    pub pc: u32,
}

/// Where a call through a pointer went: a function whose frames always take as much of the stack.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Target {
    /// The call ([`site_of`]).
    pub site: u64,
    pub pointer: u64,
    /// Where the code begins.
    pub start: usize,
    /// What its registers and constants take, and its frame of the stack of its thread.
    pub bytes: u64,
    pub stack: u64,
    pub func: u32,
}

/// Calls through pointers whose last targets are known.
pub(crate) const TARGETS: usize = 1 << 6;
const UNKNOWN: Target =
    Target { site: u64::MAX, pointer: 0, start: 0, bytes: 0, stack: 0, func: 0 };

/// An instruction of a function.
pub(crate) fn site_of(func: u32, pc: Pc) -> u64 {
    u64::from(func) << 32 | u64::from(pc)
}

/// Which row of [`Context::targets`] is about a call through a pointer: the remainder, by [`TARGETS`], of this and the
/// number of what it points to ([`OBJECT_BITS`]). A call that goes to several functions in turn has a row for each.
pub(crate) fn hash_of_site(site: u64) -> u64 {
    (site ^ site >> 32) % TARGETS as u64
}

/// How far the number of an object is from the low end of an address.
pub(crate) const OBJECT_BITS: u64 = 32;

fn place_of_target(site: u64, pointer: u64) -> usize {
    ((hash_of_site(site) ^ pointer >> OBJECT_BITS) % TARGETS as u64) as usize
}

/// Registers and constants of calls that the host does not know of.
const MOST_PENDING: usize = 1 << 12;

/// Nested calls of compiled code: each takes some of our own stack, up to about 10 KiB (`MOST_REGISTERS`).
pub(crate) const MOST_CALLS: u64 = 64;

impl Default for Context {
    fn default() -> Context {
        let mut registers: Box<[Bits]> = vec![Bits::default(); MOST_PENDING].into();
        let room = registers.as_mut_ptr_range();
        Context {
            window: std::ptr::null_mut(),
            jumps: 0,
            work: 0,
            pc: 0,
            calls: 0,
            pending: 0,
            frames: [Pending::default(); MOST_CALLS as usize],
            targets: [UNKNOWN; TARGETS],
            room: room.start,
            room_end: room.end as usize,
            stack: 0,
            result: 0,
            target: 0,
            reads: Table::new(),
            pointers: Table::new(),
            writes: Table::new(),
            registers,
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
        (self.calls, self.pending) = (0, 0);
        self.stack = host.stack_left();
        self.host = Some(host);
    }

    /// A call goes to this code.
    pub fn goes_to(&mut self, code: &Code) {
        self.target = code.address();
    }

    /// A call at an instruction of this function through this pointer goes to code of which that is known. The next
    /// one through the same pointer goes there without asking.
    pub fn goes_through(&mut self, pointer: u64, from: (u32, Pc), code: &Code, to: Callee) {
        let site = site_of(from.0, from.1);
        self.targets[place_of_target(site, pointer)] = Target {
            site,
            pointer,
            start: code.address(),
            bytes: u64::from(to.window) * size_of::<Bits>() as u64,
            stack: to.stack.into(),
            func: to.func,
        };
    }

    /// Nothing is known of memory any more.
    pub fn forget(&mut self) {
        self.reads.clear();
        self.pointers.clear();
        self.writes.clear();
    }

    /// Nothing is known of an object any more that has, or had, so many bytes.
    pub fn forget_object(&mut self, id: ObjId, size: u32) {
        let spans = u64::from(size).div_ceil(SPAN);
        if spans > FEW_SPANS {
            return self.forget();
        }
        let first = id.at(0) >> SPAN_BITS;
        for number in first..first + spans {
            self.reads.drop_span(number);
            self.pointers.drop_span(number);
            self.writes.drop_span(number);
        }
    }

    /// Asks the host. A panic is kept until the code, through which it cannot go, has been left.
    fn ask(&mut self, question: impl FnOnce(&mut dyn Host, &mut Self) -> Outcome) -> u64 {
        let Some(host) = self.host.take() else { return LEAVES };
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            self.make_frames(host);
            question(host, self)
        }));
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

    /// Tells the host of the calls that it does not know of.
    fn make_frames(&mut self, host: &mut dyn Host) {
        if self.pending == 0 {
            return;
        }
        let mut at = 0;
        for &Pending { func, pc } in &self.frames[..std::mem::take(&mut self.pending) as usize] {
            at += host.enter(func, pc, &self.registers[at..]);
        }
        self.look_at(host);
    }

    /// Another frame may be on top, or in another place.
    fn look_at(&mut self, host: &mut dyn Host) {
        self.window = host.window().as_mut_ptr();
        self.stack = host.stack_left();
    }

    pub(crate) fn end(&mut self) -> (Pc, u64, i64) {
        if let Some(host) = self.host.take() {
            self.make_frames(host);
        }
        if let Some(panic) = self.panic.take() {
            std::panic::resume_unwind(panic);
        }
        (self.pc as Pc, self.jumps, self.work)
    }
}

/// Outcomes as code sees them.
pub(crate) const GOES_ON: u64 = 0;
pub(crate) const LEAVES: u64 = 1;
/// A call has returned that the host does not know of.
pub(crate) const RETURNED: u64 = 2;

/// The functions that compiled code calls.
pub(crate) mod asked {
    #![allow(unsafe_code)]

    use exeunt_ir::address::Space;
    use exeunt_mem::{Word, may_end_pointer};

    use super::{Context, LEAVES, MOST_CALLS, Outcome, Pc, Row, SPAN};

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

    asked! { load store stored compute }

    /// Whether the host must be told of a store: bytes from `first` to `last` of a span, which begins at
    /// `start`, may be the ends of pointers.
    pub(crate) extern "C" fn points(start: *const u8, first: u64, last: u64) -> u64 {
        // SAFETY: these bytes are of one object, and may be looked at ([`Row`](super::Row)); they lie behind
        // the start of their span in memory that is there.
        let span = unsafe { std::slice::from_raw_parts(start, last as usize + 1) };
        may_end_pointer(span, first as usize).into()
    }

    /// The same for eight bytes at an address, a multiple of eight, of the span of a row. That a pointer to the heap
    /// is in private memory is no news for the host.
    pub(crate) extern "C" fn points_whole(
        context: *mut Context,
        row: *const Row,
        address: u64,
    ) -> u64 {
        // SAFETY: compiled code hands on the pointer that `Code::run` gave it, and one to a row of its tables,
        // which stay where they are; nobody else uses them while the code runs.
        let (row, context) = unsafe { (*row, &mut *context) };
        let at = (address % SPAN) as usize;
        let last = (at + 14).min(row.last as usize);
        // SAFETY: as in `points`.
        let span = unsafe { std::slice::from_raw_parts(row.start as *const u8, last + 1) };
        match Word::at(span, at) {
            Word::Number => 0,
            Word::Pointer(target) if row.private && target.space() == Some(Space::Heap) => {
                context.reads.drop_around(address, 8);
                0
            }
            Word::Pointer(_) | Word::Unclear => 1,
        }
    }

    pub(crate) extern "C" fn act(context: *mut Context, pc: u64) -> u64 {
        // SAFETY: as above.
        let context = unsafe { &mut *context };
        context.ask(|host, context| {
            let outcome = host.act(pc as Pc, context);
            if outcome == Outcome::GoesOn {
                context.look_at(host);
            }
            outcome
        })
    }

    pub(crate) extern "C" fn call(context: *mut Context, pc: u64) -> u64 {
        // SAFETY: as above.
        let context = unsafe { &mut *context };
        if context.calls >= MOST_CALLS {
            return LEAVES;
        }
        context.ask(|host, context| {
            let outcome = host.call(pc as Pc, context);
            if outcome == Outcome::GoesOn {
                context.calls += 1;
                context.look_at(host);
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
                context.calls -= 1;
                context.look_at(host);
            }
            outcome
        })
    }
}
