//! Our own functions (`exeunt.h`) and the `__VERIFIER_*` family of software
//! verification competitions.

use std::collections::HashMap;
use std::fmt::Display;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use exeunt_ir::{LocId, Scalar};
use exeunt_mem::Bits;
use exeunt_model::{ChoiceKind, Fault, Property, SectionKind};

use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Chooses, Deed, Effect, Flow, Table, Touches, row};
use crate::ops::int;
use crate::stop::Stop;
use crate::thread::Section;

/// What a fault says whose place is a call of the error function.
pub const ERROR_REACHED: &str = "the error function is reached";

/// How the story of a step begins that chooses an input; its value follows.
pub const GETS_INPUT: &str = "gets the input ";

const USER: &[SectionKind] = &[SectionKind::User];

pub const TABLES: &[Table] = &[("exeunt.h", OWN), ("SV-COMP", SV_COMP), ("SV-COMP", NONDET)];

const OWN: &[Builtin] = &[
    row("exeunt_choose", "i:i", Effect::Visible, choose)
        .syncs(Touches::Nothing)
        .chooses(Chooses::All),
    row("exeunt_assume", "v:i", Effect::Local, assume),
    row("exeunt_assert", "v:ip", Effect::Local, assert),
    row("exeunt_atomic_begin", "v:", Effect::Visible, atomic_begin),
    row("exeunt_atomic_end", "v:", Effect::Local, atomic_end),
    row("exeunt_ignore", "v:pl", Effect::Visible, ignore).does(Deed::Ignores).disturbs(),
    row("exeunt_match", "v:pl", Effect::Local, match_memory),
    row("exeunt_match_value", "v:l", Effect::Local, match_value),
    row("exeunt_section_begin", "v:pp", Effect::Visible, section_begin)
        .syncs(Touches::Nothing)
        .opens(USER),
    row("exeunt_section_end", "v:pp", Effect::Visible, section_end)
        .syncs(Touches::Nothing)
        .closes(USER),
    row("exeunt_proposition", "v:pp", Effect::Local, proposition).does(Deed::Names),
    row("exeunt_wait_begin", "v:p", Effect::Visible, wait_begin)
        .syncs(Touches::Nothing)
        .opens(USER),
    row("exeunt_wait_end", "v:p", Effect::Visible, wait_end).syncs(Touches::Nothing).closes(USER),
];

const SV_COMP: &[Builtin] = &[
    row("__VERIFIER_atomic_begin", "v:", Effect::Visible, atomic_begin),
    row("__VERIFIER_atomic_end", "v:", Effect::Local, atomic_end),
    row("__VERIFIER_assume", "v:i", Effect::Local, assume),
    row("__VERIFIER_assert", "v:i", Effect::Local, verifier_assert),
    row("__VERIFIER_error", "v:", Effect::Local, error),
    row("reach_error", "v:", Effect::Local, error).does(Deed::Fails),
];

const NONDET: &[Builtin] = &[
    row("__VERIFIER_nondet_bool", "b:", Effect::Visible, unsigned).chooses(Chooses::All),
    row("__VERIFIER_nondet__Bool", "b:", Effect::Visible, unsigned).chooses(Chooses::All),
    row("__VERIFIER_nondet_char", "c:", Effect::Visible, nondet).chooses(Chooses::All),
    row("__VERIFIER_nondet_schar", "c:", Effect::Visible, nondet).chooses(Chooses::All),
    row("__VERIFIER_nondet_uchar", "c:", Effect::Visible, unsigned).chooses(Chooses::All),
    row("__VERIFIER_nondet_short", "h:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_ushort", "h:", Effect::Visible, unsigned).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_int", "i:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_uint", "i:", Effect::Visible, unsigned).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_unsigned", "i:", Effect::Visible, unsigned).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_u32", "i:", Effect::Visible, unsigned).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_long", "l:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_ulong", "l:", Effect::Visible, unsigned).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_longlong", "l:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_ulonglong", "l:", Effect::Visible, unsigned).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_size_t", "l:", Effect::Visible, unsigned).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_loff_t", "l:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_unsigned_char", "c:", Effect::Visible, unsigned).chooses(Chooses::All),
    row("__VERIFIER_nondet_u8", "c:", Effect::Visible, unsigned).chooses(Chooses::All),
    row("__VERIFIER_nondet_s8", "c:", Effect::Visible, nondet).chooses(Chooses::All),
    row("__VERIFIER_nondet_u16", "h:", Effect::Visible, unsigned).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_s16", "h:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_unsigned_int", "i:", Effect::Visible, unsigned).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_s32", "i:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_u64", "l:", Effect::Visible, unsigned).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_s64", "l:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_ssize_t", "l:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_sector_t", "l:", Effect::Visible, unsigned).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_pthread_t", "l:", Effect::Visible, unsigned).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_pointer", "p:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_pchar", "p:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_charp", "p:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_float", "f:", Effect::Visible, nondet).chooses(Chooses::Sample),
    row("__VERIFIER_nondet_double", "d:", Effect::Visible, nondet).chooses(Chooses::Sample),
];

fn choose(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let count = args.i32(0);
    if count <= 0 {
        let help = "exeunt_choose(n) chooses one of 0 to n - 1, so n must be positive";
        return Err(context.misuse(format!("exeunt_choose is called with {count}"), help));
    }
    let value = context.choose(ChoiceKind::Environment, count as u32)?;
    context.tell(|_| format!("chooses {value} of {count}"));
    Ok(Flow::value(value as u64))
}

/// Read where the names of propositions are resolved; executing it does nothing.
fn proposition(_: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::VOID)
}

/// Where it does not hold the path is dropped, but not what the thread did
/// before: others may have seen that. So the step ends first.
fn assume(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    match args.i32(0) {
        0 if context.has_acted() => Err(Stop::Pause),
        0 => Err(Stop::Dropped),
        _ => Ok(Flow::VOID),
    }
}

fn assert(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if args.i32(0) != 0 {
        return Ok(Flow::VOID);
    }
    let text = context.read_string(args.ptr(1), "the text of an assertion")?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Err(context.fault(Property::Assertion, format!("assertion failed: {text}")))
}

fn verifier_assert(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if args.i32(0) != 0 {
        return Ok(Flow::VOID);
    }
    Err(context.fault(Property::Assertion, "assertion failed"))
}

fn error(context: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Err(context.fault(Property::Assertion, ERROR_REACHED))
}

fn atomic_begin(context: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    let deeper = context.own().atomic.checked_add(1);
    context.own_mut().atomic =
        deeper.ok_or_else(|| Stop::unsupported("65536 nested atomic blocks"))?;
    Ok(Flow::VOID)
}

fn atomic_end(context: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    if context.own().atomic == 0 {
        return Err(context.misuse(
            "an atomic block ends that was not begun",
            "every atomic_end needs an atomic_begin on the same path",
        ));
    }
    context.own_mut().atomic -= 1;
    Ok(Flow::VOID)
}

// ---- abstraction ------------------------------------------------------------

fn ignore(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.ignore_memory(args.ptr(0), args.u64(1))?;
    Ok(Flow::VOID)
}

fn match_memory(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.match_memory(args.ptr(0), args.u64(1))?;
    Ok(Flow::VOID)
}

fn match_value(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.match_words(&[args.u64(0)]);
    Ok(Flow::VOID)
}

// ---- inputs -----------------------------------------------------------------

/// An input of a signed type.
fn nondet(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    input(context, args, int::signed)
}

fn unsigned(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    input(context, args, |value, bits| value & int::mask(bits))
}

/// Chooses an input, and tells it as the number that its type makes of these bits.
fn input<N: Display>(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    number: fn(u64, u8) -> N,
) -> Result<Flow, Stop> {
    let results = &context.program().signature(args.site.signature).results;
    let ty = results.first().copied().unwrap_or(Scalar::Int(32));
    let values = candidates(context, ty);
    let at = context.choose(ChoiceKind::Environment, values.len() as u32)?;
    let value = values[at as usize];
    context.tell(|_| format!("{GETS_INPUT}{}", show(ty, value, number)));
    Ok(Flow::Return(Bits::defined(value)))
}

fn show<N: Display>(ty: Scalar, value: u64, number: fn(u64, u8) -> N) -> String {
    match ty {
        Scalar::F32 => f32::from_bits(value as u32).to_string(),
        Scalar::F64 => f64::from_bits(value).to_string(),
        Scalar::Int(_) | Scalar::Ptr | Scalar::F80 => number(value, ty.bits().min(64)).to_string(),
    }
}

/// All values of narrow types; a range or a few telling ones of wide types.
fn candidates(context: &Context<'_, '_>, ty: Scalar) -> Vec<u64> {
    match ty {
        Scalar::F32 => [0f32, 1.0, -1.0, 0.5, f32::MAX, f32::INFINITY, f32::NAN]
            .iter()
            .map(|x| x.to_bits() as u64)
            .collect(),
        Scalar::F64 => [0f64, 1.0, -1.0, 0.5, f64::MAX, f64::INFINITY, f64::NAN]
            .iter()
            .map(|x| x.to_bits())
            .collect(),
        // Null, and one to nothing at all.
        Scalar::Ptr => vec![0, 16],
        _ => integers(ty.bits().min(64), context.options().nondet),
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

/// Which pair of functions a section belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pair {
    Section,
    Wait,
}

/// What user sections are, by the number that states keep. Sections with the
/// same name, resource and pair of functions have the same number.
#[derive(Default)]
pub struct SectionNames {
    known: Mutex<HashMap<u64, UserSection>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct UserSection {
    name: String,
    resource: u64,
    wait: bool,
}

impl SectionNames {
    fn intern(&self, name: &str, resource: u64, pair: Pair) -> u64 {
        let section = UserSection { name: name.to_string(), resource, wait: pair == Pair::Wait };
        let mut hasher = DefaultHasher::new();
        section.hash(&mut hasher);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // States keep 56 bits; a number that another section has is skipped.
        let mut number = hasher.finish() & 0x00ff_ffff_ffff_ffff;
        while known.get(&number).is_some_and(|other| *other != section) {
            number = (number + 1) & 0x00ff_ffff_ffff_ffff;
        }
        known.entry(number).or_insert(section);
        number
    }

    fn get(&self, number: u64) -> Option<UserSection> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&number).cloned()
    }

    pub fn name(&self, number: u64) -> String {
        self.get(number).map_or_else(String::new, |section| section.name)
    }

    /// Whether two sections must not be open in one thread: the same one, or
    /// two about the same resource.
    fn exclude(&self, a: u64, b: u64) -> bool {
        let resource = |number| self.get(number).map_or(0, |section| section.resource);
        a == b || resource(a) != 0 && resource(a) == resource(b)
    }
}

fn section_of(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    pair: Pair,
) -> Result<(String, u64), Stop> {
    let name = context.read_string(args.ptr(0), "the name of a section")?;
    let name = String::from_utf8_lossy(&name).into_owned();
    let resource = args.values.get(1).map_or(0, |value| value.low.value);
    let number = context.section_names().intern(&name, resource, pair);
    Ok((name, number))
}

fn section_begin(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    begin(context, args, Pair::Section)
}

fn wait_begin(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    begin(context, args, Pair::Wait)
}

fn section_end(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    end(context, args, Pair::Section)
}

fn wait_end(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    end(context, args, Pair::Wait)
}

fn begin(context: &mut Context<'_, '_>, args: &Args<'_>, pair: Pair) -> Result<Flow, Stop> {
    let (name, number) = section_of(context, args, pair)?;
    let names = &context.section_names();
    let clashes =
        |open: &&Section| open.kind == SectionKind::User && names.exclude(open.resource, number);
    if let Some(open) = context.own().sections.iter().find(clashes).copied() {
        return Err(entered_twice(context, &name, number, open).into());
    }
    context.open(SectionKind::User, number);
    Ok(Flow::VOID)
}

fn entered_twice(context: &Context<'_, '_>, name: &str, number: u64, open: Section) -> Fault {
    let names = &context.section_names();
    let other = names.name(open.resource);
    let message = if other == name {
        format!("section `{name}` is entered again by a thread that is inside of it")
    } else {
        format!(
            "section `{name}` is entered by a thread that is inside of `{other}`, \
             which is about the same resource"
        )
    };
    let what = match names.get(number) {
        Some(section) if section.resource != 0 => "resources",
        _ => "names",
    };
    let fault = Fault::new(Property::Misuse, message).help(format!(
        "leave `{other}` on every path that leads here, or give the two sections different {what}"
    ));
    with_place(context, fault, open, &format!("`{other}` was entered here"))
}

fn end(context: &mut Context<'_, '_>, args: &Args<'_>, pair: Pair) -> Result<Flow, Stop> {
    let (name, number) = section_of(context, args, pair)?;
    if context.close(SectionKind::User, number) {
        return Ok(Flow::VOID);
    }
    let (begins, ends) = match pair {
        Pair::Section => ("exeunt_section_begin", "exeunt_section_end"),
        Pair::Wait => ("exeunt_wait_begin", "exeunt_wait_end"),
    };
    let fault = Fault::new(
        Property::Misuse,
        format!("section `{name}` is left by a thread that is not inside of it"),
    )
    .help(format!(
        "{ends} needs {begins} with the same name and resource, before it on the same thread"
    ));
    Err(with_open_sections(context, fault).into())
}

fn with_place(context: &Context<'_, '_>, fault: Fault, section: Section, text: &str) -> Fault {
    let fault = context.located(fault);
    match context.program().location(LocId(section.site)) {
        Some(location) => fault.label(location, text),
        None => fault,
    }
}

/// Points to the user sections that are open, whoever is inside.
fn with_open_sections(context: &mut Context<'_, '_>, mut fault: Fault) -> Fault {
    for thread in 0..context.threads() {
        let sections = context.head_of(thread).sections.clone();
        for section in sections.into_iter().filter(|s| s.kind == SectionKind::User) {
            let name = context.section_names().name(section.resource);
            let text = format!("thread {} entered `{name}` here and is inside of it", thread + 1);
            fault = with_place(context, fault, section, &text);
        }
    }
    context.located(fault)
}
