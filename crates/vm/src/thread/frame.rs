//! Call frames and their encoded form.
//!
//! Frames are encoded bottom first; each ends with a word that has its length, so that
//! the top frame can be read from the end and lower frames stay encoded until
//! control returns to them. Only live registers are encoded: a function that only
//! calls another one, as those of the C++ library do, takes two words.

use exeunt_ir::address::ObjId;
use exeunt_ir::liveness::Liveness;
use exeunt_ir::{Function, Pc};
use exeunt_mem::Bits;

/// What happens in the caller when this frame returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnReturn {
    /// The results are written and the caller goes on after its call.
    Continue,
    /// The caller executes its instruction again (`pthread_once` runs its
    /// routine this way).
    Again,
    /// The end of the program goes on (a handler of `atexit`).
    Exit,
    /// A signal was handled; the caller's call is complete.
    Handled,
}

impl OnReturn {
    fn from_bits(bits: u64) -> OnReturn {
        match bits & 3 {
            0 => OnReturn::Continue,
            1 => OnReturn::Again,
            2 => OnReturn::Exit,
            _ => OnReturn::Handled,
        }
    }
}

/// The last word of a frame: the number of its objects, flags, and in its upper half the
/// number of its words. Its lower half is below 2^31, so it looks like no pointer.
const OBJECTS: u64 = 0x00ff_ffff;
const UNDEFINED: u64 = 1 << 24;
const VARARGS: u64 = 1 << 25;
const EXECUTES: u64 = 1 << 26;
/// Where the two bits of it are.
const ON_RETURN: u32 = 27;
const LENGTH: u32 = 32;

/// A call in progress, its registers at `base..` of the register stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub func: u32,
    pub pc: Pc,
    pub base: u32,
    /// Where this frame's objects begin in the list of stack objects.
    pub objects: u32,
    /// The object with variadic arguments, or null.
    pub varargs: ObjId,
    pub on_return: OnReturn,
}

/// A function as the machine needs it while executing.
pub struct Code<'p> {
    pub function: &'p Function,
    pub liveness: &'p Liveness,
}

/// Appends a frame. `executes` says whether it will execute its instruction
/// (so what is live before it matters) or waits for the call there to return.
pub fn encode(
    frame: &Frame,
    executes: bool,
    liveness: &Liveness,
    window: &[Bits],
    objects: &[ObjId],
    out: &mut Vec<u64>,
) {
    let start = out.len();
    let live = if executes { liveness.before(frame.pc) } else { liveness.across(frame.pc) };
    let undefined = live.iter().any(|&slot| window[slot as usize].undefined != 0);
    out.push(frame.func as u64 | (frame.pc as u64) << 32);
    if frame.varargs.0 != 0 {
        out.push(frame.varargs.0.into());
    }
    out.extend(objects.iter().map(|id| id.0 as u64));
    push_live(live, window, out);
    if undefined {
        out.extend(live.iter().map(|&slot| window[slot as usize].undefined));
    }
    let flag = |set: bool, flag: u64| if set { flag } else { 0 };
    out.push(
        objects.len() as u64
            | flag(undefined, UNDEFINED)
            | flag(frame.varargs.0 != 0, VARARGS)
            | flag(executes, EXECUTES)
            | (frame.on_return as u64) << ON_RETURN
            | ((out.len() - start + 1) as u64) << LENGTH,
    );
}

/// Appends the values of registers.
pub fn push_live(live: &[exeunt_ir::Slot], window: &[Bits], out: &mut Vec<u64>) {
    out.extend(live.iter().map(|&slot| {
        let bits = window[slot as usize];
        bits.value & !bits.undefined
    }));
}

/// Splits the top frame off encoded frames: (lower frames, top frame).
pub fn split_top(words: &[u64]) -> Option<(&[u64], &[u64])> {
    let length = (*words.last()? >> LENGTH) as usize;
    Some(words.split_at(words.len() - length))
}

/// The function and program counter of an encoded frame.
pub fn peek(words: &[u64]) -> (u32, Pc) {
    (words[0] as u32, (words[0] >> 32) as Pc)
}

/// The last word of an encoded frame.
fn flags(words: &[u64]) -> u64 {
    words[words.len() - 1]
}

/// What is between the first and the last word: the object with variadic arguments,
/// the objects, and the registers.
fn parts(words: &[u64]) -> (ObjId, &[u64], &[u64]) {
    let flags = flags(words);
    let start = if flags & VARARGS != 0 { 2 } else { 1 };
    let varargs = if start == 2 { ObjId(words[1] as u32) } else { ObjId(0) };
    let (objects, values) = words[start..].split_at((flags & OBJECTS) as usize);
    (varargs, objects, values)
}

/// The objects of an encoded frame.
pub fn objects_of(words: &[u64]) -> impl Iterator<Item = ObjId> {
    parts(words).1.iter().map(|&id| ObjId(id as u32))
}

/// What happens when an encoded frame returns.
pub fn peek_on_return(words: &[u64]) -> OnReturn {
    OnReturn::from_bits(flags(words) >> ON_RETURN)
}

/// Whether an encoded frame executes its instruction.
pub fn executes(words: &[u64]) -> bool {
    flags(words) & EXECUTES != 0
}

/// Reads a frame; its registers are appended to `registers` and its objects
/// to `objects`.
pub fn decode(
    words: &[u64],
    code: &Code<'_>,
    registers: &mut Vec<Bits>,
    objects: &mut Vec<ObjId>,
) -> Frame {
    let (func, pc) = peek(words);
    let (varargs, ids, values) = parts(words);
    let frame = Frame {
        func,
        pc,
        base: registers.len() as u32,
        objects: objects.len() as u32,
        varargs,
        on_return: peek_on_return(words),
    };
    objects.extend(ids.iter().map(|&id| ObjId(id as u32)));
    open_window(code.function, registers);
    let window = &mut registers[frame.base as usize..];
    let live = if executes(words) { code.liveness.before(pc) } else { code.liveness.across(pc) };
    for (&slot, &value) in live.iter().zip(values) {
        window[slot as usize] = Bits::defined(value);
    }
    if flags(words) & UNDEFINED != 0 {
        for (&slot, &undefined) in live.iter().zip(&values[live.len()..]) {
            window[slot as usize].undefined = undefined;
        }
    }
    frame
}

/// Appends a fresh window: registers zero, then the constants.
pub fn open_window(function: &Function, registers: &mut Vec<Bits>) {
    let end = registers.len() + function.registers as usize;
    registers.reserve(function.window());
    registers.resize(end, Bits::default());
    registers
        .extend(function.constants.iter().map(|c| Bits { value: c.value, undefined: c.undefined }));
}
