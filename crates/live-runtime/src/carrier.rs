//! Kernel threads that carry the threads of the program, one each, where all on one
//! kernel thread is not enough: programs that ask the kernel who they are
//! (`gettid`), or keep something in the kernel that belongs to one thread
//! (processors it may run on, its name, its credentials).
//!
//! Still exactly one thread runs. A carrier waits at its gate, on a small stack of its
//! own in the memory of the runtime. When the gate opens it goes on with the stack of
//! its thread; when the thread gives up control, the carrier opens the gate of the
//! engine and waits again. So a thread is still a stack and nothing else, and a state
//! of the program is still its memory: going back to a state works as it does on one
//! kernel thread.
//!
//! A process that makes one run has only the kernel thread that made it: there a
//! carrier is made anew when its thread is let go for the first time.

use std::arch::naked_asm;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use crate::raw;
use crate::switch::{self, exchange};

/// Bytes of the stack that a carrier waits on, and of the one for its signals.
const STACK: usize = 1 << 14;
const SIGNALS: usize = 1 << 16;

/// Each thread of the program has a kernel thread.
pub static WANTED: AtomicBool = AtomicBool::new(false);
/// Processes that make runs are numbered by how often they were copied.
static GENERATION: AtomicU32 = AtomicU32::new(0);
/// Where the C library keeps the number of a kernel thread, behind its storage.
static NUMBER_AT: AtomicUsize = AtomicUsize::new(0);

pub struct Carrier {
    gate: AtomicU32,
    /// Where it goes on when its thread gives up control.
    own: AtomicUsize,
    /// Where its thread goes on.
    target: AtomicUsize,
    /// The end of its stack, and its storage.
    top: usize,
    local: usize,
    signals: usize,
    generation: AtomicU32,
    /// It opens the gate of this one: the engine's. Zero: it waits first.
    engine: AtomicUsize,
}

impl Carrier {
    /// For the kernel thread that calls.
    pub fn new() -> &'static Carrier {
        let memory = |size: usize| Box::leak(vec![0u8; size].into_boxed_slice()).as_ptr() as usize;
        let local = switch::local();
        note_number(local);
        Box::leak(Box::new(Carrier {
            gate: AtomicU32::new(0),
            own: AtomicUsize::new(0),
            target: AtomicUsize::new(0),
            top: memory(STACK) + STACK,
            local,
            signals: memory(SIGNALS),
            generation: AtomicU32::new(GENERATION.load(Ordering::Relaxed)),
            engine: AtomicUsize::new(0),
        }))
    }

    /// A number for tables; see [`Carrier::of`].
    pub fn address(&'static self) -> usize {
        &raw const *self as usize
    }

    /// The carrier with this number; `None` if there is none.
    pub fn of(address: usize) -> Option<&'static Carrier> {
        // SAFETY: carriers are never freed, and zero stands for none.
        unsafe { (address as *const Carrier).as_ref() }
    }

    /// Has the calling thread, which is not needed for anything else, wait for its
    /// turns. Does not come back.
    pub fn park(&'static self) -> ! {
        let mut left = 0;
        let begin = self.beginning();
        // SAFETY: a stack that nobody uses; the present one is left for good.
        unsafe { exchange(&mut left, begin, 0, 0) };
        unreachable!("a carrier waits for ever")
    }

    /// The stack of a carrier that has not begun to wait.
    fn beginning(&'static self) -> usize {
        // SAFETY: the stack is ours and free.
        let context = unsafe { switch::prepare(self.top, self.local, enter) };
        // The fourth register that is restored: `r12`.
        // SAFETY: `prepare` wrote the registers there.
        unsafe { *((context.stack + 8 + 3 * 8) as *mut usize) = self.address() };
        context.stack
    }

    /// The main thread gives up control for the first time: from now on its kernel
    /// thread is a carrier, too.
    pub fn leave_to(&'static self, engine: &'static Carrier) {
        self.engine.store(engine.address(), Ordering::Relaxed);
        self.own.store(self.beginning(), Ordering::Relaxed);
    }

    /// Where a thread that gives up control goes on: on its carrier.
    pub fn own_stack(&self) -> usize {
        self.own.load(Ordering::Relaxed)
    }

    /// Sets where its thread goes on.
    pub fn aim(&self, stack: usize) {
        self.target.store(stack, Ordering::Relaxed);
    }

    /// Lets its thread run. The caller waits at its own gate then.
    pub fn open(&'static self, engine: &'static Carrier) {
        self.engine.store(engine.address(), Ordering::Relaxed);
        self.gate.store(1, Ordering::SeqCst);
        let generation = GENERATION.load(Ordering::Relaxed);
        if self.generation.swap(generation, Ordering::Relaxed) != generation {
            self.revive();
            return;
        }
        futex(&self.gate, libc::FUTEX_WAKE, 1);
    }

    /// Waits until it is the caller's turn again.
    pub fn wait(&self) {
        while self.gate.swap(0, Ordering::SeqCst) == 0 {
            futex(&self.gate, libc::FUTEX_WAIT, 0);
        }
    }

    /// Makes the kernel thread again, in a process that does not have it.
    fn revive(&'static self) {
        // SAFETY: the stack is ours, and the thread that used it is not in this
        // process.
        let number = unsafe { clone(FLAGS, self.top & !15, self.local, self.address()) };
        assert!(number > 0, "no kernel thread for a thread of the program");
        let at = NUMBER_AT.load(Ordering::Relaxed);
        if at != 0 {
            // SAFETY: the C library keeps the number of the thread there.
            unsafe { *((self.local + at) as *mut i32) = number as i32 };
        }
    }
}

/// A copy of the process begins: it has no carriers yet but the caller.
pub fn copied(engine: &'static Carrier) {
    let generation = GENERATION.fetch_add(1, Ordering::Relaxed) + 1;
    engine.generation.store(generation, Ordering::Relaxed);
}

/// Finds out where the C library keeps the number of the calling thread.
fn note_number(local: usize) {
    // SAFETY: a system call without arguments.
    let number = unsafe { raw::call(libc::SYS_gettid, 0, 0, 0, 0, 0, 0) } as i32;
    // SAFETY: the descriptor of a thread is larger than this.
    let is = |at: &usize| unsafe { *((local + at) as *const i32) } == number;
    if let Some(at) = (64..1024).step_by(4).find(is) {
        NUMBER_AT.store(at, Ordering::Relaxed);
    }
}

fn futex(word: &AtomicU32, operation: i32, value: usize) {
    let place = word.as_ptr() as usize;
    let operation = (operation | libc::FUTEX_PRIVATE_FLAG) as usize;
    // SAFETY: a word that lives for ever.
    unsafe { raw::call(libc::SYS_futex, place, operation, value, 0, 0, 0) };
}

/// The life of a carrier. It has no storage of its own, so nothing here may use any.
extern "C" fn carry(carrier: &'static Carrier) -> ! {
    let stack = libc::stack_t { ss_sp: carrier.signals as *mut _, ss_flags: 0, ss_size: SIGNALS };
    // SAFETY: memory of the carrier.
    unsafe { raw::call(libc::SYS_sigaltstack, &raw const stack as usize, 0, 0, 0, 0, 0) };
    // A carrier of the main thread begins because that gave up control.
    let mut gives = carrier.target.load(Ordering::Relaxed) == 0;
    loop {
        if gives && let Some(engine) = Carrier::of(carrier.engine.load(Ordering::Relaxed)) {
            engine.gate.store(1, Ordering::SeqCst);
            futex(&engine.gate, libc::FUTEX_WAKE, 1);
        }
        gives = true;
        carrier.wait();
        let target = carrier.target.load(Ordering::Relaxed);
        // SAFETY: the thread's stack was saved when it gave up control.
        unsafe { exchange(carrier.own.as_ptr(), target, 0, 0) };
    }
}

#[unsafe(naked)]
extern "C" fn enter() -> ! {
    naked_asm!("mov rdi, r12", "and rsp, -16", "call {carry}", "ud2", carry = sym carry)
}

/// Memory, files and signals are shared; it is a thread with its own storage.
const FLAGS: usize = (libc::CLONE_VM
    | libc::CLONE_FS
    | libc::CLONE_FILES
    | libc::CLONE_SIGHAND
    | libc::CLONE_THREAD
    | libc::CLONE_SYSVSEM
    | libc::CLONE_SETTLS) as usize;

/// A new kernel thread that carries; gives its number.
#[unsafe(naked)]
unsafe extern "C" fn clone(flags: usize, stack: usize, local: usize, carrier: usize) -> i64 {
    naked_asm!(
        "push r12",
        "mov r12, rcx",
        "mov r8, rdx",
        "xor edx, edx",
        "xor r10d, r10d",
        "mov eax, 56",
        "syscall",
        "test rax, rax",
        "jnz 2f",
        "xor ebp, ebp",
        "mov rdi, r12",
        "call {carry}",
        "ud2",
        "2:",
        "pop r12",
        "ret",
        carry = sym carry,
    )
}
