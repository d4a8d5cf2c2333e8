//! Sections: what is entered and must be left.

use std::fmt;
use std::str::FromStr;

use crate::ActorId;

/// What being inside of a section means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// The actor waits for something.
    Wait,
    /// It holds a lock.
    Lock,
    /// It runs a part of the program.
    Part,
}

/// The table of section kinds: variant, name on the command line and in JSON,
/// nature. Numbers in states and on the command line are in this order.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal $nature:ident;)*) => {
        /// What kind of thing a section instance is inside of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum SectionKind {
            $($(#[$doc])* $kind,)*
        }

        impl SectionKind {
            pub const ALL: [SectionKind; [$($name),*].len()] = [$(SectionKind::$kind),*];

            /// The name used on the command line and in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(SectionKind::$kind => $name,)*
                }
            }

            pub fn nature(self) -> Nature {
                match self {
                    $(SectionKind::$kind => Nature::$nature,)*
                }
            }
        }
    };
}

kinds! {
    MutexWait "mutex-wait" Wait;
    Critical "critical" Lock;
    RwlockWait "rwlock-wait" Wait;
    RwlockHeld "rwlock-held" Lock;
    SpinWait "spin-wait" Wait;
    SpinHeld "spin-held" Lock;
    CondWait "cond-wait" Wait;
    BarrierWait "barrier" Wait;
    Join "join" Wait;
    SemWait "sem-wait" Wait;
    Once "once" Wait;
    /// A loop whose rounds change nothing that others can see.
    Await "await" Wait;
    Function "function" Part;
    User "user" Part;
    /// The whole run of a process (Promela) or of the program.
    Process "process" Part;
    /// `futex(FUTEX_WAIT)`: a wait at a word of memory.
    FutexWait "futex-wait" Wait;
    /// A wait for a pipe or an event.
    FileWait "file-wait" Wait;
    /// `std::latch::wait`.
    LatchWait "latch" Wait;
    /// `get` and `wait` of a future.
    FutureWait "future" Wait;
    /// `std::atomic::wait`.
    AtomicWait "atomic-wait" Wait;
    /// The end of a `std::stop_callback` whose function runs in another thread.
    StopWait "stop-callback" Wait;
}

impl SectionKind {
    /// Whether the section lasts as long as a thread holds a lock.
    pub fn is_held(self) -> bool {
        self.nature() == Nature::Lock
    }

    /// What a section of this kind holds or waits for, if that is a thing.
    pub fn thing(self) -> Option<&'static str> {
        match self {
            SectionKind::MutexWait | SectionKind::Critical => Some("mutex"),
            SectionKind::RwlockWait | SectionKind::RwlockHeld => Some("readers-writer lock"),
            SectionKind::SpinWait | SectionKind::SpinHeld => Some("spin lock"),
            SectionKind::CondWait => Some("condition"),
            SectionKind::BarrierWait => Some("barrier"),
            SectionKind::SemWait => Some("semaphore"),
            SectionKind::Once => Some("initialisation"),
            SectionKind::FutexWait => Some("futex"),
            SectionKind::LatchWait => Some("latch"),
            SectionKind::FutureWait => Some("future"),
            SectionKind::AtomicWait => Some("atomic"),
            SectionKind::StopWait => Some("stop callback"),
            SectionKind::Join
            | SectionKind::FileWait
            | SectionKind::Await
            | SectionKind::Function
            | SectionKind::User
            | SectionKind::Process => None,
        }
    }

    /// The kind with this number (`kind as u8`), for decoding states.
    pub fn from_u8(number: u8) -> Option<SectionKind> {
        SectionKind::ALL.get(number as usize).copied()
    }
}

impl fmt::Display for SectionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SectionKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = if text == "barrier-wait" { "barrier" } else { text };
        SectionKind::ALL
            .into_iter()
            .find(|kind| kind.name() == wanted)
            .ok_or_else(|| format!("there is no section kind `{text}`"))
    }
}

/// A section instance that is open in some state.
///
/// `(actor, slot)` names the instance for as long as it is open; the machine
/// guarantees that the name does not change while it is. Where it was opened
/// is not part of the state: it is read off the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpenSection {
    pub actor: ActorId,
    pub slot: u64,
    pub kind: SectionKind,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_lead_back_to_the_kind() {
        for kind in SectionKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(SectionKind::from_u8(kind as u8), Some(kind));
        }
        assert!(SectionKind::SpinHeld.is_held() && !SectionKind::SpinWait.is_held());
        assert!("lock".parse::<SectionKind>().is_err());
    }
}
