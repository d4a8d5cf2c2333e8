//! Faults of the checked program, in words.

use exeunt_ir::address::{ObjId, Space};
use exeunt_ir::{LocId, TrapKind};
use exeunt_mem::{Access, MemError};
use exeunt_model::{BlockId, Fault, Property};

use crate::builtin::{ArgError, Builtin};
use crate::machine::Machine;
use crate::ops::int::Undefined;
use crate::stop::Stop;

fn verb(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
    }
}

impl Machine<'_> {
    /// A fault at the current instruction.
    pub fn fault(&self, property: Property, message: impl Into<String>) -> Stop {
        self.located(Fault::new(property, message)).into()
    }

    pub fn located(&self, mut fault: Fault) -> Fault {
        if fault.location.is_none() {
            fault.location = Some(self.location());
        }
        fault
    }

    pub fn misuse(&self, message: impl Into<String>, help: &str) -> Stop {
        self.located(Fault::new(Property::Misuse, message).help(help)).into()
    }

    /// What is wrong with an access of `len` bytes.
    pub fn memory_fault(&mut self, error: MemError, access: Access, len: u64) -> Stop {
        let what = format!("{} of {len} byte{}", verb(access), if len == 1 { "" } else { "s" });
        let fault = match error {
            MemError::Null { offset: 0 } => Fault::new(
                Property::Memory,
                format!("null pointer dereference: {what}"),
            )
            .help(
                "the pointer is null on this schedule; check it, or publish it before it is used",
            ),
            MemError::Null { offset } => Fault::new(
                Property::Memory,
                format!("null pointer dereference: {what} at offset {offset} of a null pointer"),
            )
            .help("the pointer that a member or an element is taken of is null"),
            MemError::Wild { address } => Fault::new(
                Property::Memory,
                format!("{what} at {address:#x}, which is not the address of anything"),
            ),
            MemError::Dead { object, offset } => self.dead_fault(&what, object, offset),
            MemError::OutOfScope { object } => {
                let name = self.name_object(object);
                Fault::new(Property::Memory, format!("{what} of {name} outside of its scope"))
                    .help("the variable's block has been left; the pointer outlived it")
            }
            MemError::OutOfBounds { object, offset, size, .. } => {
                let name = self.name_object(object);
                Fault::new(
                    Property::Memory,
                    format!("out-of-bounds {what} at offset {offset} of {name} ({size} bytes)"),
                )
            }
            MemError::ReadOnly { object, offset } => {
                let name = self.name_object(object);
                Fault::new(
                    Property::Memory,
                    format!("{what} at offset {offset} of {name}, which is constant"),
                )
            }
            MemError::NotData { object } => {
                let name = self.name_object(object);
                Fault::new(Property::Memory, format!("{what} of {name}, which is not data"))
            }
        };
        self.with_origin(fault, error).into()
    }

    fn dead_fault(&self, what: &str, object: ObjId, offset: i64) -> Fault {
        match object.space() {
            Some(Space::Heap) => Fault::new(
                Property::Memory,
                format!("use after free: {what} at offset {offset} of freed memory"),
            )
            .help("memory must not be freed before its last use")
            .of_block(BlockId::new(object.0)),
            Some(Space::ThreadLocal) => Fault::new(
                Property::Memory,
                format!("{what} of a thread-local variable of thread {}, which has ended", object.arena() + 1),
            ),
            _ => Fault::new(
                Property::Memory,
                format!("{what} of a local variable of thread {} whose function has returned", object.arena() + 1),
            )
            .help("the variable lived on the stack; give it a longer life (static, malloc) or join before returning"),
        }
    }

    /// Points to where the object was made, if it still exists.
    fn with_origin(&mut self, fault: Fault, error: MemError) -> Fault {
        let (MemError::OutOfBounds { object, .. } | MemError::OutOfScope { object }) = error else {
            return self.located(fault);
        };
        let site = match object.space() {
            Some(Space::Global) => self.vm.program.globals[object.index() as usize].loc,
            Some(Space::Heap) => {
                self.mem.header(object).map_or(LocId::NONE, |header| LocId(header.site))
            }
            _ => LocId::NONE,
        };
        let fault = self.located(fault);
        match self.vm.program.location(site) {
            Some(location) if location.is_known() => {
                fault.label(location, "the object is made here")
            }
            _ => fault,
        }
    }

    /// An undefined value decided something.
    pub fn undefined_use(&self, what: &str) -> Stop {
        let message = format!("{what} depends on an uninitialised value");
        let fault = Fault::new(Property::Memory, message)
            .help("some variable or part of an allocation is read before it was written");
        self.located(fault).into()
    }

    pub fn arithmetic_fault(&self, error: Undefined) -> Stop {
        let message = match error {
            Undefined::DivisionByZero => "division by zero",
            Undefined::DivisionOverflow => "the quotient of the smallest integer and -1 overflows",
        };
        self.fault(Property::Undefined, message)
    }

    pub fn argument_fault(&self, builtin: &Builtin, error: ArgError) -> Stop {
        match error {
            ArgError::Count => self.fault(
                Property::Undefined,
                format!("{} is called with a wrong number of arguments", builtin.name),
            ),
            ArgError::Type(at) => self.fault(
                Property::Undefined,
                format!("argument {} of {} has a wrong type", at + 1, builtin.name),
            ),
            ArgError::Undefined(at) => {
                self.undefined_use(&format!("argument {} of {}", at + 1, builtin.name))
            }
        }
    }

    pub fn trap(&self, kind: TrapKind) -> Stop {
        match kind {
            TrapKind::Trap => self.fault(Property::Assertion, "the program executes a trap"),
            TrapKind::Debug => self.fault(Property::Assertion, "the program executes a breakpoint"),
            TrapKind::Unreachable => self.fault(
                Property::Undefined,
                "control reaches a point that the compiler was told is unreachable",
            ),
            TrapKind::Undefined(check) => self
                .fault(Property::Undefined, format!("undefined behaviour: {}", check_name(check))),
        }
    }
}

/// The names of clang's sanitizer checks, by their number in `ubsantrap`.
fn check_name(number: u8) -> String {
    const NAMES: [&str; 27] = [
        "signed addition overflow",
        "a builtin reached unreachable code",
        "control-flow integrity check failed",
        "division by zero or overflow",
        "a dynamic type does not match",
        "a floating-point value does not fit the integer type",
        "call through a pointer of another function type",
        "an implicit conversion changes the value",
        "invalid argument of a builtin",
        "an Objective-C cast is invalid",
        "a value is not one of its type",
        "the end of a function that returns a value is reached",
        "signed multiplication overflow",
        "signed negation overflow",
        "a null argument where null is not allowed",
        "a null return value where null is not allowed",
        "a null argument where null is not allowed",
        "a null return value where null is not allowed",
        "an index is out of the bounds of its array",
        "pointer arithmetic overflows",
        "shift by a negative or too large amount, or of a negative value",
        "signed subtraction overflow",
        "a misaligned or null access",
        "an assumption about alignment is wrong",
        "a variable-length array with a size that is not positive",
        "an access is out of bounds",
        "an access is out of the bounds of a local variable",
    ];
    NAMES.get(number as usize).map_or_else(|| format!("check {number} failed"), |n| n.to_string())
}
