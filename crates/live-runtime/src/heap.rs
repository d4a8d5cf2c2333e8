//! Memory of the runtime itself, apart from the heap of the program.
//!
//! The program's heap is taken back at every restart and may be damaged by the
//! program; what the explorer knows must survive both. Only one kernel thread
//! ever runs, so there is no locking.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr;

/// Sizes up to this are cut from chunks and kept in lists by size.
const LARGEST: usize = 1 << 16;
const CLASSES: usize = 13;
const CHUNK: usize = 1 << 20;

pub struct Heap {
    lists: UnsafeCell<Lists>,
}

struct Lists {
    free: [*mut u8; CLASSES],
    next: *mut u8,
    left: usize,
}

// SAFETY: exactly one kernel thread runs Rust code of this library at a time.
unsafe impl Sync for Heap {}

impl Heap {
    pub const fn new() -> Self {
        let lists = Lists { free: [ptr::null_mut(); CLASSES], next: ptr::null_mut(), left: 0 };
        Heap { lists: UnsafeCell::new(lists) }
    }
}

/// Fresh memory from the kernel.
pub fn map(size: usize) -> *mut u8 {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new anonymous mapping overlaps nothing.
    let place = unsafe { libc::mmap(ptr::null_mut(), size, protection, flags, -1, 0) };
    if place == libc::MAP_FAILED { ptr::null_mut() } else { place.cast() }
}

/// The list for a size: 16, 32, … 65536.
fn class(size: usize) -> usize {
    (size.max(16).next_power_of_two().trailing_zeros() - 4) as usize
}

// SAFETY: blocks are disjoint, at least as large as asked for, and aligned to
// their size (at most a page, which all layouts here satisfy).
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size().max(layout.align());
        if size > LARGEST {
            return map(size.next_multiple_of(4096));
        }
        // SAFETY: nobody else uses the lists, see `Sync`.
        let lists = unsafe { &mut *self.lists.get() };
        let class = class(size);
        let block = lists.free[class];
        if !block.is_null() {
            // SAFETY: a free block begins with the address of the next one.
            lists.free[class] = unsafe { *block.cast::<*mut u8>() };
            return block;
        }
        let size = 16 << class;
        if lists.left < size {
            lists.next = map(CHUNK);
            lists.left = if lists.next.is_null() { return ptr::null_mut() } else { CHUNK };
        }
        // Blocks of a size begin at multiples of it.
        let waste = lists.next.align_offset(size.min(4096));
        if lists.left < size + waste {
            lists.left = 0;
            // SAFETY: the same request, with a fresh chunk.
            return unsafe { self.alloc(layout) };
        }
        // SAFETY: the chunk has room for the waste and the block.
        let block = unsafe { lists.next.add(waste) };
        // SAFETY: as above.
        lists.next = unsafe { block.add(size) };
        lists.left -= size + waste;
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let size = layout.size().max(layout.align());
        if size > LARGEST {
            // SAFETY: it was mapped with this size.
            unsafe { libc::munmap(block.cast(), size.next_multiple_of(4096)) };
            return;
        }
        // SAFETY: nobody else uses the lists, see `Sync`.
        let lists = unsafe { &mut *self.lists.get() };
        let class = class(size);
        // SAFETY: the block is at least 16 bytes and nobody uses it any more.
        unsafe { *block.cast::<*mut u8>() = lists.free[class] };
        lists.free[class] = block;
    }
}
