//! How a violation shows when the program is run natively.

use exeunt_model::Property;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symptom {
    /// An assertion ends the program.
    Abort,
    /// Memory is misused, which shows at once if a library looks.
    Memory,
    /// The program ends with another code than 0.
    Exit,
    /// Threads wait for ever.
    Hang,
}

impl Symptom {
    /// The symptom of a violation; `Err` says that there is none.
    pub(super) fn of(property: Property) -> Result<Symptom, String> {
        match property {
            Property::Assertion => Ok(Symptom::Abort),
            Property::Memory => Ok(Symptom::Memory),
            Property::Exit => Ok(Symptom::Exit),
            Property::Deadlock | Property::Section => Ok(Symptom::Hang),
            Property::Termination
            | Property::Race
            | Property::Ltl
            | Property::Undefined
            | Property::Leak
            | Property::Misuse
            | Property::Exception
            | Property::Invariant => Err(none(property)),
        }
    }
}

/// Why a violation is not shown.
pub(super) fn none(property: Property) -> String {
    format!("natively nothing fails by a violation of the kind `{property}`")
}
