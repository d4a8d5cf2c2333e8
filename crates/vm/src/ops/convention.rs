//! Calls of a function as one of another type.
//!
//! That is undefined in C, but programs do it (K&R declarations, casts of
//! function pointers, functions declared implicitly), and where the calling
//! convention does not distinguish the types it works: the x86-64 System V ABI
//! passes integers and pointers in six registers and floating-point numbers in
//! eight others, each in order. So arguments are matched by class, what is too
//! many is ignored, and what is too narrow has undefined bits. A note in the report
//! says so; `--undefined` makes it a violation. What goes through
//! memory is not matched.

use exeunt_ir::{CallSite, Scalar, Signature};
use exeunt_mem::Bits;
use exeunt_model::Property;
use smallvec::SmallVec;

use super::int;
use crate::builtin::{Builtin, Value};
use crate::machine::Machine;
use crate::stop::Stop;

/// How a value is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Integer,
    Float,
    Memory,
}

impl Class {
    fn of(ty: Scalar) -> Class {
        match ty {
            Scalar::Ptr => Class::Integer,
            Scalar::Int(bits) if bits <= 64 => Class::Integer,
            Scalar::F32 | Scalar::F64 => Class::Float,
            Scalar::Int(_) | Scalar::F80 => Class::Memory,
        }
    }

    fn registers(self) -> usize {
        match self {
            Class::Integer => 6,
            Class::Float => 8,
            Class::Memory => 0,
        }
    }
}

/// For each type in `wanted`, which of `given` is in its register; `None` if
/// something is not in registers.
fn matched(given: &[Scalar], wanted: &[Scalar]) -> Option<Vec<Option<usize>>> {
    let fits = |types: &[Scalar]| {
        [Class::Integer, Class::Float, Class::Memory].into_iter().all(|class| {
            types.iter().filter(|&&ty| Class::of(ty) == class).count() <= class.registers()
        })
    };
    if !fits(given) || !fits(wanted) {
        return None;
    }
    let mut taken = Vec::new();
    let place = |&ty: &Scalar| {
        let class = Class::of(ty);
        let nth = taken.iter().filter(|&&other| other == class).count();
        taken.push(class);
        let of_class = given.iter().enumerate().filter(|(_, ty)| Class::of(**ty) == class);
        of_class.map(|(at, _)| at).nth(nth)
    };
    Some(wanted.iter().map(place).collect())
}

/// A value of one type, read from its register as one of another.
fn read_as(value: Option<(Bits, Scalar)>, wanted: Scalar) -> Bits {
    let mask = int::mask(wanted.bits().min(64));
    match value {
        None => Bits { value: 0, undefined: mask },
        Some((bits, given)) => {
            let known = int::mask(given.bits().min(64));
            let undefined = (bits.undefined & known | !known) & mask;
            Bits { value: bits.value & mask & !undefined, undefined }
        }
    }
}

/// The part of a value that a type has room for.
pub fn truncated(bits: Bits, ty: Scalar) -> Bits {
    let mask = int::mask(ty.bits().min(64));
    Bits { value: bits.value & mask, undefined: bits.undefined & mask }
}

impl Machine<'_> {
    /// Something undefined that every implementation we know of does in the
    /// same way: a note, or a violation if that is asked for.
    pub fn harmless(&mut self, message: String) -> Result<(), Stop> {
        if self.vm.options.undefined {
            return Err(self.fault(Property::Undefined, message));
        }
        self.session.note(self.location(), message);
        Ok(())
    }

    /// The arguments of a call as a function of another type gets them, or
    /// `None` if the calling convention tells the types apart.
    pub fn arguments_as(
        &self,
        site: &CallSite,
        function: &Signature,
    ) -> Option<SmallVec<[Bits; 4]>> {
        if function.variadic || site.args.iter().any(|arg| arg.by_value > 0) {
            return None;
        }
        let given: Vec<Scalar> = site.args.iter().map(|arg| arg.ty).collect();
        let matched = matched(&given, &function.params)?;
        // What is not passed may be anything: that is not harmless.
        if matched.iter().any(Option::is_none) {
            return None;
        }
        let values = self.arguments(site);
        let each = matched.into_iter().zip(&function.params);
        Some(each.map(|(at, &ty)| read_as(at.map(|at| (values[at].low, given[at])), ty)).collect())
    }

    /// The results of a function as the caller of another type gets them.
    pub fn results_as(
        results: &[Bits],
        given: &[Scalar],
        wanted: &[Scalar],
    ) -> SmallVec<[Bits; 4]> {
        match matched(given, wanted) {
            Some(matched) => {
                let each = matched.into_iter().zip(wanted);
                each.map(|(at, &ty)| read_as(at.map(|at| (results[at], given[at])), ty)).collect()
            }
            None => results.into(),
        }
    }

    /// Brings the arguments of a builtin into its form, as far as that is
    /// harmless: integers of another width, and more than it takes.
    pub fn adapt(
        &mut self,
        builtin: &Builtin,
        values: &mut SmallVec<[Value; 4]>,
    ) -> Result<(), Stop> {
        let widths = builtin.widths();
        for (at, width) in widths.iter().enumerate() {
            let Some(value) = values.get_mut(at) else { break };
            let (Some(width), Scalar::Int(bits)) = (*width, value.ty) else { continue };
            if bits == width || !(32..=64).contains(&bits) || width < 32 {
                continue;
            }
            // A register of 32 bits is written with zeroes above.
            let mask = int::mask(bits.min(width));
            value.low =
                Bits { value: value.low.value & mask, undefined: value.low.undefined & mask };
            value.ty = Scalar::Int(width);
            let (at, name) = (at + 1, builtin.name);
            self.harmless(format!(
                "argument {at} of {name} is an integer of {bits} bits and should have {width}"
            ))?;
        }
        if !builtin.is_variadic() && values.len() > widths.len() {
            values.truncate(widths.len());
            self.harmless(format!("{} is called with too many arguments", builtin.name))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Scalar = Scalar::Int(32);
    const LONG: Scalar = Scalar::Int(64);

    #[test]
    fn integers_and_floats_are_matched_apart() {
        let given = [INT, Scalar::F64, Scalar::Ptr];
        let wanted = [Scalar::F64, LONG, LONG, LONG];
        assert_eq!(matched(&given, &wanted), Some(vec![Some(1), Some(0), Some(2), None]));
        assert_eq!(matched(&[Scalar::F80], &[INT]), None);
        assert_eq!(matched(&[INT; 7], &[INT]), None);
    }

    #[test]
    fn what_is_not_passed_is_undefined() {
        let value = Some((Bits::defined(0x1_0000_0002), LONG));
        assert_eq!(read_as(value, INT), Bits::defined(2));
        let narrow = read_as(Some((Bits::defined(7), INT)), LONG);
        assert_eq!(narrow, Bits { value: 7, undefined: !0 << 32 });
        assert_eq!(read_as(None, INT).undefined, u32::MAX as u64);
    }
}
