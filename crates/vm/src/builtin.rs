//! Functions that the machine knows: libc, threads, and our own.
//!
//! Each header has a file with a table of rows: name, signature, effect,
//! handler. Before a handler runs, the arguments were checked against the
//! signature (kinds and definedness), and the scheduler has had its say as
//! the effect demands.

use std::collections::HashMap;
use std::sync::OnceLock;

use exeunt_ir::{CallSite, Scalar};
use exeunt_mem::Bits;
use exeunt_model::SectionKind;

use crate::machine::Machine;
use crate::stop::Stop;

/// When a call is a scheduling point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Touches nothing that another thread could see.
    Local,
    /// Reads or writes memory behind its pointer arguments: visible if one of
    /// them points to shared memory.
    Memory,
    /// Reads or writes memory that its arguments lead to in more than one hop
    /// (a `va_list`): always visible (while there is more than one thread).
    Indirect,
    /// Looks up the key that is its first argument in the table of keys:
    /// visible if that entry may still change.
    Specific,
    /// Always visible (while there is more than one thread).
    Visible,
    /// Visible, and waits: the call is an instance of this section kind about
    /// its first argument for as long as it is pending.
    Wait(SectionKind),
}

/// Whether a thread that is to be cancelled ends in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancel {
    Never,
    /// A cancellation point.
    Always,
    /// It may be one: a function of stdio is if it has to write or read.
    Maybe,
}

/// Whether the answer of a call comes from the world outside of the program.
/// We give one fixed answer, so a search of all schedules establishes nothing
/// about the others.
#[derive(Clone, Copy)]
pub enum Outside {
    No,
    /// Says what was answered: a clause behind "the program calls f, and".
    Fixed(&'static str),
    /// Depends on the arguments, as far as they are constants.
    Depends(fn(&[Option<u64>]) -> Option<&'static str>),
}

impl std::fmt::Debug for Outside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Outside::No => "No",
            Outside::Fixed(_) => "Fixed",
            Outside::Depends(_) => "Depends",
        })
    }
}

/// Which stream of stdio a call locks while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locks {
    No,
    /// The `FILE *` that is this argument.
    Argument(u8),
    Input,
    Output,
    Error,
}

/// What a handler did.
#[derive(Clone, Copy, Debug)]
pub enum Flow {
    /// The call returns this (one slot; ignored for void).
    Return(Bits),
    /// The call returns this in two slots (`long double`).
    ReturnPair(Bits, Bits),
    /// A frame was pushed or control moved elsewhere: nothing to store.
    Moved,
}

impl Flow {
    pub const VOID: Flow = Flow::Return(Bits { value: 0, undefined: 0 });

    pub fn value(value: u64) -> Flow {
        Flow::Return(Bits::defined(value))
    }

    /// A C `int`.
    pub fn int(value: i32) -> Flow {
        Flow::value(value as u32 as u64)
    }
}

/// One argument of a call.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub ty: Scalar,
    pub low: Bits,
    /// The second slot of `long double` and wide integers.
    pub high: Bits,
    /// For variadic aggregates: `low` points to this many bytes.
    pub by_value: u32,
}

/// The arguments of a call, checked.
pub struct Args<'c> {
    pub values: &'c [Value],
    pub site: &'c CallSite,
}

impl Args<'_> {
    pub fn u64(&self, index: usize) -> u64 {
        self.values[index].low.value
    }

    pub fn i32(&self, index: usize) -> i32 {
        self.values[index].low.value as u32 as i32
    }

    pub fn f64(&self, index: usize) -> f64 {
        f64::from_bits(self.values[index].low.value)
    }

    pub fn f32(&self, index: usize) -> f32 {
        f32::from_bits(self.values[index].low.value as u32)
    }

    /// Address arguments are just numbers.
    pub fn ptr(&self, index: usize) -> u64 {
        self.u64(index)
    }

    /// The variadic arguments, after `fixed` ones.
    pub fn rest(&self, fixed: usize) -> &[Value] {
        &self.values[fixed..]
    }
}

pub type Handler = fn(&mut Machine<'_>, &Args<'_>) -> Result<Flow, Stop>;

/// A row of a header's table.
///
/// `signature` is result, colon, parameters: `v` void, `p` pointer, `b` 1 bit,
/// `c` 8, `h` 16, `i` 32, `l` 64 bits, `f` float, `d` double, `x` long double;
/// a final `.` means variadic; a `?` after a parameter allows it to be
/// undefined.
#[derive(Debug)]
pub struct Builtin {
    pub name: &'static str,
    pub signature: &'static str,
    pub effect: Effect,
    /// It makes objects on the heap: which address they get may depend on what
    /// others have freed.
    pub allocates: bool,
    pub cancel: Cancel,
    pub outside: Outside,
    pub locks: Locks,
    /// It looks at, or changes, another thread between any two operations of
    /// that thread, so operations cannot be moved.
    pub disturbs: bool,
    /// Its last argument is the address of a time, which it reads.
    pub timed: bool,
    pub run: Handler,
}

/// Shorthand for a row.
pub const fn row(
    name: &'static str,
    signature: &'static str,
    effect: Effect,
    run: Handler,
) -> Builtin {
    Builtin {
        name,
        signature,
        effect,
        cancel: Cancel::Never,
        outside: Outside::No,
        locks: Locks::No,
        disturbs: false,
        timed: false,
        allocates: false,
        run,
    }
}

/// What else a row says.
impl Builtin {
    /// POSIX lists it among the cancellation points.
    pub const fn cancels(mut self) -> Builtin {
        self.cancel = Cancel::Always;
        self
    }

    /// POSIX lists it among the functions that may be cancellation points,
    /// and in glibc it sometimes is one.
    pub const fn may_cancel(mut self) -> Builtin {
        self.cancel = Cancel::Maybe;
        self
    }

    /// Its answer comes from outside; `found` says what we answer.
    pub const fn outside(mut self, found: &'static str) -> Builtin {
        self.outside = Outside::Fixed(found);
        self
    }

    /// The same for a function of which only some calls look outside.
    pub const fn outside_if(
        mut self,
        depends: fn(&[Option<u64>]) -> Option<&'static str>,
    ) -> Builtin {
        self.outside = Outside::Depends(depends);
        self
    }

    /// It holds the lock of a stream while it runs.
    pub const fn locks(mut self, stream: Locks) -> Builtin {
        self.locks = stream;
        self
    }

    /// It waits until the time behind its last argument at most.
    pub const fn until(mut self) -> Builtin {
        self.timed = true;
        self
    }

    pub const fn disturbs(mut self) -> Builtin {
        self.disturbs = true;
        self
    }
}

fn tables() -> [&'static [&'static [Builtin]]; 4] {
    [crate::libc::TABLES, crate::pthread::TABLES, crate::cxx::TABLES, crate::verifier::TABLES]
}

fn table() -> &'static HashMap<&'static str, &'static Builtin> {
    static TABLE: OnceLock<HashMap<&'static str, &'static Builtin>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let rows = tables().into_iter().flatten().flat_map(|table| table.iter());
        rows.map(|builtin| (builtin.name, builtin)).collect()
    })
}

/// The builtin with this name. `__VERIFIER_nondet_*` and the like are rows too.
pub fn find(name: &str) -> Option<&'static Builtin> {
    table().get(name).copied()
}

/// The names of all functions that need no definition, sorted.
pub fn known_functions() -> Vec<&'static str> {
    let mut names: Vec<_> = table().keys().copied().collect();
    names.sort_unstable();
    names
}

impl Builtin {
    /// The row of a function that makes objects on the heap.
    pub const fn allocating(self) -> Builtin {
        Builtin { allocates: true, ..self }
    }

    fn parameters(&self) -> &'static str {
        self.signature.split_once(':').map_or("", |(_, params)| params)
    }

    pub fn is_variadic(&self) -> bool {
        self.signature.ends_with('.')
    }

    /// The width of each parameter that is an integer or a pointer.
    pub fn widths(&self) -> Vec<Option<u8>> {
        let codes = self.parameters().chars().filter(|code| !matches!(code, '?' | '.'));
        codes
            .map(|code| match code {
                'p' | 'l' => Some(64),
                'i' => Some(32),
                'h' => Some(16),
                'c' => Some(8),
                'b' => Some(1),
                _ => None,
            })
            .collect()
    }

    /// Checks the arguments of a call; `Err` says what is wrong with which.
    pub fn check(&self, values: &[Value]) -> Result<(), ArgError> {
        let mut at = 0;
        let mut codes = self.parameters().chars().peekable();
        while let Some(code) = codes.next() {
            if code == '.' {
                return Ok(());
            }
            let may_be_undefined = codes.next_if_eq(&'?').is_some();
            let value = values.get(at).ok_or(ArgError::Count)?;
            if !fits(code, value.ty) {
                return Err(ArgError::Type(at));
            }
            let relevant = crate::ops::int::mask(value.ty.bits().min(64));
            let undefined = value.low.undefined & relevant != 0 || value.high.undefined != 0;
            if undefined && !may_be_undefined {
                return Err(ArgError::Undefined(at));
            }
            at += 1;
        }
        if at == values.len() { Ok(()) } else { Err(ArgError::Count) }
    }
}

/// What is wrong with a call of a builtin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgError {
    Count,
    Type(usize),
    Undefined(usize),
}

fn fits(code: char, ty: Scalar) -> bool {
    match code {
        'p' => matches!(ty, Scalar::Ptr | Scalar::Int(64)),
        'b' => ty == Scalar::Int(1),
        'c' => ty == Scalar::Int(8),
        'h' => ty == Scalar::Int(16),
        'i' => ty == Scalar::Int(32),
        'l' => matches!(ty, Scalar::Int(64) | Scalar::Ptr),
        'f' => ty == Scalar::F32,
        'd' => ty == Scalar::F64,
        'x' => ty == Scalar::F80,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(ty: Scalar, undefined: u64) -> Value {
        Value { ty, low: Bits { value: 0, undefined }, high: Bits::default(), by_value: 0 }
    }

    fn nothing(_: &mut Machine<'_>, _: &Args<'_>) -> Result<Flow, Stop> {
        Ok(Flow::VOID)
    }

    #[test]
    fn arguments_are_checked_against_the_row() {
        let f = row("f", "i:pi?.", Effect::Local, nothing);
        let (ptr, int) = (value(Scalar::Ptr, 0), value(Scalar::Int(32), 0));
        assert_eq!(f.check(&[ptr, int]), Ok(()));
        assert_eq!(f.check(&[ptr, value(Scalar::Int(32), 1), int]), Ok(()));
        assert_eq!(f.check(&[ptr]), Err(ArgError::Count));
        assert_eq!(f.check(&[int, int]), Err(ArgError::Type(0)));
        assert_eq!(f.check(&[value(Scalar::Ptr, 1), int]), Err(ArgError::Undefined(0)));
        let g = row("g", "v:i", Effect::Local, nothing);
        assert_eq!(g.check(&[int, int]), Err(ArgError::Count));
    }

    #[test]
    fn no_name_is_in_two_tables() {
        let rows: usize = tables().iter().flat_map(|t| t.iter()).map(|t| t.len()).sum();
        assert_eq!(rows, known_functions().len());
    }
}
