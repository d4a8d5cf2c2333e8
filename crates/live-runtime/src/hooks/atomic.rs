//! Atomic instructions of a program that was not instrumented, as scheduling points.
//!
//! The controller says where they are. The first byte of each is replaced by one
//! that no 64-bit program may execute. The signal handler lets the thread go on
//! in [`entry`], on its own stack, which keeps all registers, waits for its turn
//! and goes back. Only one thread runs at a time, so what follows the byte in place of the
//! `lock` prefix is executed as it is; an exchange, which has no prefix, is done here.
//!
//! Loads and stores of atomic variables are plain instructions and are no steps.

use std::arch::naked_asm;
use std::sync::atomic::{AtomicPtr, Ordering};

use exeunt_model::{Action, MemoryOrder};

use super::instrumented;
use crate::machine::machine;
use crate::{libraries, raw};

/// `push es`, which is invalid in 64-bit code.
const INVALID: u8 = 0x06;

/// A register by its number in the instruction set, if there is one.
type Register = Option<u8>;

/// An atomic instruction.
#[derive(Debug)]
struct Site {
    place: usize,
    /// Bytes from its beginning to where the thread goes on.
    rest: usize,
    size: usize,
    base: Register,
    index: Register,
    scale: usize,
    displacement: usize,
    /// What is exchanged with memory; `None`: the rest of the instruction does it.
    exchanged: Register,
}

static SITES: AtomicPtr<Vec<Site>> = AtomicPtr::new(std::ptr::null_mut());

impl Site {
    /// `PLACE REST SIZE BASE INDEX SCALE DISPLACEMENT RELATIVE EXCHANGED PREFIXES`, numbers in
    /// hexadecimal; `ff` is no register.
    fn read(line: &str, program: usize) -> Option<(Site, usize)> {
        let numbers = line.split(' ').map(|word| u64::from_str_radix(word, 16).unwrap_or(0));
        let numbers: Vec<usize> = numbers.map(|number| number as usize).collect();
        let [place, rest, size, base, index, scale, displacement, relative, exchanged, prefixes] =
            numbers[..]
        else {
            return None;
        };
        let register = |number: usize| (number < 16).then_some(number as u8);
        let site = Site {
            place: place + program,
            rest,
            size,
            base: register(base),
            index: register(index),
            scale,
            displacement: displacement.wrapping_add(if relative == 1 { program } else { 0 }),
            exchanged: register(exchanged),
        };
        Some((site, prefixes))
    }

    /// The place in memory that it accesses.
    fn address(&self, value: impl Fn(u8) -> usize) -> usize {
        let base = self.base.map_or(0, &value);
        let index = self.index.map_or(0, value).wrapping_mul(self.scale);
        base.wrapping_add(index).wrapping_add(self.displacement)
    }

    /// Puts the byte in place of the prefix, which may be behind others.
    fn patch(&self, prefixes: usize) {
        let protect = |protection: i32| {
            let start = self.place & !4095;
            let size = (self.place + prefixes + 1).next_multiple_of(4096) - start;
            // SAFETY: code of the program, which nobody executes yet.
            unsafe { raw::call(libc::SYS_mprotect, start, size, protection as usize, 0, 0, 0) };
        };
        protect(libc::PROT_READ | libc::PROT_WRITE);
        let code = self.place as *mut u8;
        // SAFETY: bytes of an instruction, on pages that are writable now.
        unsafe {
            code.add(1).copy_from(code, prefixes);
            code.write(INVALID);
        }
        protect(libc::PROT_READ | libc::PROT_EXEC);
    }
}

/// Makes the instructions that this file lists scheduling points.
pub fn install(file: &str) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let program = libraries::program_base();
    let mut sites: Vec<Site> = Vec::new();
    for (site, prefixes) in text.lines().filter_map(|line| Site::read(line, program)) {
        site.patch(prefixes);
        sites.push(site);
    }
    sites.sort_unstable_by_key(|site| site.place);
    SITES.store(Box::leak(Box::new(sites)), Ordering::Relaxed);
}

fn site(place: usize) -> Option<&'static Site> {
    // SAFETY: made once and never freed.
    let sites = unsafe { SITES.load(Ordering::Relaxed).as_ref()? };
    let at = sites.binary_search_by_key(&place, |site| site.place).ok()?;
    Some(&sites[at])
}

/// Below the stack pointer a function may keep something.
const RED_ZONE: usize = 128;

/// An invalid instruction was met: whether it is one of ours, and the thread goes on.
///
/// # Safety
/// `context` is the one of a signal handler that runs on a stack of its own.
pub unsafe fn met(context: *mut libc::ucontext_t) -> bool {
    // SAFETY: as promised.
    let registers = unsafe { &mut (*context).uc_mcontext.gregs };
    let place = registers[libc::REG_RIP as usize] as usize;
    if site(place).is_none() {
        return false;
    }
    let stack = registers[libc::REG_RSP as usize] as usize - RED_ZONE - 8;
    // SAFETY: the thread's own stack, below all that it uses.
    unsafe { (stack as *mut usize).write(place) };
    registers[libc::REG_RSP as usize] = stack as i64;
    registers[libc::REG_RIP as usize] = entry as *const () as i64;
    true
}

/// Where the registers are that [`entry`] has kept, by their numbers.
fn slot(register: u8) -> usize {
    match register {
        0 => 14,
        1 => 13,
        2 => 12,
        3 => 11,
        5 => 10,
        6 => 9,
        7 => 8,
        other => 15 - usize::from(other),
    }
}

/// Where the thread goes on, behind the registers and the flags.
const PLACE: usize = 16;
/// The stack pointer that the thread had, counted from the kept registers.
const STACK: usize = 8 * (PLACE + 1) + RED_ZONE;

/// Waits for its turn, and does what the thread itself does not do.
extern "C" fn wait(kept: *mut usize) {
    // SAFETY: `entry` has kept the registers and the place there.
    let get = |at: usize| unsafe { kept.add(at).read() };
    let Some(site) = site(get(PLACE)) else { return };
    let value = |register: u8| match register {
        4 => kept as usize + STACK,
        other => get(slot(other)),
    };
    let address = site.address(value);
    if machine().is_some_and(|machine| !machine.in_engine()) {
        instrumented::step(address, site.size, Action::AtomicUpdate(MemoryOrder::Both));
    }
    if let Some(register) = site.exchanged {
        // SAFETY: the program's own access, with a register of its own.
        unsafe { exchange(address, site.size, kept.add(slot(register))) };
    }
    // SAFETY: as above.
    unsafe { kept.add(PLACE).write(site.place + site.rest) };
}

/// Exchanges memory and a register, as the instruction does: four bytes clear the
/// upper half of the register, fewer leave the rest of it.
unsafe fn exchange(address: usize, size: usize, register: *mut usize) {
    // SAFETY: as promised by the caller.
    unsafe {
        let old = *register;
        match size {
            1 => *register.cast::<u8>() = (address as *mut u8).replace(old as u8),
            2 => {
                let found = (address as *const u16).read_unaligned();
                (address as *mut u16).write_unaligned(old as u16);
                *register.cast::<u16>() = found;
            }
            4 => {
                let found = (address as *const u32).read_unaligned();
                (address as *mut u32).write_unaligned(old as u32);
                *register = found as usize;
            }
            _ => {
                let found = (address as *const usize).read_unaligned();
                (address as *mut usize).write_unaligned(old);
                *register = found;
            }
        }
    }
}

/// Keeps all that the thread has in registers, waits, and goes on. The unwinder is
/// told where the registers are, so stories show the callers.
#[unsafe(naked)]
unsafe extern "C" fn entry() {
    naked_asm!(
        ".cfi_startproc",
        ".cfi_signal_frame",
        ".cfi_def_cfa rsp, 136",
        ".cfi_offset rip, -136",
        "pushfq",
        "push rax",
        "push rcx",
        "push rdx",
        "push rbx",
        "push rbp",
        "push rsi",
        "push rdi",
        "push r8",
        "push r9",
        "push r10",
        "push r11",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov rbx, rsp",
        ".cfi_def_cfa rbx, 264",
        ".cfi_offset rbx, -176",
        ".cfi_offset rbp, -184",
        ".cfi_offset r12, -240",
        ".cfi_offset r13, -248",
        ".cfi_offset r14, -256",
        ".cfi_offset r15, -264",
        // x87, SSE, AVX and AVX-512 together take less than this.
        "sub rsp, 4096",
        "and rsp, -64",
        "xor eax, eax",
        "lea rdi, [rsp + 512]",
        "mov ecx, 8",
        "cld",
        "rep stosq",
        "mov eax, 0xe7",
        "xor edx, edx",
        "xsave64 [rsp]",
        "mov rdi, rbx",
        "call {wait}",
        "mov eax, 0xe7",
        "xor edx, edx",
        "xrstor64 [rsp]",
        "mov rsp, rbx",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop r11",
        "pop r10",
        "pop r9",
        "pop r8",
        "pop rdi",
        "pop rsi",
        "pop rbp",
        "pop rbx",
        "pop rdx",
        "pop rcx",
        "pop rax",
        "popfq",
        "ret 128",
        ".cfi_endproc",
        wait = sym wait,
    )
}
