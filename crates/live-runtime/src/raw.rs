//! System calls of the runtime itself: they are made from one place, which the
//! filter for the program's system calls lets through.

use std::arch::naked_asm;

/// A system call; errors are negative numbers.
///
/// # Safety
/// As the system call says.
#[unsafe(naked)]
pub unsafe extern "C" fn call(
    number: i64,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
) -> i64 {
    naked_asm!(
        "mov rax, rdi",
        "mov rdi, rsi",
        "mov rsi, rdx",
        "mov rdx, rcx",
        "mov r10, r8",
        "mov r8, r9",
        "mov r9, [rsp + 8]",
        "syscall",
        "ret",
    )
}

/// The addresses at which such a call can stand.
pub fn place() -> std::ops::Range<usize> {
    let start = call as *const () as usize;
    start..start + 64
}
