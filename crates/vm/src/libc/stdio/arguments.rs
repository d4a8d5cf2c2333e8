//! The arguments behind a format: those of the call itself, or a `va_list`.
//!
//! A format that asks for another kind of argument than there is, or for
//! more, is undefined behaviour and reported.

use exeunt_ir::Scalar;
use exeunt_ir::varargs::{
    INTEGER, INTEGER_OFFSET, OVERFLOW_AREA, SAVE_AREA, STACK, VECTOR, VECTOR_OFFSET, VECTORS,
};
use exeunt_mem::{Access, Bits};
use exeunt_model::{Fault, Property};

use crate::builtin::Context;
use crate::builtin::{Args, Value};
use crate::ops::int;
use crate::stop::Stop;

/// What a directive wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int,
    Long,
    Pointer,
    Double,
    LongDouble,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Int => "an int",
            Kind::Long => "an integer of 64 bits",
            Kind::Pointer => "a pointer",
            Kind::Double => "a double",
            Kind::LongDouble => "a long double",
        }
    }

    fn fits(self, value: &Value) -> bool {
        let ty = value.ty;
        value.by_value == 0
            && match self {
                Kind::Int => matches!(ty, Scalar::Int(bits) if bits <= 32),
                Kind::Long | Kind::Pointer => matches!(ty, Scalar::Int(64) | Scalar::Ptr),
                Kind::Double => ty == Scalar::F64,
                Kind::LongDouble => ty == Scalar::F80,
            }
    }

    /// Whether it finds what it looks for in the lower half of the argument's
    /// register, as `%d` does for a `long`.
    fn reads_lower_half(self, value: &Value) -> bool {
        let wide = matches!(value.ty, Scalar::Int(64) | Scalar::Ptr);
        self == Kind::Int && value.by_value == 0 && wide
    }

    fn bits(self) -> u8 {
        match self {
            Kind::Int => 32,
            Kind::Long | Kind::Pointer | Kind::Double | Kind::LongDouble => 64,
        }
    }
}

fn type_name(value: &Value) -> String {
    if value.by_value > 0 {
        return "a struct".to_string();
    }
    match value.ty {
        Scalar::Int(32) => "an int".to_string(),
        Scalar::Int(bits) => format!("an integer of {bits} bits"),
        Scalar::Ptr => "a pointer".to_string(),
        Scalar::F32 => "a float".to_string(),
        Scalar::F64 => "a double".to_string(),
        Scalar::F80 => "a long double".to_string(),
    }
}

/// Where the arguments come from.
pub enum Source<'a> {
    Call(&'a [Value]),
    /// The address of the `va_list`.
    List(u64),
}

/// Arguments that are taken one after the other.
pub struct Arguments<'a> {
    source: Source<'a>,
    taken: usize,
    /// Arguments before the variadic ones, for messages.
    fixed: usize,
}

impl<'a> Arguments<'a> {
    /// The arguments after the first `fixed` ones.
    pub fn of_call(args: &'a Args<'_>, fixed: usize) -> Arguments<'a> {
        Arguments { source: Source::Call(args.rest(fixed)), taken: 0, fixed }
    }

    pub fn of_list(addr: u64) -> Arguments<'a> {
        Arguments { source: Source::List(addr), taken: 0, fixed: 0 }
    }

    /// The next argument: its bits, and for a `long double` the upper ones.
    pub fn next(
        &mut self,
        context: &mut Context<'_, '_>,
        args: &Args<'_>,
        kind: Kind,
        directive: &str,
    ) -> Result<(u64, u64), Stop> {
        self.taken += 1;
        let (low, high) = match self.source {
            Source::Call(values) => {
                let Some(value) = values.get(self.taken - 1) else {
                    return Err(too_few(context, args, directive));
                };
                if !kind.fits(value) {
                    let found = type_name(value);
                    match kind.reads_lower_half(value) {
                        true => context
                            .harmless(self.disagreement(context, args, kind, directive, &found))?,
                        false => return Err(self.mismatch(context, args, kind, directive, &found)),
                    }
                }
                (value.low, value.high)
            }
            Source::List(list) => fetch(context, args, list, kind, directive)?,
        };
        let relevant = int::mask(kind.bits());
        let upper = kind == Kind::LongDouble && high.undefined & 0xffff != 0;
        if low.undefined & relevant != 0 || upper {
            if kind == Kind::Long && low.undefined == !int::mask(32) {
                return Err(self.mismatch(context, args, kind, directive, "an int"));
            }
            let name = context.callee_name(args);
            let what = match self.source {
                Source::Call(_) => format!("argument {} of {name}", self.fixed + self.taken),
                Source::List(_) => format!("the argument of {name} for {directive}"),
            };
            return Err(context.undefined_use(&what));
        }
        Ok((low.value & relevant, high.value & 0xffff))
    }

    fn disagreement(
        &self,
        context: &Context<'_, '_>,
        args: &Args<'_>,
        kind: Kind,
        directive: &str,
        found: &str,
    ) -> String {
        let name = context.callee_name(args);
        let wanted = kind.name();
        match self.source {
            Source::Call(_) => format!(
                "argument {} of {name} is {found}, but {directive} needs {wanted}",
                self.fixed + self.taken
            ),
            Source::List(_) => {
                format!("an argument of {name} is {found}, but {directive} needs {wanted}")
            }
        }
    }

    fn mismatch(
        &self,
        context: &Context<'_, '_>,
        args: &Args<'_>,
        kind: Kind,
        directive: &str,
        found: &str,
    ) -> Stop {
        let message = self.disagreement(context, args, kind, directive, found);
        let fault = Fault::new(Property::Undefined, message)
            .help("the format and the types of the arguments have to agree");
        context.located(fault).into()
    }
}

fn too_few(context: &Context<'_, '_>, args: &Args<'_>, directive: &str) -> Stop {
    let name = context.callee_name(args);
    let message = format!("{name} is called with fewer arguments than its format needs");
    let fault = Fault::new(Property::Undefined, message)
        .help(format!("there is no argument for {directive}"));
    context.located(fault).into()
}

/// Takes an argument from a `va_list`, as compiled `va_arg` does it: from the
/// saved registers while there are some, then from the stack.
fn fetch(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    list: u64,
    kind: Kind,
    directive: &str,
) -> Result<(Bits, Bits), Stop> {
    let registers: Option<(i64, u64, u64)> = match kind {
        Kind::Int | Kind::Long | Kind::Pointer => {
            Some((INTEGER_OFFSET, INTEGER.into(), VECTORS.into()))
        }
        Kind::Double => Some((VECTOR_OFFSET, VECTOR.into(), STACK.into())),
        Kind::LongDouble => None,
    };
    if let Some((field, size, end)) = registers {
        let place = list.wrapping_add(field as u64);
        let used = list_field(context, args, place, 4)?;
        if used + size <= end {
            let save = list_field(context, args, list.wrapping_add(SAVE_AREA as u64), 8)?;
            let at = save.wrapping_add(used);
            readable(context, args, at, 8, directive)?;
            let low = context.read(at, 8)?;
            context.write(place, 4, Bits::defined(used + size))?;
            return Ok((low, Bits::default()));
        }
    }
    let place = list.wrapping_add(OVERFLOW_AREA as u64);
    let area = list_field(context, args, place, 8)?;
    let wide = kind == Kind::LongDouble;
    let at = if wide { area.next_multiple_of(16) } else { area };
    let size = if wide { 16 } else { 8 };
    readable(context, args, at, size, directive)?;
    let low = context.read(at, 8)?;
    let high = if wide { context.read(at + 8, 8)? } else { Bits::default() };
    context.write(place, 8, Bits::defined(at + size))?;
    Ok((low, high))
}

fn list_field(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    place: u64,
    len: usize,
) -> Result<u64, Stop> {
    let field = context.read(place, len)?;
    if field.undefined != 0 {
        return Err(context.undefined_use(&format!("the va_list of {}", context.callee_name(args))));
    }
    Ok(field.value)
}

/// Nothing at the place of an argument means that there is none.
fn readable(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    at: u64,
    size: u64,
    directive: &str,
) -> Result<(), Stop> {
    match context.check(at, size, Access::Read) {
        Ok(()) => Ok(()),
        Err(exeunt_mem::MemError::OutOfBounds { .. }) => Err(too_few(context, args, directive)),
        Err(error) => Err(context.memory_fault(error, Access::Read, size)),
    }
}
