//! Memory of the runtime itself, apart from the heap of the program.
//!
//! The program's memory is taken back at every restart and may be damaged by
//! the program; what the explorer knows must survive both. It lies in one
//! region of addresses. Only one kernel thread ever runs, so there is no
//! locking.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ops::Range;
use std::ptr;

/// Addresses that are reserved; memory is used as it is touched.
const REGION: usize = 1 << 36;
/// Sizes are powers of two, from 16 bytes on.
const CLASSES: usize = 28;

pub struct Heap {
    lists: UnsafeCell<Lists>,
}

struct Lists {
    free: [*mut u8; CLASSES],
    start: usize,
    next: usize,
}

// SAFETY: exactly one kernel thread runs Rust code of this library at a time.
unsafe impl Sync for Heap {}

impl Heap {
    pub const fn new() -> Self {
        let lists = Lists { free: [ptr::null_mut(); CLASSES], start: 0, next: 0 };
        Heap { lists: UnsafeCell::new(lists) }
    }

    /// Where all memory of the runtime is.
    pub fn region(&self) -> Range<usize> {
        // SAFETY: nobody else uses the lists, see `Sync`.
        let start = unsafe { (*self.lists.get()).start };
        start..start + REGION
    }
}

/// Addresses from the kernel.
fn reserve() -> usize {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new anonymous mapping overlaps nothing.
    let place = unsafe { libc::mmap(ptr::null_mut(), REGION, protection, flags, -1, 0) };
    if place == libc::MAP_FAILED { 0 } else { place as usize }
}

/// The list for a size: 16, 32…
fn class(size: usize) -> usize {
    (size.max(16).next_power_of_two().trailing_zeros() - 4) as usize
}

// SAFETY: blocks are disjoint, at least as large as asked for, and aligned to
// their size or a page (no layout here asks for more).
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let class = class(layout.size().max(layout.align()));
        // SAFETY: nobody else uses the lists, see `Sync`.
        let lists = unsafe { &mut *self.lists.get() };
        if class >= CLASSES {
            return ptr::null_mut();
        }
        let block = lists.free[class];
        if !block.is_null() {
            // SAFETY: a free block begins with the address of the next one.
            lists.free[class] = unsafe { *block.cast::<*mut u8>() };
            return block;
        }
        if lists.start == 0 {
            lists.start = reserve();
            lists.next = lists.start;
        }
        let size = 16usize << class;
        let block = lists.next.next_multiple_of(size.min(4096));
        if lists.start == 0 || block + size > lists.start + REGION {
            return ptr::null_mut();
        }
        lists.next = block + size;
        block as *mut u8
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let class = class(layout.size().max(layout.align()));
        // SAFETY: nobody else uses the lists, see `Sync`.
        let lists = unsafe { &mut *self.lists.get() };
        // SAFETY: the block is at least 16 bytes and nobody uses it any more.
        unsafe { *block.cast::<*mut u8>() = lists.free[class] };
        lists.free[class] = block;
    }
}
