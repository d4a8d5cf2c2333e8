//! What compilers call before each access to memory with `-fsanitize=thread`:
//! then every access that others could see is a scheduling point.
//!
//! The names and types are those of the interface that gcc and clang compile
//! to. The sanitizer's own library must not be linked. Memory is sequentially
//! consistent; the orders of atomic operations say what happens before what,
//! where data races are looked for.

use std::ffi::c_void;

use exeunt_model::{Access, Action, MOST_ACCESSES, MemoryOrder, ObjectId, Operation};

use crate::machine::{Machine, machine};
use crate::{real, tell};

/// Words of memory are apart from synchronisation objects.
const MEMORY: u64 = 1 << 63;

/// The name of a word of memory.
pub(super) fn word(number: usize) -> ObjectId {
    ObjectId(MEMORY | number as u64)
}

/// How many bytes of a copy are accessed one after the other; a longer one is
/// one step whose order with every other step matters.
const LONGEST: usize = 384;

/// Waits for its turn to access memory.
pub(super) fn touch(place: usize, size: usize, action: Action) {
    access(place, size, action, 0);
}

/// The same with more bits for each word.
fn access(place: usize, size: usize, action: Action, bits: u32) {
    if let Some(machine) = machine() {
        machine.instrumented = true;
        turn(machine, place, size, action, bits);
    }
}

/// The same in a program that was not instrumented.
pub(super) fn step(place: usize, size: usize, action: Action) {
    if let Some(machine) = machine() {
        turn(machine, place, size, action, 0);
    }
}

fn turn(machine: &mut Machine, place: usize, size: usize, action: Action, bits: u32) {
    // As long as there is one thread, nobody can be in its way; nor in a block
    // that happens at once.
    if machine.world.threads.len() == 1 || machine.current().blocks > 0 {
        return;
    }
    if size > LONGEST {
        if machine.races {
            tell::once(machine, "coarse");
        }
        tell::place(machine, verb(action), &[place]);
        machine.reach(Operation::of_everything());
        return;
    }
    let (mut at, end) = (place, place + size.max(1));
    while at < end {
        // Three words, of which the first may be a part.
        let next = ((at & !7) + 8 * MOST_ACCESSES).min(end);
        wait(machine, at, next, action, bits);
        at = next;
    }
}

fn verb(action: Action) -> &'static str {
    match action {
        Action::Read => "read",
        Action::AtomicRead(_) => "load",
        Action::AtomicWrite(_) => "store",
        Action::AtomicUpdate(_) => "update",
        _ => "write",
    }
}

fn wait(machine: &mut Machine, start: usize, end: usize, action: Action, bits: u32) {
    tell::place(machine, verb(action), &[start]);
    let mut operation = Operation::default();
    for number in start >> 3..=(end - 1) >> 3 {
        let first = start.max(number << 3) & 7;
        let last = (end - 1).min((number << 3) + 7) & 7;
        let birth = bits | ((2 << last) - (1 << first));
        operation = operation.and(Some(Access { object: word(number), action, birth }));
    }
    machine.reach(operation);
}

/// Memory is given back: what is there next is something else.
fn give_back(place: usize, size: usize) {
    if let Some(machine) = machine().filter(|machine| machine.races && size > 0) {
        let (first, last) = (place >> 3, (place + size - 1) >> 3);
        machine.world.freed.push(word(first).0..word(last).0 + 1);
    }
}

#[unsafe(no_mangle)]
extern "C" fn free(place: *mut c_void) {
    if !place.is_null() && machine().is_some_and(|machine| machine.races) {
        // SAFETY: a block of the program's allocator.
        give_back(place as usize, unsafe { libc::malloc_usable_size(place) });
    }
    // The program may have an allocator of its own.
    // SAFETY: the caller's block.
    unsafe { real::free()(place) };
}

#[unsafe(no_mangle)]
extern "C" fn realloc(place: *mut c_void, size: usize) -> *mut c_void {
    if !place.is_null() && machine().is_some_and(|machine| machine.races) {
        // SAFETY: a block of the program's allocator.
        give_back(place as usize, unsafe { libc::malloc_usable_size(place) });
    }
    // SAFETY: the caller's block.
    unsafe { real::realloc()(place, size) }
}

/// The order of an atomic operation, as compilers number them.
fn order(number: i32) -> MemoryOrder {
    match number & 7 {
        0 => MemoryOrder::Relaxed,
        1 | 2 => MemoryOrder::Acquire,
        3 => MemoryOrder::Release,
        _ => MemoryOrder::Both,
    }
}

/// A fence is a step that commutes with every other.
#[unsafe(no_mangle)]
extern "C" fn __tsan_atomic_thread_fence(number: i32) {
    let Some(machine) = machine().filter(|machine| machine.world.threads.len() > 1) else { return };
    tell::place(machine, "fence", &[]);
    let action = Action::Fence(order(number));
    machine.reach(Operation::of(ObjectId(0), action));
}

/// Plain accesses of a fixed size.
macro_rules! plain {
    ($($name:ident $size:literal $action:ident;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(place: usize) {
            touch(place, $size, Action::$action);
        }
    )*};
}

plain! {
    __tsan_read1 1 Read;
    __tsan_write1 1 Write;
    __tsan_volatile_read1 1 Read;
    __tsan_volatile_write1 1 Write;
    __tsan_read_write1 1 Write;
    __tsan_read2 2 Read;
    __tsan_write2 2 Write;
    __tsan_volatile_read2 2 Read;
    __tsan_volatile_write2 2 Write;
    __tsan_read_write2 2 Write;
    __tsan_unaligned_read2 2 Read;
    __tsan_unaligned_write2 2 Write;
    __tsan_unaligned_read_write2 2 Write;
    __tsan_read4 4 Read;
    __tsan_write4 4 Write;
    __tsan_volatile_read4 4 Read;
    __tsan_volatile_write4 4 Write;
    __tsan_read_write4 4 Write;
    __tsan_unaligned_read4 4 Read;
    __tsan_unaligned_write4 4 Write;
    __tsan_unaligned_read_write4 4 Write;
    __tsan_read8 8 Read;
    __tsan_write8 8 Write;
    __tsan_volatile_read8 8 Read;
    __tsan_volatile_write8 8 Write;
    __tsan_read_write8 8 Write;
    __tsan_unaligned_read8 8 Read;
    __tsan_unaligned_write8 8 Write;
    __tsan_unaligned_read_write8 8 Write;
    __tsan_read16 16 Read;
    __tsan_write16 16 Write;
    __tsan_volatile_read16 16 Read;
    __tsan_volatile_write16 16 Write;
    __tsan_read_write16 16 Write;
    __tsan_unaligned_read16 16 Read;
    __tsan_unaligned_write16 16 Write;
    __tsan_unaligned_read_write16 16 Write;
    __tsan_vptr_read 8 Read;
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_vptr_update(place: usize, _: usize) {
    touch(place, 8, Action::Write);
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_read_range(place: usize, size: usize) {
    touch(place, size, Action::Read);
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_write_range(place: usize, size: usize) {
    touch(place, size, Action::Write);
}

/// Copies and fills that clang does by calls: they read and write all their
/// bytes at once.
#[unsafe(no_mangle)]
extern "C" fn __tsan_memcpy(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    __tsan_memmove(to, from, size)
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_memmove(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    if size > 0 {
        touch(from as usize, size, Action::Read);
        touch(to as usize, size, Action::Write);
    }
    // SAFETY: the program's own copy.
    unsafe { to.copy_from(from, size) };
    to
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_memset(to: *mut u8, value: i32, size: usize) -> *mut u8 {
    if size > 0 {
        touch(to as usize, size, Action::Write);
    }
    // SAFETY: the program's own memory.
    unsafe { to.write_bytes(value as u8, size) };
    to
}

/// The functions of the C library that `exeunt cc --live` links these for.
#[unsafe(no_mangle)]
extern "C" fn __wrap_memcpy(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    __tsan_memmove(to, from, size)
}

#[unsafe(no_mangle)]
extern "C" fn __wrap_memmove(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    __tsan_memmove(to, from, size)
}

#[unsafe(no_mangle)]
extern "C" fn __wrap_memset(to: *mut u8, value: i32, size: usize) -> *mut u8 {
    __tsan_memset(to, value, size)
}

/// Freeing counts as a write of the whole block (C17, 7.22.3).
#[unsafe(no_mangle)]
extern "C" fn __wrap_free(place: *mut c_void) {
    if !place.is_null() && machine().is_some_and(|machine| machine.races) {
        // SAFETY: a block of the program's allocator.
        let size = unsafe { libc::malloc_usable_size(place) };
        touch(place as usize, size, Action::Write);
    }
    free(place);
}

/// Calls that say nothing about memory.
macro_rules! nothing {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $type),*) {}
    )*};
}

nothing! {
    __tsan_init();
    __tsan_atomic_signal_fence(_order: i32);
}

/// The atomic operations on one type. Only one thread runs, so each is made of
/// plain accesses.
macro_rules! atomic {
    ($type:ty; $load:ident $store:ident $exchange:ident; $strong:ident $weak:ident $val:ident;
     $($fetch:ident |$old:ident, $value:ident| $new:expr;)*) => {
        #[unsafe(no_mangle)]
        extern "C" fn $load(place: *const $type, number: i32) -> $type {
            touch(place as usize, size_of::<$type>(), Action::AtomicRead(order(number)));
            // SAFETY: the program's own access.
            unsafe { place.read_volatile() }
        }

        #[unsafe(no_mangle)]
        extern "C" fn $store(place: *mut $type, value: $type, number: i32) {
            touch(place as usize, size_of::<$type>(), Action::AtomicWrite(order(number)));
            // SAFETY: the program's own access.
            unsafe { place.write_volatile(value) }
        }

        #[unsafe(no_mangle)]
        extern "C" fn $exchange(place: *mut $type, value: $type, number: i32) -> $type {
            touch(place as usize, size_of::<$type>(), Action::AtomicUpdate(order(number)));
            // SAFETY: the program's own access.
            unsafe { place.replace(value) }
        }

        $(
            #[unsafe(no_mangle)]
            extern "C" fn $fetch(place: *mut $type, $value: $type, number: i32) -> $type {
                touch(place as usize, size_of::<$type>(), Action::AtomicUpdate(order(number)));
                // SAFETY: the program's own access.
                let $old = unsafe { place.read_volatile() };
                // SAFETY: as above.
                unsafe { place.write_volatile($new) };
                $old
            }
        )*

        #[unsafe(no_mangle)]
        extern "C" fn $val(
            place: *mut $type,
            old: $type,
            new: $type,
            number: i32,
            failing: i32,
        ) -> $type {
            let bits = (order(failing).acquires() as u32) << 8;
            let action = Action::AtomicUpdate(order(number));
            access(place as usize, size_of::<$type>(), action, bits);
            // SAFETY: the program's own access.
            let found = unsafe { place.read_volatile() };
            if found == old {
                // SAFETY: as above.
                unsafe { place.write_volatile(new) };
            } else if let Some(machine) = machine() {
                machine.current().failed = true;
            }
            found
        }

        #[unsafe(no_mangle)]
        extern "C" fn $strong(
            place: *mut $type,
            old: *mut $type,
            new: $type,
            first: i32,
            second: i32,
        ) -> i32 {
            // SAFETY: the program's own variable.
            let expected = unsafe { old.read() };
            let found = $val(place, expected, new, first, second);
            // SAFETY: as above.
            unsafe { old.write(found) };
            (found == expected) as i32
        }

        #[unsafe(no_mangle)]
        extern "C" fn $weak(
            place: *mut $type,
            old: *mut $type,
            new: $type,
            first: i32,
            second: i32,
        ) -> i32 {
            $strong(place, old, new, first, second)
        }
    };
}

atomic! {
    u8; __tsan_atomic8_load __tsan_atomic8_store __tsan_atomic8_exchange;
    __tsan_atomic8_compare_exchange_strong __tsan_atomic8_compare_exchange_weak __tsan_atomic8_compare_exchange_val;
    __tsan_atomic8_fetch_add |old, value| old.wrapping_add(value);
    __tsan_atomic8_fetch_sub |old, value| old.wrapping_sub(value);
    __tsan_atomic8_fetch_and |old, value| old & value;
    __tsan_atomic8_fetch_or |old, value| old | value;
    __tsan_atomic8_fetch_xor |old, value| old ^ value;
    __tsan_atomic8_fetch_nand |old, value| !(old & value);
}

atomic! {
    u16; __tsan_atomic16_load __tsan_atomic16_store __tsan_atomic16_exchange;
    __tsan_atomic16_compare_exchange_strong __tsan_atomic16_compare_exchange_weak __tsan_atomic16_compare_exchange_val;
    __tsan_atomic16_fetch_add |old, value| old.wrapping_add(value);
    __tsan_atomic16_fetch_sub |old, value| old.wrapping_sub(value);
    __tsan_atomic16_fetch_and |old, value| old & value;
    __tsan_atomic16_fetch_or |old, value| old | value;
    __tsan_atomic16_fetch_xor |old, value| old ^ value;
    __tsan_atomic16_fetch_nand |old, value| !(old & value);
}

atomic! {
    u32; __tsan_atomic32_load __tsan_atomic32_store __tsan_atomic32_exchange;
    __tsan_atomic32_compare_exchange_strong __tsan_atomic32_compare_exchange_weak __tsan_atomic32_compare_exchange_val;
    __tsan_atomic32_fetch_add |old, value| old.wrapping_add(value);
    __tsan_atomic32_fetch_sub |old, value| old.wrapping_sub(value);
    __tsan_atomic32_fetch_and |old, value| old & value;
    __tsan_atomic32_fetch_or |old, value| old | value;
    __tsan_atomic32_fetch_xor |old, value| old ^ value;
    __tsan_atomic32_fetch_nand |old, value| !(old & value);
}

atomic! {
    u64; __tsan_atomic64_load __tsan_atomic64_store __tsan_atomic64_exchange;
    __tsan_atomic64_compare_exchange_strong __tsan_atomic64_compare_exchange_weak __tsan_atomic64_compare_exchange_val;
    __tsan_atomic64_fetch_add |old, value| old.wrapping_add(value);
    __tsan_atomic64_fetch_sub |old, value| old.wrapping_sub(value);
    __tsan_atomic64_fetch_and |old, value| old & value;
    __tsan_atomic64_fetch_or |old, value| old | value;
    __tsan_atomic64_fetch_xor |old, value| old ^ value;
    __tsan_atomic64_fetch_nand |old, value| !(old & value);
}
