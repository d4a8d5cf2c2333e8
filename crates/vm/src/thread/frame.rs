//! Call frames and their encoded form.
//!
//! Frames are encoded bottom first; each ends with its own length, so that
//! the top frame can be read from the end and lower frames stay encoded until
//! control returns to them. Only live registers are encoded.

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

/// Where the two bits of it are.
const ON_RETURN: u32 = 27;

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
    out.push(
        objects.len() as u64
            | (undefined as u64) << 24
            | (frame.on_return as u64) << ON_RETURN
            | (executes as u64) << 26
            | (frame.varargs.0 as u64) << 32,
    );
    out.extend(objects.iter().map(|id| id.0 as u64));
    push_live(live, window, out);
    if undefined {
        out.extend(live.iter().map(|&slot| window[slot as usize].undefined));
    }
    out.push((out.len() - start + 1) as u64);
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
    let length = *words.last()? as usize;
    Some(words.split_at(words.len() - length))
}

/// The function and program counter of an encoded frame.
pub fn peek(words: &[u64]) -> (u32, Pc) {
    (words[0] as u32, (words[0] >> 32) as Pc)
}

/// The objects of an encoded frame.
pub fn objects_of(words: &[u64]) -> impl Iterator<Item = ObjId> {
    let count = (words[1] & 0x00ff_ffff) as usize;
    words[2..2 + count].iter().map(|&id| ObjId(id as u32))
}

/// What happens when an encoded frame returns.
pub fn peek_on_return(words: &[u64]) -> OnReturn {
    OnReturn::from_bits(words[1] >> ON_RETURN)
}

/// Whether an encoded frame executes its instruction.
pub fn executes(words: &[u64]) -> bool {
    words[1] >> 26 & 1 != 0
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
    let flags = words[1];
    let count = (flags & 0x00ff_ffff) as usize;
    let frame = Frame {
        func,
        pc,
        base: registers.len() as u32,
        objects: objects.len() as u32,
        varargs: ObjId((flags >> 32) as u32),
        on_return: OnReturn::from_bits(flags >> ON_RETURN),
    };
    objects.extend(words[2..2 + count].iter().map(|&id| ObjId(id as u32)));
    open_window(code.function, registers);
    let window = &mut registers[frame.base as usize..];
    let live = if executes(words) { code.liveness.before(pc) } else { code.liveness.across(pc) };
    let values = &words[2 + count..];
    for (&slot, &value) in live.iter().zip(values) {
        window[slot as usize] = Bits::defined(value);
    }
    if flags >> 24 & 1 != 0 {
        for (&slot, &undefined) in live.iter().zip(&values[live.len()..]) {
            window[slot as usize].undefined = undefined;
        }
    }
    frame
}

/// Appends a fresh window: registers zero, then the constants.
pub fn open_window(function: &Function, registers: &mut Vec<Bits>) {
    let base = registers.len();
    registers.resize(base + function.registers as usize, Bits::default());
    registers
        .extend(function.constants.iter().map(|c| Bits { value: c.value, undefined: c.undefined }));
}
