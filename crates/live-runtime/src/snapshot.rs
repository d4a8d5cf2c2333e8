//! Taking the memory of the program back to a former state, within the process.
//!
//! All memory of the program is made read-only. The first write to a page is a
//! fault: the page is copied and from then on writable. Taking the state back
//! is copying these pages back; they stay writable, so later runs have faults
//! only for pages that no run has written before.
//!
//! What the program asks of the kernel cannot be taken back like that. A filter
//! stops system calls other than a few that change nothing; a program that
//! makes one is explored by processes instead.

use std::ops::Range;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::{raw, tell};

const PAGE: usize = 4096;
/// How far the main stack may grow below what it has.
const GROWTH: usize = 8 << 20;

pub struct Snapshot {
    regions: Vec<Range<usize>>,
    saved: Vec<(usize, Box<[u8; PAGE]>)>,
    stack: Option<Range<usize>>,
}

static SNAPSHOT: AtomicPtr<Snapshot> = AtomicPtr::new(std::ptr::null_mut());

/// The snapshot of this process, if it works like that.
pub fn snapshot() -> Option<&'static mut Snapshot> {
    // SAFETY: made once and never freed; one thread at a time looks at it.
    unsafe { SNAPSHOT.load(Ordering::Relaxed).as_mut() }
}

/// Keeps the present state, but for the memory in `kept`.
pub fn take(kept: &[Range<usize>]) {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut regions: Vec<Range<usize>> = Vec::new();
    let mut grows: Vec<Range<usize>> = Vec::new();
    let mut stack = None;
    for line in maps.lines() {
        let mut words = line.split_whitespace();
        let (Some(range), Some("rw-p")) = (words.next(), words.next()) else { continue };
        let Some((start, end)) = range.split_once('-') else { continue };
        let number = |text| usize::from_str_radix(text, 16).unwrap_or(0);
        regions.extend(without(number(start)..number(end), kept));
        if line.ends_with("[stack]") {
            grows.push(number(start) - GROWTH..number(start));
            stack = Some(number(start) - GROWTH..number(end));
        }
    }
    grows.extend(regions.iter().cloned());
    let snapshot = Snapshot { regions: grows, saved: Vec::with_capacity(4096), stack };
    SNAPSHOT.store(Box::leak(Box::new(snapshot)), Ordering::Relaxed);
    filter();
    for region in regions {
        protect(region, libc::PROT_READ);
    }
}

/// What is left of a region. The kernel joins neighbours in one line, so a part
/// of it may be kept.
fn without(region: Range<usize>, kept: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut left = vec![region];
    for kept in kept {
        let cut = |region: Range<usize>| {
            let below = region.start..kept.start.clamp(region.start, region.end);
            let above = kept.end.clamp(region.start, region.end)..region.end;
            [below, above].into_iter().filter(|part| part.start < part.end)
        };
        left = left.into_iter().flat_map(cut).collect();
    }
    left
}

fn protect(region: Range<usize>, protection: i32) {
    let (start, size) = (region.start, region.end - region.start);
    // SAFETY: pages of the program, whose faults we handle.
    unsafe { raw::call(libc::SYS_mprotect, start, size, protection as usize, 0, 0, 0) };
}

impl Snapshot {
    /// A write to this address faulted: whether that was because of us, and
    /// the write can be tried again.
    pub fn write(&mut self, address: usize) -> bool {
        let page = address & !(PAGE - 1);
        let ours = self.regions.iter().any(|region| region.contains(&address));
        if !ours || self.saved.iter().any(|(other, _)| *other == page) {
            return false;
        }
        // SAFETY: the page is mapped and readable: a write to it was refused.
        let copy = unsafe { Box::new(*(page as *const [u8; PAGE])) };
        self.saved.push((page, copy));
        protect(page..page + PAGE, libc::PROT_READ | libc::PROT_WRITE);
        true
    }

    /// Calls back with every page that is not what it was, in order. Of dead
    /// memory, which grows downwards from the ends of these ranges, nothing is
    /// looked at.
    pub fn changed(&self, dead: &[Range<usize>], visit: &mut dyn FnMut(usize, &[u8])) {
        let mut pages: Vec<&(usize, Box<[u8; PAGE]>)> = self.saved.iter().collect();
        pages.sort_unstable_by_key(|(page, _)| *page);
        for (page, copy) in pages {
            let inside = dead.iter().find(|range| range.start < page + PAGE && *page < range.end);
            let from = inside.map_or(0, |range| (range.end - page).min(PAGE));
            // SAFETY: the page is mapped, and no thread of the program runs.
            let now = unsafe { std::slice::from_raw_parts(*page as *const u8, PAGE) };
            if now[from..] != copy[from..] {
                visit(*page, &now[from..]);
            }
        }
    }

    /// How many pages some run has written.
    pub fn len(&self) -> usize {
        self.saved.len()
    }

    /// One of these pages, and what it began with.
    pub fn page(&self, at: usize) -> (usize, &[u8; PAGE]) {
        let (place, copy) = &self.saved[at];
        (*place, copy)
    }

    /// Where the main stack may be.
    pub fn main_stack(&self) -> Option<Range<usize>> {
        self.stack.clone()
    }

    /// Copies all pages that some run has written, behind one another.
    pub fn copy(&self, pages: &mut Vec<u8>) {
        pages.clear();
        pages.reserve(self.saved.len() * PAGE);
        for (page, _) in &self.saved {
            // SAFETY: the page is mapped, and no thread of the program runs.
            pages
                .extend_from_slice(unsafe { std::slice::from_raw_parts(*page as *const u8, PAGE) });
        }
    }

    /// Makes the memory what it was when it was copied. Pages that were not
    /// copied then had not been written to.
    pub fn put_back(&self, pages: &[u8]) {
        let mut copies = pages.chunks_exact(PAGE);
        for (page, first) in &self.saved {
            let copy = copies.next().unwrap_or(&first[..]);
            // SAFETY: as in `restore`.
            unsafe { (*page as *mut u8).copy_from(copy.as_ptr(), PAGE) };
        }
    }

    /// Makes the memory what it was in the beginning.
    pub fn restore(&self) {
        for (page, copy) in &self.saved {
            // SAFETY: the page was made writable when it was saved, and the
            // engine uses none of these pages itself.
            unsafe { (*page as *mut u8).copy_from(copy.as_ptr(), PAGE) };
        }
    }
}

// --- the filter -----------------------------------------------------------------

/// Writes to these addresses as the kernel would, so that faults come from the
/// program's side.
fn touch(place: usize, size: usize) {
    let mut at = place;
    while at < place + size && place != 0 {
        // SAFETY: the program gave the kernel this place to write to.
        unsafe { (at as *mut u8).write_volatile((at as *const u8).read_volatile()) };
        at = (at & !(PAGE - 1)) + PAGE;
    }
}

/// A system call of the program was stopped. Questions are answered; everything
/// else is not for this kind of exploration.
///
/// # Safety
/// `context` is the one of a `SIGSYS` handler.
pub unsafe fn stopped(context: *mut libc::ucontext_t) {
    // SAFETY: as promised.
    let registers = unsafe { &mut (*context).uc_mcontext.gregs };
    let get = |index: i32| registers[index as usize] as usize;
    let number = get(libc::REG_RAX) as i64;
    let (a, b, c) = (get(libc::REG_RDI), get(libc::REG_RSI), get(libc::REG_RDX));
    let (d, e, f) = (get(libc::REG_R10), get(libc::REG_R8), get(libc::REG_R9));
    match number {
        libc::SYS_fstat => touch(b, 144),
        libc::SYS_newfstatat => touch(c, 144),
        libc::SYS_ioctl if b == libc::TCGETS as usize => touch(c, 64),
        libc::SYS_rt_sigprocmask => touch(c, 8),
        libc::SYS_rt_sigaction => touch(c, 32),
        _ => {
            tell::line(&format!("impure {number}"));
            tell::leave(0);
        }
    }
    // SAFETY: the program's own call, which only asks.
    let result = unsafe { raw::call(number, a, b, c, d, e, f) };
    registers[libc::REG_RAX as usize] = result;
}

const fn load(offset: u32) -> libc::sock_filter {
    libc::sock_filter { code: 0x20, jt: 0, jf: 0, k: offset }
}

const fn jump(code: u16, k: u32, jt: u8, jf: u8) -> libc::sock_filter {
    libc::sock_filter { code, jt, jf, k }
}

const EQUAL: u16 = 0x15;
const GREATER: u16 = 0x25;
const AT_LEAST: u16 = 0x35;
const ALLOW: libc::sock_filter = libc::sock_filter { code: 6, jt: 0, jf: 0, k: 0x7fff_0000 };
const TRAP: libc::sock_filter = libc::sock_filter { code: 6, jt: 0, jf: 0, k: 0x0003_0000 };

/// System calls that change nothing that would have to be taken back.
const HARMLESS: [i64; 7] = [
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_yield,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_tgkill,
];

/// Lets through what comes from `raw::call`, what is harmless, and output to
/// the standard streams; everything else is a `SIGSYS`.
fn filter() {
    let place = raw::place();
    let (high, low) = ((place.start >> 32) as u32, place.start as u32);
    let mut program = vec![
        load(12),
        jump(EQUAL, high, 0, 4),
        load(8),
        jump(AT_LEAST, low, 0, 2),
        jump(GREATER, low + 64, 1, 0),
        ALLOW,
        load(0),
    ];
    for number in HARMLESS {
        program.push(jump(EQUAL, number as u32, 0, 1));
        program.push(ALLOW);
    }
    program.push(jump(EQUAL, libc::SYS_write as u32, 0, 4));
    program.push(load(16));
    program.push(jump(EQUAL, 1, 1, 0));
    program.push(jump(EQUAL, 2, 0, 1));
    program.push(ALLOW);
    program.push(TRAP);
    let whole = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: a valid program, which the kernel copies.
    unsafe {
        raw::call(libc::SYS_prctl, libc::PR_SET_NO_NEW_PRIVS as usize, 1, 0, 0, 0, 0);
        // For all kernel threads of the process.
        let (filter, all) = (libc::SECCOMP_SET_MODE_FILTER, libc::SECCOMP_FILTER_FLAG_TSYNC);
        let whole = &raw const whole as usize;
        raw::call(libc::SYS_seccomp, filter as usize, all as usize, whole, 0, 0, 0);
    }
}
