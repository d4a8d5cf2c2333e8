//! `long double`: functions whose result is exact or correctly rounded.

use std::cmp::Ordering;

use rustc_apfloat::{Category, Float, Round};

use super::{Answer, host};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, refused, row};
use crate::ops::f80::{self, F80};
use crate::ops::wide::Wide;

pub const TABLE: &[Builtin] = &[
    row("fabsl", "x:x", Effect::Local, |_, args| Ok(pair(absolute(at(args, 0))))),
    row("floorl", "x:x", Effect::Local, |_, args| integral(args, Round::TowardNegative)),
    row("ceill", "x:x", Effect::Local, |_, args| integral(args, Round::TowardPositive)),
    row("truncl", "x:x", Effect::Local, |_, args| integral(args, Round::TowardZero)),
    row("roundl", "x:x", Effect::Local, |_, args| integral(args, Round::NearestTiesToAway)),
    row("roundevenl", "x:x", Effect::Local, |_, args| integral(args, Round::NearestTiesToEven)),
    row("rintl", "x:x", Effect::Local, |_, args| integral(args, Round::NearestTiesToEven)),
    row("nearbyintl", "x:x", Effect::Local, |_, args| integral(args, Round::NearestTiesToEven)),
    row("lrintl", "l:x", Effect::Local, |_, args| to_long(args, Round::NearestTiesToEven)),
    row("llrintl", "l:x", Effect::Local, |_, args| to_long(args, Round::NearestTiesToEven)),
    row("lroundl", "l:x", Effect::Local, |_, args| to_long(args, Round::NearestTiesToAway)),
    row("llroundl", "l:x", Effect::Local, |_, args| to_long(args, Round::NearestTiesToAway)),
    row("sqrtl", "x:x", Effect::Local, sqrt),
    row("fmodl", "x:xx", Effect::Local, fmod),
    row("remainderl", "x:xx", Effect::Local, remainder),
    row("dreml", "x:xx", Effect::Local, remainder),
    row("fmal", "x:xxx", Effect::Local, fma),
    row("copysignl", "x:xx", Effect::Local, copysign),
    row("fmaxl", "x:xx", Effect::Local, |_, args| extreme(args, Ordering::is_gt)),
    row("fminl", "x:xx", Effect::Local, |_, args| extreme(args, Ordering::is_le)),
    row("fdiml", "x:xx", Effect::Local, fdim),
    row("nextafterl", "x:xx", Effect::Local, nextafter),
    row("nexttowardl", "x:xx", Effect::Local, nextafter),
    row("ldexpl", "x:xi", Effect::Local, |context, args| scale(context, args, args.i32(1) as i64)),
    row("scalbnl", "x:xi", Effect::Local, |context, args| scale(context, args, args.i32(1) as i64)),
    row("scalblnl", "x:xl", Effect::Local, |context, args| {
        scale(context, args, args.u64(1) as i64)
    }),
    row("frexpl", "x:xp", Effect::Memory, frexp),
    row("modfl", "x:xp", Effect::Memory, modf),
    row("ilogbl", "i:x", Effect::Local, ilogb),
    row("logbl", "x:x", Effect::Local, logb),
    row("nanl", "x:p", Effect::Memory, nan),
    row("__isnanl", "i:x", Effect::Local, |_, args| Ok(Flow::int(at(args, 0).is_nan() as i32))),
    row("isnanl", "i:x", Effect::Local, |_, args| Ok(Flow::int(at(args, 0).is_nan() as i32))),
    row("__isinfl", "i:x", Effect::Local, isinf),
    row("isinfl", "i:x", Effect::Local, isinf),
    row("__finitel", "i:x", Effect::Local, |_, args| Ok(Flow::int(at(args, 0).is_finite() as i32))),
    row("finitel", "i:x", Effect::Local, |_, args| Ok(Flow::int(at(args, 0).is_finite() as i32))),
    row("__signbitl", "i:x", Effect::Local, signbit),
    row("__fpclassifyl", "i:x", Effect::Local, fpclassify),
    refused("acosl", "x:x", Effect::Local, UNSUPPORTED),
    refused("asinl", "x:x", Effect::Local, UNSUPPORTED),
    refused("atanl", "x:x", Effect::Local, UNSUPPORTED),
    refused("cosl", "x:x", Effect::Local, UNSUPPORTED),
    refused("sinl", "x:x", Effect::Local, UNSUPPORTED),
    refused("tanl", "x:x", Effect::Local, UNSUPPORTED),
    refused("acoshl", "x:x", Effect::Local, UNSUPPORTED),
    refused("asinhl", "x:x", Effect::Local, UNSUPPORTED),
    refused("atanhl", "x:x", Effect::Local, UNSUPPORTED),
    refused("coshl", "x:x", Effect::Local, UNSUPPORTED),
    refused("sinhl", "x:x", Effect::Local, UNSUPPORTED),
    refused("tanhl", "x:x", Effect::Local, UNSUPPORTED),
    refused("expl", "x:x", Effect::Local, UNSUPPORTED),
    refused("exp2l", "x:x", Effect::Local, UNSUPPORTED),
    refused("exp10l", "x:x", Effect::Local, UNSUPPORTED),
    refused("expm1l", "x:x", Effect::Local, UNSUPPORTED),
    row("logl", "x:x", Effect::Local, |context, args| logarithm(context, args, f80::log)),
    refused("log10l", "x:x", Effect::Local, UNSUPPORTED),
    row("log2l", "x:x", Effect::Local, |context, args| logarithm(context, args, f80::log2)),
    refused("log1pl", "x:x", Effect::Local, UNSUPPORTED),
    refused("cbrtl", "x:x", Effect::Local, UNSUPPORTED),
    refused("tgammal", "x:x", Effect::Local, UNSUPPORTED),
    refused("lgammal", "x:x", Effect::Local, UNSUPPORTED),
    refused("erfl", "x:x", Effect::Local, UNSUPPORTED),
    refused("erfcl", "x:x", Effect::Local, UNSUPPORTED),
    refused("atan2l", "x:xx", Effect::Local, UNSUPPORTED),
    refused("powl", "x:xx", Effect::Local, UNSUPPORTED),
    refused("hypotl", "x:xx", Effect::Local, UNSUPPORTED),
];

fn at(args: &Args<'_>, index: usize) -> F80 {
    let value = &args.values[index];
    f80::from_bits(Wide::join(value.low, value.high).value)
}

fn pair(value: F80) -> Flow {
    let (low, high) = Wide::defined(f80::to_bits(value)).split();
    Flow::ReturnPair(low, high)
}

const UNSUPPORTED: &str = "`{}` (long double)";

fn absolute(value: F80) -> F80 {
    if value.is_negative() { -value } else { value }
}

fn with_sign(value: F80, negative: bool) -> F80 {
    if value.is_negative() == negative { value } else { -value }
}

fn with_error(context: &mut Context<'_, '_>, value: F80, code: Option<i32>) -> Answer {
    if let Some(code) = code {
        context.set_errno(code)?;
    }
    Ok(pair(value))
}

fn integral(args: &Args<'_>, round: Round) -> Answer {
    let value = at(args, 0);
    let rounded = value.round_to_integral(round).value;
    Ok(pair(if value.is_nan() { value } else { with_sign(rounded, value.is_negative()) }))
}

fn to_long(args: &Args<'_>, round: Round) -> Answer {
    let rounded = at(args, 0).round_to_integral(round).value;
    let number = f80::to_signed(rounded, 64).unwrap_or(i64::MIN as i128);
    Ok(Flow::value(number as i64 as u64))
}

fn sqrt(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let value = at(args, 0);
    let domain = value.is_negative() && !value.is_zero() && !value.is_nan();
    // The processor's own NaN is negative.
    let root = if domain { -F80::NAN } else { f80::sqrt(value) };
    with_error(context, root, domain.then_some(host::EDOM))
}

fn logarithm(context: &mut Context<'_, '_>, args: &Args<'_>, of: fn(F80) -> F80) -> Answer {
    let value = at(args, 0);
    match value.category() {
        Category::NaN => Ok(pair(value)),
        Category::Zero => with_error(context, -F80::INFINITY, Some(host::ERANGE)),
        // The processor's own NaN is negative.
        _ if value.is_negative() => with_error(context, -F80::NAN, Some(host::EDOM)),
        Category::Infinity => Ok(pair(value)),
        Category::Normal => Ok(pair(of(value))),
    }
}

fn fmod(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, y) = (at(args, 0), at(args, 1));
    let domain = !x.is_nan() && !y.is_nan() && (x.is_infinite() || y.is_zero());
    let rest = if domain { -F80::NAN } else { with_sign_of(x.c_fmod(y).value, x) };
    with_error(context, rest, domain.then_some(host::EDOM))
}

fn remainder(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, y) = (at(args, 0), at(args, 1));
    let domain = !x.is_nan() && !y.is_nan() && (x.is_infinite() || y.is_zero());
    let rest = x.ieee_rem(y).value;
    let rest = if rest.is_zero() { with_sign_of(rest, x) } else { rest };
    with_error(context, if domain { -F80::NAN } else { rest }, domain.then_some(host::EDOM))
}

fn with_sign_of(value: F80, other: F80) -> F80 {
    if value.is_nan() { value } else { with_sign(value, other.is_negative()) }
}

fn fma(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(pair(at(args, 0).mul_add(at(args, 1), at(args, 2)).value))
}

fn copysign(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(pair(with_sign(at(args, 0), at(args, 1).is_negative())))
}

/// The first argument if it is ordered so to the second one, else the second
/// (which decides the sign of zero).
fn extreme(args: &Args<'_>, wanted: fn(Ordering) -> bool) -> Answer {
    let (x, y) = (at(args, 0), at(args, 1));
    let first = x.partial_cmp(&y).is_some_and(wanted) || y.is_nan();
    Ok(pair(if first { x } else { y }))
}

fn fdim(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, y) = (at(args, 0), at(args, 1));
    let difference = if x <= y { F80::ZERO } else { (x - y).value };
    Ok(pair(difference))
}

/// The next number after `x` towards `y`.
fn next<F: Float>(x: F, towards: Ordering) -> F {
    match towards {
        Ordering::Less => x.next_up().value,
        Ordering::Greater => x.next_down().value,
        Ordering::Equal => x,
    }
}

fn nextafter(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, y) = (at(args, 0), at(args, 1));
    Ok(pair(match x.partial_cmp(&y) {
        Some(Ordering::Equal) => y,
        Some(order) => next(x, order),
        None if x.is_nan() => x,
        None => y,
    }))
}

pub fn nexttoward(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, y) = (args.f64(0), at(args, 1));
    Ok(Flow::value(
        match f80::from_f64(x).partial_cmp(&y) {
            Some(Ordering::Equal) => f80::to_f64(y),
            Some(Ordering::Less) => x.next_up(),
            Some(Ordering::Greater) => x.next_down(),
            None => f64::NAN,
        }
        .to_bits(),
    ))
}

pub fn nexttowardf(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, y) = (args.f32(0), at(args, 1));
    let next = match f80::from_f32(x).partial_cmp(&y) {
        Some(Ordering::Equal) => f80::to_f32(y),
        Some(Ordering::Less) => x.next_up(),
        Some(Ordering::Greater) => x.next_down(),
        None => f32::NAN,
    };
    Ok(Flow::value(next.to_bits() as u64))
}

/// Exponents that go beyond every number are all the same.
fn scale(context: &mut Context<'_, '_>, args: &Args<'_>, exponent: i64) -> Answer {
    let value = at(args, 0);
    let scaled = value.scalbn(exponent.clamp(-40_000, 40_000) as i32);
    let ordinary = value.is_finite() && !value.is_zero();
    let beyond = ordinary && (scaled.is_infinite() || scaled.is_zero());
    with_error(context, scaled, beyond.then_some(host::ERANGE))
}

fn frexp(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let value = at(args, 0);
    let (mut fraction, mut exponent) = (value, 0);
    if value.is_finite() && !value.is_zero() {
        exponent = value.ilogb() + 1;
        fraction = value.scalbn(-exponent);
    }
    context.write_int(args.ptr(1), exponent)?;
    Ok(pair(fraction))
}

fn modf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let value = at(args, 0);
    let whole = value.round_to_integral(Round::TowardZero).value;
    let whole = with_sign(whole, value.is_negative());
    let fraction = if value.is_infinite() { F80::ZERO } else { (value - whole).value };
    let (low, high) = Wide::defined(f80::to_bits(whole)).split();
    context.store(args.ptr(1), 80, low, high)?;
    Ok(pair(if value.is_nan() { value } else { with_sign(fraction, value.is_negative()) }))
}

fn ilogb(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let value = at(args, 0);
    let exponent = match value.category() {
        Category::Normal => return Ok(Flow::int(value.ilogb())),
        Category::Infinity => i32::MAX,
        Category::Zero | Category::NaN => i32::MIN,
    };
    context.set_errno(host::EDOM)?;
    Ok(Flow::int(exponent))
}

fn logb(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let value = at(args, 0);
    match value.category() {
        Category::Normal => Ok(pair(f80::from_signed(value.ilogb() as i128))),
        // Unlike its narrower siblings, glibc's does not call this an error.
        Category::Zero => Ok(pair(-F80::INFINITY)),
        Category::Infinity => Ok(pair(F80::INFINITY)),
        Category::NaN => Ok(pair(value)),
    }
}

fn nan(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let text = super::nan_text(context, args)?;
    Ok(pair(crate::libc::stdlib::number::real::<F80>(&text).value))
}

fn isinf(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let value = at(args, 0);
    let sign = if value.is_negative() { -1 } else { 1 };
    Ok(Flow::int(if value.is_infinite() { sign } else { 0 }))
}

fn signbit(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let sign = args.values[0].high.value & 0x8000;
    Ok(Flow::int(sign as i32))
}

fn fpclassify(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let value = at(args, 0);
    Ok(Flow::int(match value.category() {
        Category::NaN => 0,
        Category::Infinity => 1,
        Category::Zero => 2,
        Category::Normal if value.is_denormal() => 3,
        Category::Normal => 4,
    }))
}
