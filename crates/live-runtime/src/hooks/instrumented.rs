//! What compilers call before each access to memory with `-fsanitize=thread`:
//! then every access that others could see is a scheduling point.
//!
//! The names and types are those of the interface that gcc and clang compile
//! to. The sanitizer's own library must not be linked. Memory is sequentially
//! consistent: orders of atomic operations are not told apart.

use exeunt_model::{Access, Action, ObjectId, Operation};

use crate::machine::{Machine, machine};
use crate::tell;

/// Words of memory are apart from synchronisation objects.
const MEMORY: u64 = 1 << 63;

/// Waits for its turn to access memory.
fn touch(place: usize, size: usize, action: Action) {
    let Some(machine) = machine() else { return };
    machine.instrumented = true;
    // As long as there is one thread, nobody can be in its way.
    if machine.world.threads.len() > 1 {
        wait(machine, place, size, action);
    }
}

fn wait(machine: &mut Machine, place: usize, size: usize, action: Action) {
    let verb = if action == Action::Read { "read" } else { "write" };
    tell::place(machine, verb, &[place]);
    let (first, last) = (place >> 3, (place + size.max(1) - 1) >> 3);
    let word = |at: usize| Access { object: ObjectId(MEMORY | at as u64), action, birth: 0 };
    let operation = match last - first {
        0 => Operation::on(&[word(first)]),
        1 => Operation::on(&[word(first), word(last)]),
        2 => Operation::on(&[word(first), word(first + 1), word(last)]),
        // A long range may meet anything.
        _ => Operation::of_everything(),
    };
    machine.reach(operation);
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

/// Calls that say nothing about memory.
macro_rules! nothing {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $type),*) {}
    )*};
}

nothing! {
    __tsan_init();
    __tsan_func_entry(_caller: usize);
    __tsan_func_exit();
    __tsan_atomic_thread_fence(_order: i32);
    __tsan_atomic_signal_fence(_order: i32);
}

/// The atomic operations on one type. Only one thread runs, so each is made of
/// plain accesses.
macro_rules! atomic {
    ($type:ty; $load:ident $store:ident $exchange:ident; $strong:ident $weak:ident $val:ident;
     $($fetch:ident |$old:ident, $value:ident| $new:expr;)*) => {
        #[unsafe(no_mangle)]
        extern "C" fn $load(place: *const $type, _: i32) -> $type {
            touch(place as usize, size_of::<$type>(), Action::Read);
            // SAFETY: the program's own access.
            unsafe { place.read_volatile() }
        }

        #[unsafe(no_mangle)]
        extern "C" fn $store(place: *mut $type, value: $type, _: i32) {
            touch(place as usize, size_of::<$type>(), Action::Write);
            // SAFETY: the program's own access.
            unsafe { place.write_volatile(value) }
        }

        #[unsafe(no_mangle)]
        extern "C" fn $exchange(place: *mut $type, value: $type, _: i32) -> $type {
            touch(place as usize, size_of::<$type>(), Action::Write);
            // SAFETY: the program's own access.
            unsafe { place.replace(value) }
        }

        $(
            #[unsafe(no_mangle)]
            extern "C" fn $fetch(place: *mut $type, $value: $type, _: i32) -> $type {
                touch(place as usize, size_of::<$type>(), Action::Write);
                // SAFETY: the program's own access.
                let $old = unsafe { place.read_volatile() };
                // SAFETY: as above.
                unsafe { place.write_volatile($new) };
                $old
            }
        )*

        #[unsafe(no_mangle)]
        extern "C" fn $val(place: *mut $type, old: $type, new: $type, _: i32, _: i32) -> $type {
            touch(place as usize, size_of::<$type>(), Action::Write);
            // SAFETY: the program's own access.
            let found = unsafe { place.read_volatile() };
            if found == old {
                // SAFETY: as above.
                unsafe { place.write_volatile(new) };
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
