//! Functions that the machine knows: libc, threads, and our own.
//!
//! Each header has a file with a table of rows: name, signature, effect,
//! handler. Before a handler runs, the arguments were checked against the
//! signature (kinds and definedness), and the scheduler has had its say as
//! the effect demands.

mod context;
mod fact;
mod row;
mod words;

use std::collections::HashMap;
use std::sync::OnceLock;

use exeunt_ir::{CallSite, Scalar};
use exeunt_mem::Bits;

use crate::stop::Stop;

pub use context::Context;
pub use fact::{
    BARRIER, CONDITION, CONDITION_AND_MUTEX, Cancel, Chooses, Deed, Effect, Kind, Locks, MUTEX,
    ONCE, Object, Orders, Outside, RWLOCK, SEMAPHORE, SPINLOCK, STREAM, Touches,
};
pub use row::{Builtin, refused, row};
pub use words::{KnownFunction, known_functions};

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

pub type Handler = fn(&mut Context<'_, '_>, &Args<'_>) -> Result<Flow, Stop>;

/// A header, and the rows of its functions.
pub type Table = (&'static str, &'static [Builtin]);

fn tables() -> [&'static [Table]; 4] {
    [crate::libc::TABLES, crate::pthread::TABLES, crate::cxx::TABLES, crate::verifier::TABLES]
}

fn table() -> &'static HashMap<&'static str, &'static Builtin> {
    static TABLE: OnceLock<HashMap<&'static str, &'static Builtin>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let rows = tables().into_iter().flatten().flat_map(|(_, rows)| rows.iter());
        rows.map(|builtin| (builtin.name, builtin)).collect()
    })
}

/// The builtin with this name. `__VERIFIER_nondet_*` and the like are rows too.
pub fn find(name: &str) -> Option<&'static Builtin> {
    table().get(name).copied()
}

impl Builtin {
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

    fn nothing(_: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
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
        let rows: usize = tables().iter().flat_map(|t| t.iter()).map(|(_, rows)| rows.len()).sum();
        assert_eq!(rows, table().len());
    }
}
