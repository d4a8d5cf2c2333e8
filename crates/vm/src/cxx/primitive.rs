//! The classes of the C++ library that threads wait in, as their users know them.
//!
//! A thread that waits at a futex waits for a future, a latch or an atomic variable: for which is read off the
//! calls that it is in. Each of them is a section of a kind of its own.
//! The functions of these classes keep their first argument, the object, until they return
//! (`Liveness::keeping`), so that a state says which object it is.

use exeunt_ir::{Function, Program, readable};
use exeunt_model::SectionKind;

/// What a class of the library is to its users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    Atomic,
    Barrier,
    Future,
    Latch,
    Semaphore,
    /// The destructor of a callback waits for the callback.
    StopCallback,
    /// A class whose objects have its name: `std::mutex`.
    Named(&'static str),
}

/// Beginnings of names of classes. Longer ones are before their own beginnings.
const CLASSES: [(&str, Primitive); 25] = [
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
    ("std::stop_callback", Primitive::StopCallback),
    ("std::stop_token::_Stop_cb", Primitive::StopCallback),
    ("std::stop_token::_Stop_state", Primitive::StopCallback),
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

/// One of these is in each of the names above, also as a compiler writes them.
const WORDS: [&str; 8] =
    ["atomic", "barrier", "condition", "future", "latch", "mutex", "semaphore", "stop_"];

/// How the names of the library's functions begin: in namespaces of the library, and C's.
const SPACES: [&str; 9] = ["St", "Ss", "Sa", "Sb", "Si", "So", "Sd", "9__gnu_cxx", "10__cxxabiv1"];
const PLAIN: [&str; 4] = ["__gthread", "__cxa", "_Unwind", "__exeunt"];

/// What a function is to the user of the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Role {
    /// It belongs to the library.
    pub library: bool,
    pub primitive: Option<Primitive>,
}

impl Role {
    pub fn of(function: &Function) -> Role {
        let library = function.library || is_in_library(&function.name);
        let known = library && WORDS.iter().any(|word| function.name.contains(word));
        let primitive = known.then(|| primitive(&readable(&function.name))).flatten();
        Role { library, primitive }
    }

    /// How many of its first arguments say which object a thread waits for: one, or two where a
    /// function may get the place of its result before the object.
    pub fn keeps(self) -> u32 {
        match self.primitive {
            Some(Primitive::Future) => 2,
            Some(
                Primitive::Atomic
                | Primitive::Barrier
                | Primitive::Latch
                | Primitive::Semaphore
                | Primitive::StopCallback,
            ) => 1,
            Some(Primitive::Named(_)) | None => 0,
        }
    }
}

pub fn roles(program: &Program) -> Vec<Role> {
    program.functions.iter().map(Role::of).collect()
}

/// The outermost class that a thread is in, and at which call, given what it calls, innermost first.
pub fn outermost(calls: impl Iterator<Item = Role>) -> Option<(usize, Primitive)> {
    let library = calls.take_while(|role| role.library).enumerate();
    library.filter_map(|(at, role)| Some((at, role.primitive?))).last()
}

impl Primitive {
    /// The kind of section that a wait at a futex is in a class.
    pub fn wait(self) -> SectionKind {
        match self {
            Primitive::Atomic => SectionKind::AtomicWait,
            Primitive::Barrier => SectionKind::BarrierWait,
            Primitive::Future => SectionKind::FutureWait,
            Primitive::Latch => SectionKind::LatchWait,
            Primitive::Semaphore => SectionKind::SemWait,
            Primitive::StopCallback => SectionKind::StopWait,
            Primitive::Named(_) => SectionKind::FutexWait,
        }
    }
}

fn primitive(name: &str) -> Option<Primitive> {
    CLASSES.iter().find(|(class, _)| name.starts_with(class)).map(|(_, primitive)| *primitive)
}

fn is_in_library(symbol: &str) -> bool {
    let Some(mangled) = symbol.strip_prefix("_Z") else {
        return PLAIN.iter().any(|start| symbol.starts_with(start));
    };
    // Local names, nested names, and what qualifies `this`.
    let name = mangled.trim_start_matches(['Z', 'L', 'N', 'K', 'V', 'R', 'O']);
    let plain = name.trim_start_matches(|c: char| c.is_ascii_digit());
    SPACES.iter().any(|space| name.starts_with(space)) || plain.starts_with(PLAIN[0])
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
        let has_word = |class: &str| WORDS.iter().any(|word| class.contains(word));
        assert!(CLASSES.iter().all(|(class, _)| has_word(class)));
    }

    #[test]
    fn the_library_is_told_by_mangled_names() {
        for name in [
            "_ZNKSt5latch4waitEv",
            "_ZSt3maxIiERKT_S2_S2_",
            "_ZZNSt9once_flag18_Prepare_executionC4EvENKUlvE_clEv",
            "_ZL20__gthread_mutex_lockP15pthread_mutex_t",
            "__cxa_throw",
        ] {
            assert!(is_in_library(name), "{name}");
        }
        for name in ["main", "_Z4StopV", "_ZZ4mainENK3$_0clEv", "_ZN5Stack4pushEi", "syscalls"] {
            assert!(!is_in_library(name), "{name}");
        }
    }

    #[test]
    fn the_call_that_the_user_made_counts() {
        let role = |library, primitive| Role { library, primitive };
        let calls = [
            role(true, None),
            role(true, Some(Primitive::Atomic)),
            role(true, Some(Primitive::Latch)),
            role(false, None),
            role(true, Some(Primitive::Future)),
        ];
        assert_eq!(outermost(calls.into_iter()), Some((2, Primitive::Latch)));
        assert_eq!(outermost(calls.into_iter().skip(3)), None);
    }
}
