//! Sections: what is entered and must be left.

use std::fmt;
use std::str::FromStr;

use crate::ActorId;

/// What kind of thing a section instance is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum SectionKind {
    MutexWait,
    Critical,
    RwlockWait,
    RwlockHeld,
    SpinWait,
    SpinHeld,
    CondWait,
    BarrierWait,
    Join,
    SemWait,
    Once,
    Function,
    User,
    /// The whole run of a process (Promela) or of the program.
    Process,
}

impl SectionKind {
    pub const ALL: [SectionKind; 14] = [
        SectionKind::MutexWait,
        SectionKind::Critical,
        SectionKind::RwlockWait,
        SectionKind::RwlockHeld,
        SectionKind::SpinWait,
        SectionKind::SpinHeld,
        SectionKind::CondWait,
        SectionKind::BarrierWait,
        SectionKind::Join,
        SectionKind::SemWait,
        SectionKind::Once,
        SectionKind::Function,
        SectionKind::User,
        SectionKind::Process,
    ];

    /// The name used on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            SectionKind::MutexWait => "mutex-wait",
            SectionKind::Critical => "critical",
            SectionKind::RwlockWait => "rwlock-wait",
            SectionKind::RwlockHeld => "rwlock-held",
            SectionKind::SpinWait => "spin-wait",
            SectionKind::SpinHeld => "spin-held",
            SectionKind::CondWait => "cond-wait",
            SectionKind::BarrierWait => "barrier",
            SectionKind::Join => "join",
            SectionKind::SemWait => "sem-wait",
            SectionKind::Once => "once",
            SectionKind::Function => "function",
            SectionKind::User => "user",
            SectionKind::Process => "process",
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
        assert!("lock".parse::<SectionKind>().is_err());
    }
}
