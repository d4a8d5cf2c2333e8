//! Our own functions (`exeunt.h`) and the `__VERIFIER_*` family of software
//! verification competitions.

use exeunt_ir::Scalar;
use exeunt_mem::Bits;
use exeunt_model::{ChoiceKind, Fault, Property, SectionKind};

use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::machine::Machine;
use crate::ops::int;
use crate::stop::Stop;

pub const TABLES: &[&[Builtin]] = &[OWN, NONDET];

const OWN: &[Builtin] = &[
    row("exeunt_choose", "i:i", Effect::Visible, choose),
    row("exeunt_assume", "v:i", Effect::Local, assume),
    row("exeunt_assert", "v:ip", Effect::Local, assert),
    row("exeunt_atomic_begin", "v:", Effect::Visible, atomic_begin),
    row("exeunt_atomic_end", "v:", Effect::Local, atomic_end),
    row("exeunt_section_begin", "v:pp", Effect::Visible, section_begin),
    row("exeunt_section_end", "v:pp", Effect::Visible, section_end),
    row("exeunt_wait_begin", "v:p", Effect::Visible, wait_begin),
    row("exeunt_wait_end", "v:p", Effect::Visible, wait_end),
    row("__VERIFIER_atomic_begin", "v:", Effect::Visible, atomic_begin),
    row("__VERIFIER_atomic_end", "v:", Effect::Local, atomic_end),
    row("__VERIFIER_assume", "v:i", Effect::Local, assume),
    row("__VERIFIER_assert", "v:i", Effect::Local, verifier_assert),
    row("__VERIFIER_error", "v:", Effect::Local, error),
    row("reach_error", "v:", Effect::Local, error),
];

const NONDET: &[Builtin] = &[
    row("__VERIFIER_nondet_bool", "b:", Effect::Visible, nondet),
    row("__VERIFIER_nondet__Bool", "b:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_char", "c:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_schar", "c:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_uchar", "c:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_short", "h:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_ushort", "h:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_int", "i:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_uint", "i:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_unsigned", "i:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_u32", "i:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_long", "l:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_ulong", "l:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_longlong", "l:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_ulonglong", "l:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_size_t", "l:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_loff_t", "l:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_float", "f:", Effect::Visible, nondet),
    row("__VERIFIER_nondet_double", "d:", Effect::Visible, nondet),
];

/// Whether inputs from this function are not all tried.
pub fn is_sampled(name: &str) -> bool {
    let exhaustive = ["bool", "_Bool", "char", "schar", "uchar"];
    name.strip_prefix("__VERIFIER_nondet_").is_some_and(|kind| !exhaustive.contains(&kind))
}

fn choose(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let count = args.i32(0);
    if count <= 0 {
        let help = "exeunt_choose(n) chooses one of 0 to n - 1, so n must be positive";
        return Err(machine.misuse(format!("exeunt_choose is called with {count}"), help));
    }
    let value = machine.choose(ChoiceKind::Environment, count as u32);
    machine.tell(|_| format!("chooses {value} of {count}"));
    Ok(Flow::value(value as u64))
}

fn assume(_: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if args.i32(0) == 0 { Err(Stop::Dropped) } else { Ok(Flow::VOID) }
}

fn assert(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if args.i32(0) != 0 {
        return Ok(Flow::VOID);
    }
    let text = machine.read_string(args.ptr(1), "the text of an assertion")?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Err(machine.fault(Property::Assertion, format!("assertion failed: {text}")))
}

fn verifier_assert(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if args.i32(0) != 0 {
        return Ok(Flow::VOID);
    }
    Err(machine.fault(Property::Assertion, "assertion failed"))
}

fn error(machine: &mut Machine<'_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Err(machine.fault(Property::Assertion, "the error function is reached"))
}

fn atomic_begin(machine: &mut Machine<'_>, _: &Args<'_>) -> Result<Flow, Stop> {
    machine.head.atomic += 1;
    Ok(Flow::VOID)
}

fn atomic_end(machine: &mut Machine<'_>, _: &Args<'_>) -> Result<Flow, Stop> {
    if machine.head.atomic == 0 {
        return Err(machine.misuse(
            "an atomic block ends that was not begun",
            "every atomic_end needs an atomic_begin on the same path",
        ));
    }
    machine.head.atomic -= 1;
    Ok(Flow::VOID)
}

// ---- inputs -----------------------------------------------------------------

fn nondet(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let results = &machine.vm.program.signature(args.site.signature).results;
    let ty = results.first().copied().unwrap_or(Scalar::Int(32));
    let values = candidates(machine, ty);
    let at = machine.choose(ChoiceKind::Environment, values.len() as u32);
    let value = values[at as usize];
    machine.tell(|_| format!("gets the input {}", show(ty, value)));
    Ok(Flow::Return(Bits::defined(value)))
}

fn show(ty: Scalar, value: u64) -> String {
    match ty {
        Scalar::F32 => f32::from_bits(value as u32).to_string(),
        Scalar::F64 => f64::from_bits(value).to_string(),
        _ => int::signed(value, ty.bits().min(64)).to_string(),
    }
}

/// All values of narrow types; a range or a few telling ones of wide types.
fn candidates(machine: &Machine<'_>, ty: Scalar) -> Vec<u64> {
    match ty {
        Scalar::F32 => [0f32, 1.0, -1.0, 0.5, f32::MAX, f32::INFINITY, f32::NAN]
            .iter()
            .map(|x| x.to_bits() as u64)
            .collect(),
        Scalar::F64 => [0f64, 1.0, -1.0, 0.5, f64::MAX, f64::INFINITY, f64::NAN]
            .iter()
            .map(|x| x.to_bits())
            .collect(),
        _ => integers(ty.bits().min(64), machine.vm.options.nondet),
    }
}

fn integers(bits: u8, range: Option<(i64, i64)>) -> Vec<u64> {
    let mask = int::mask(bits);
    if bits <= 8 {
        return (0..=mask).collect();
    }
    let mut values: Vec<u64> = match range {
        Some((low, high)) => (low..=high).map(|n| n as u64 & mask).collect(),
        None => {
            let max = mask >> 1;
            [0, 1, 2, mask, max, max + 1].into()
        }
    };
    values.dedup();
    values
}

// ---- user sections ------------------------------------------------------------

/// The thing a section is about: the resource if given, else its name.
fn resource_of(args: &Args<'_>) -> u64 {
    match args.values.get(1) {
        Some(value) if value.low.value != 0 => value.low.value,
        _ => args.ptr(0),
    }
}

fn section_begin(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    begin(machine, args, "exeunt_section_begin")
}

fn wait_begin(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    begin(machine, args, "exeunt_wait_begin")
}

fn section_end(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    end(machine, args, "exeunt_section_end", "exeunt_section_begin")
}

fn wait_end(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    end(machine, args, "exeunt_wait_end", "exeunt_wait_begin")
}

fn begin(machine: &mut Machine<'_>, args: &Args<'_>, function: &str) -> Result<Flow, Stop> {
    let name = machine.read_string(args.ptr(0), "the name of a section")?;
    let name = String::from_utf8_lossy(&name).into_owned();
    let resource = resource_of(args);
    let already =
        machine.head.sections.iter().any(|s| s.kind == SectionKind::User && s.resource == resource);
    if already {
        let fault = Fault::new(
            Property::Misuse,
            format!("section `{name}` is entered again by a thread that is inside of it"),
        )
        .help(format!("{function} must not be repeated before the matching end"));
        return Err(machine.located(fault).into());
    }
    machine.open(SectionKind::User, resource);
    machine.tell(|_| format!("enters section {name}"));
    Ok(Flow::VOID)
}

fn end(
    machine: &mut Machine<'_>,
    args: &Args<'_>,
    function: &str,
    begin: &str,
) -> Result<Flow, Stop> {
    let name = machine.read_string(args.ptr(0), "the name of a section")?;
    let name = String::from_utf8_lossy(&name).into_owned();
    let resource = resource_of(args);
    if !machine.close(SectionKind::User, resource) {
        let fault = Fault::new(
            Property::Misuse,
            format!("section `{name}` is left by a thread that is not inside of it"),
        )
        .help(format!("{function} needs a {begin} with the same name on the same thread"));
        return Err(machine.located(fault).into());
    }
    machine.tell(|_| format!("leaves section {name}"));
    Ok(Flow::VOID)
}
