//! What `exeunt.h` says about sections and propositions, and functions that
//! must return. Entering and leaving are no scheduling points: they belong to the
//! step in which they happen.

use std::ffi::{CStr, c_char, c_void};
use std::hash::{DefaultHasher, Hash, Hasher};

use exeunt_model::Property;

use crate::machine::{Section, fault, machine};
use crate::tell;

/// Slots of sections are apart from those of locks and waits.
const SECTION: u64 = 1 << 62;
const FUNCTION: u64 = 1 << 61;

fn text(name: *const c_char) -> String {
    match name.is_null() {
        true => String::new(),
        // SAFETY: the caller gave a text that ends with a zero byte.
        false => unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned(),
    }
}

/// Sections with the same resource, or without one the same name, are one. Waits
/// are apart from them.
fn slot(name: &str, resource: *const c_void, waits: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    match resource.is_null() {
        true => (waits, name).hash(&mut hasher),
        false => (resource as usize).hash(&mut hasher),
    }
    SECTION | hasher.finish() >> 4
}

fn enter(name: String, slot: u64) {
    let Some(machine) = machine() else { return };
    if machine.current().sections.iter().any(|section| section.slot == slot) {
        fault(Property::Misuse, format!("section `{name}` is entered by a thread that is in it"));
    }
    tell::place(machine, "enter", &[slot as usize]);
    machine.current().enter(Section { name: name.into(), function: false, slot });
}

fn leave(name: &str, slot: u64) {
    let Some(machine) = machine() else { return };
    if !machine.current().leave(slot) {
        fault(Property::Misuse, format!("section `{name}` is left by a thread that is not in it"));
    }
}

#[unsafe(no_mangle)]
extern "C" fn exeunt_live_section_begin(name: *const c_char, resource: *const c_void) {
    let name = text(name);
    let slot = slot(&name, resource, false);
    enter(name, slot);
}

#[unsafe(no_mangle)]
extern "C" fn exeunt_live_section_end(name: *const c_char, resource: *const c_void) {
    let name = text(name);
    leave(&name, slot(&name, resource, false));
}

#[unsafe(no_mangle)]
extern "C" fn exeunt_live_wait_begin(name: *const c_char) {
    let name = text(name);
    let slot = slot(&name, std::ptr::null(), true);
    enter(name, slot);
}

#[unsafe(no_mangle)]
extern "C" fn exeunt_live_wait_end(name: *const c_char) {
    let name = text(name);
    leave(&name, slot(&name, std::ptr::null(), true));
}

#[unsafe(no_mangle)]
extern "C" fn exeunt_live_proposition(name: *const c_char, variable: *const c_void, size: usize) {
    if let Some(machine) = machine() {
        machine.propositions.push((text(name), variable as usize, size));
    }
}

// --- functions that must return -------------------------------------------------

/// What compilers call where a function begins, with `-fsanitize=thread`. The
/// place that called is in the function that begins.
#[unsafe(no_mangle)]
#[unsafe(naked)]
extern "C" fn __tsan_func_entry(caller: usize) {
    std::arch::naked_asm!("mov rsi, [rsp]", "jmp {}", sym entered)
}

/// The same where it ends.
#[unsafe(no_mangle)]
#[unsafe(naked)]
extern "C" fn __tsan_func_exit() {
    std::arch::naked_asm!("mov rdi, [rsp]", "jmp {}", sym left)
}

extern "C" fn entered(_caller: usize, place: usize) {
    let Some(machine) = machine().filter(|machine| machine.must_return.contains(&place)) else {
        return;
    };
    let depth = machine.current().sections.iter().filter(|section| section.function).count();
    let slot = FUNCTION | (depth as u64 & 0xfff) << 48 | place as u64;
    tell::place(machine, "enter", &[slot as usize]);
    // The controller knows functions by their addresses.
    let name = format!("@{place:x}");
    machine.current().enter(Section { name: name.into(), function: true, slot });
}

extern "C" fn left(place: usize) {
    let Some(machine) = machine().filter(|machine| machine.must_return.contains(&place)) else {
        return;
    };
    let thread = machine.current();
    let last = thread.sections.iter().rev().find(|section| section.function);
    if let Some(slot) = last.map(|section| section.slot) {
        thread.leave(slot);
    }
}
