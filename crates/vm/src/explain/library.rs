//! Waits inside of the C++ library, in the words of its users: a thread that waits at a futex
//! waits for a future, a latch or an atomic variable.
//!
//! Which one is read off the calls that the thread is in: the outermost function of the library
//! that belongs to a class of this table, seen from the code that waits.

use exeunt_ir::readable;

use crate::machine::Machine;

/// What a class of the library is to its users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Primitive {
    Atomic,
    Barrier,
    Future,
    Latch,
    Semaphore,
    /// A class whose objects have its name: `std::mutex`.
    Named(&'static str),
}

/// Beginnings of names of classes. Longer ones are before their own beginnings.
const CLASSES: [(&str, Primitive); 22] = [
    ("std::__atomic_semaphore", Primitive::Semaphore),
    ("std::__platform_semaphore", Primitive::Semaphore),
    ("std::counting_semaphore", Primitive::Semaphore),
    ("std::__basic_future", Primitive::Future),
    ("std::__future_base", Primitive::Future),
    ("std::shared_future", Primitive::Future),
    ("std::future", Primitive::Future),
    ("std::__tree_barrier", Primitive::Barrier),
    ("std::barrier", Primitive::Barrier),
    ("std::latch", Primitive::Latch),
    ("std::atomic_flag", Primitive::Atomic),
    ("std::__atomic_", Primitive::Atomic),
    ("std::atomic", Primitive::Atomic),
    ("std::recursive_timed_mutex", Primitive::Named("std::recursive_timed_mutex")),
    ("std::recursive_mutex", Primitive::Named("std::recursive_mutex")),
    ("std::shared_timed_mutex", Primitive::Named("std::shared_timed_mutex")),
    ("std::shared_mutex", Primitive::Named("std::shared_mutex")),
    ("std::timed_mutex", Primitive::Named("std::timed_mutex")),
    ("std::mutex", Primitive::Named("std::mutex")),
    ("std::condition_variable_any", Primitive::Named("std::condition_variable_any")),
    ("std::condition_variable", Primitive::Named("std::condition_variable")),
    ("std::_V2::condition_variable_any", Primitive::Named("std::condition_variable_any")),
];

/// The names of the library's functions.
const LIBRARY: [&str; 3] = ["std::", "__gnu_cxx::", "__gthread"];

impl Machine<'_> {
    /// What the loaded thread waits for, if it waits inside of the C++ library.
    pub(super) fn awaited(&self) -> Option<Primitive> {
        let mut found = None;
        for (func, _) in self.call_stack() {
            let name = readable(&self.vm.program.functions[func as usize].name);
            if !LIBRARY.iter().any(|start| name.starts_with(start)) {
                break;
            }
            found = primitive(&name).or(found);
        }
        found
    }

    /// "mutex", or the class of the C++ library that it is.
    pub(super) fn class_or(&self, noun: &str) -> String {
        match self.awaited() {
            Some(Primitive::Named(class)) => format!("`{class}`"),
            Some(
                Primitive::Atomic
                | Primitive::Barrier
                | Primitive::Future
                | Primitive::Latch
                | Primitive::Semaphore,
            )
            | None => noun.to_string(),
        }
    }

    /// A wait at a futex.
    pub(super) fn describe_futex(&mut self, addr: u64) -> String {
        let awaited = self.awaited();
        let name = self.name_resource(addr);
        // The state that a future and its promise share is behind a pointer.
        let object = match name.strip_prefix("`*") {
            Some(pointer) => format!("`{pointer}"),
            None => name.clone(),
        };
        let value = self.context().peek(addr, 4).ok().filter(|bits| bits.undefined == 0);
        let value = value.map(|bits| bits.value as u32 as i32);
        match (awaited, value) {
            (Some(Primitive::Future), _) => {
                format!("waits for future {object}, which nobody makes ready")
            }
            (Some(Primitive::Latch), Some(missing)) if missing > 0 => {
                let plural = if missing == 1 { "" } else { "s" };
                format!("waits for latch {object}, which needs {missing} more count_down{plural}")
            }
            (Some(Primitive::Latch), _) => format!("waits for latch {object}"),
            (Some(Primitive::Barrier), _) => {
                format!("waits at barrier {object} for other threads to arrive")
            }
            (Some(Primitive::Semaphore), Some(value)) if value > 0 => {
                format!("waits for semaphore {object}, which is {value}: it missed the wake-up")
            }
            (Some(Primitive::Semaphore), _) => format!("waits for semaphore {object}, which is 0"),
            (Some(Primitive::Atomic), Some(value)) if !object.contains(' ') => {
                format!("waits for a notification of atomic {object}, which is {value}")
            }
            (Some(Primitive::Atomic), _) => {
                format!("waits for a notification of atomic {object}")
            }
            (Some(Primitive::Named(_)) | None, _) => {
                format!("waits at futex {name} for a wake-up")
            }
        }
    }
}

fn primitive(name: &str) -> Option<Primitive> {
    CLASSES.iter().find(|(class, _)| name.starts_with(class)).map(|(_, primitive)| *primitive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_told_by_the_beginnings_of_names() {
        for (name, found) in [
            ("std::latch::wait", Some(Primitive::Latch)),
            ("std::__future_base::_State_baseV2::wait", Some(Primitive::Future)),
            ("std::recursive_mutex::lock", Some(Primitive::Named("std::recursive_mutex"))),
            ("std::lock_guard<std::mutex>::lock_guard", None),
            ("std::atomic<int>::wait", Some(Primitive::Atomic)),
        ] {
            assert_eq!(primitive(name), found, "{name}");
        }
    }
}
