//! Changing from one thread of the program to another, on one kernel thread.
//!
//! A thread is a stack and a block of thread-local storage. Both are borrowed
//! from a real thread that was created by the thread library and then sleeps
//! for ever, so that everything in the C library that looks at "this thread"
//! finds what it expects.

use std::arch::{asm, naked_asm};

/// What is needed to go on with a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Context {
    pub stack: usize,
    /// The base of its thread-local storage (the register FS).
    pub local: usize,
}

/// The storage of the thread that runs now.
pub fn local() -> usize {
    let base: usize;
    // SAFETY: the first word of the block is its own address on x86-64.
    unsafe { asm!("mov {}, fs:[0]", out(reg) base, options(nostack, readonly)) };
    base
}

/// Saves the present context, and goes on with another one.
///
/// # Safety
/// `to` was saved by this function or made by [`prepare`], and is not used
/// twice.
pub unsafe fn switch(from: &mut Context, to: Context, quick: bool) {
    from.local = local();
    if !quick && from.local != to.local {
        // SAFETY: the block belongs to a thread that exists.
        unsafe { libc::syscall(libc::SYS_arch_prctl, ARCH_SET_FS, to.local) };
    }
    // SAFETY: as promised by the caller.
    unsafe { exchange(&mut from.stack, to.stack, to.local, quick as usize) };
}

const ARCH_SET_FS: i32 = 0x1002;

/// Saves the present stack and goes on with another one.
///
/// # Safety
/// As [`switch`]; without `quick` the storage stays the same.
#[unsafe(naked)]
pub unsafe extern "C" fn exchange(from: *mut usize, to: usize, local: usize, quick: usize) {
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "sub rsp, 8",
        "stmxcsr [rsp]",
        "fnstcw [rsp + 4]",
        "mov [rdi], rsp",
        "test rcx, rcx",
        "jz 2f",
        "wrfsbase rdx",
        "2:",
        "mov rsp, rsi",
        "ldmxcsr [rsp]",
        "fldcw [rsp + 4]",
        "add rsp, 8",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// A context that begins at `entry` on this stack.
///
/// # Safety
/// `top` is the end of memory that is used for nothing else; `entry` does not
/// return.
pub unsafe fn prepare(top: usize, local: usize, entry: extern "C" fn() -> !) -> Context {
    let mut stack = top & !15;
    let mut push = |value: usize| {
        stack -= 8;
        // SAFETY: below `top` the stack is free.
        unsafe { *(stack as *mut usize) = value };
    };
    // Where the debugger's and the unwinder's way ends. A function begins with
    // its stack eight bytes off a multiple of sixteen.
    push(0);
    push(entry as *const () as usize);
    for _ in 0..6 {
        push(0);
    }
    // The default floating-point modes: control words of x87 and SSE.
    push(0x037f_0000_1f80);
    Context { stack, local }
}
