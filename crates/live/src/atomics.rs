//! Atomic instructions in the code of a program: whether there are any, and where
//! they are, so that the runtime can make scheduling points of them.

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind};

/// Whether a plan makes them steps.
pub(crate) fn are_steps(plan: &str) -> bool {
    plan.split(' ').any(|word| word == "atomics=1")
}

/// Whether the code has instructions that only programs with atomics need, or
/// the program makes system calls itself, as Rust's mutexes do to wait. Plain
/// loads and stores of atomics cannot be told from others.
pub(crate) fn has_any(data: &[u8]) -> bool {
    let Ok(file) = object::File::parse(data) else { return true };
    let calls =
        |symbol: object::Symbol<'_, '_>| symbol.is_undefined() && symbol.name() == Ok("syscall");
    if file.dynamic_symbols().any(calls) {
        return true;
    }
    code(&file).any(|(_, bytes)| {
        Decoder::new(64, bytes, DecoderOptions::NONE).iter().any(|one| is_atomic(&one))
    })
}

/// Each part of the code with its address.
fn code<'d>(file: &object::File<'d>) -> impl Iterator<Item = (u64, &'d [u8])> {
    let code = file.sections().filter(|section| section.kind() == SectionKind::Text);
    let parts: Vec<(u64, &'d [u8])> =
        code.filter_map(|section| Some((section.address(), section.data().ok()?))).collect();
    parts.into_iter()
}

/// Locked instructions, exchanges with memory (which are always locked), and
/// full fences.
fn is_atomic(instruction: &Instruction) -> bool {
    match instruction.mnemonic() {
        Mnemonic::Mfence => true,
        Mnemonic::Xchg => exchanged(instruction).is_some(),
        _ => instruction.has_lock_prefix(),
    }
}

/// The register that is exchanged with memory.
fn exchanged(instruction: &Instruction) -> Option<Register> {
    let exchanges = instruction.mnemonic() == Mnemonic::Xchg;
    let memory = |operand| instruction.op_kind(operand) == OpKind::Memory;
    match (exchanges, memory(0), memory(1)) {
        (true, true, _) => Some(instruction.op1_register()),
        (true, _, true) => Some(instruction.op0_register()),
        _ => None,
    }
}

/// Where they are, a line for each (`live-runtime/src/hooks/atomic.rs` reads them). Code
/// may lie between data that is no code: what does not look like the compiler's
/// work is left alone.
pub(crate) fn sites(data: &[u8]) -> String {
    let Ok(file) = object::File::parse(data) else { return String::new() };
    let mut text = String::new();
    for (address, bytes) in code(&file) {
        let decoder = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE);
        for one in decoder {
            let at = (one.ip() - address) as usize;
            text.extend(line(&one, &bytes[at..at + one.len()]));
        }
    }
    text
}

const LOCK: u8 = 0xF0;
/// The prefix for operands of two bytes.
const SHORT: u8 = 0x66;

fn line(instruction: &Instruction, bytes: &[u8]) -> Option<String> {
    let exchanged = exchanged(instruction);
    if exchanged.is_none() && !instruction.has_lock_prefix() {
        return None;
    }
    // Thread-local memory is nobody else's.
    let usual = [Register::None, Register::DS, Register::SS];
    if !usual.contains(&instruction.segment_prefix()) {
        return None;
    }
    let (rest, prefixes) = match exchanged {
        Some(_) if !bytes.contains(&LOCK) => (instruction.len(), 0),
        Some(_) => return None,
        None => {
            let prefixes = bytes.iter().take_while(|byte| **byte == SHORT).count();
            (bytes.get(prefixes) == Some(&LOCK)).then_some((1, prefixes))?
        }
    };
    let relative = instruction.is_ip_rel_memory_operand();
    let (base, displacement) = match relative {
        true => (Register::None, instruction.ip_rel_memory_address()),
        false => (instruction.memory_base(), instruction.memory_displacement64()),
    };
    let whole = |register: Register| register == Register::None || register.is_gpr64();
    if !whole(base) || !whole(instruction.memory_index()) {
        return None;
    }
    let other = exchanged.unwrap_or(Register::None);
    if [Register::AH, Register::BH, Register::CH, Register::DH].contains(&other) {
        return None;
    }
    Some(format!(
        "{:x} {rest:x} {:x} {:x} {:x} {:x} {displacement:x} {:x} {:x} {prefixes:x}\n",
        instruction.ip(),
        instruction.memory_size().size(),
        number(base),
        number(instruction.memory_index()),
        instruction.memory_index_scale(),
        relative as u8,
        number(other),
    ))
}

fn number(register: Register) -> usize {
    match register {
        Register::None => 0xff,
        register => register.full_register().number(),
    }
}
