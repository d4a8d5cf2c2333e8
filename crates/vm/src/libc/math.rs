//! `math.h`: double and float by the host's library (see `math/host.rs`),
//! `long double` in software where the result is exact or correctly rounded.

mod host;
mod long;

use exeunt_mem::Bits;

pub use self::long::TABLE as LONG;
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::stop::Stop;

type Answer = Result<Flow, Stop>;

/// A table of functions that the host has under the same names.
macro_rules! hosted {
    ($table:ident, $signature:literal, $call:ident: $($name:ident)*) => {
        pub const $table: &[Builtin] = &[$(row(
            stringify!($name),
            $signature,
            Effect::Local,
            |context, args| $call(context, args, host::$name),
        )),*];
    };
}

hosted! { UNARY, "d:d", unary:
    acos asin atan cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 exp10 expm1 log log10
    log2 log1p logb sqrt cbrt fabs ceil floor trunc round roundeven rint nearbyint tgamma erf erfc
    significand j0 j1 y0 y1
}

hosted! { UNARY_FLOAT, "f:f", unary_float:
    acosf asinf atanf cosf sinf tanf acoshf asinhf atanhf coshf sinhf tanhf expf exp2f exp10f
    expm1f logf log10f log2f log1pf logbf sqrtf cbrtf fabsf ceilf floorf truncf roundf roundevenf
    rintf nearbyintf tgammaf erff erfcf significandf j0f j1f y0f y1f
}

hosted! { BINARY, "d:dd", binary:
    atan2 pow fmod remainder drem hypot fdim fmax fmin nextafter copysign scalb
}

hosted! { BINARY_FLOAT, "f:ff", binary_float:
    atan2f powf fmodf remainderf dremf hypotf fdimf fmaxf fminf nextafterf copysignf scalbf
}

/// Calls that are not supported.
const NO_ROUNDING: &str = "another rounding mode than to nearest";

pub const TABLE: &[Builtin] = &[
    row("fma", "d:ddd", Effect::Local, fma),
    row("fmaf", "f:fff", Effect::Local, fmaf),
    row("lgamma", "d:d", Effect::Local, lgamma),
    row("lgammaf", "f:f", Effect::Local, lgammaf),
    row("gamma", "d:d", Effect::Local, lgamma),
    row("lgamma_r", "d:dp", Effect::Memory, lgamma),
    row("lgammaf_r", "f:fp", Effect::Memory, lgammaf),
    row("jn", "d:id", Effect::Local, jn),
    row("yn", "d:id", Effect::Local, yn),
    row("sincos", "v:dpp", Effect::Memory, sincos),
    row("sincosf", "v:fpp", Effect::Memory, sincosf),
    row("frexp", "d:dp", Effect::Memory, frexp),
    row("frexpf", "f:fp", Effect::Memory, frexpf),
    row("modf", "d:dp", Effect::Memory, modf),
    row("modff", "f:fp", Effect::Memory, modff),
    row("remquo", "d:ddp", Effect::Memory, remquo),
    row("remquof", "f:ffp", Effect::Memory, remquof),
    row("ldexp", "d:di", Effect::Local, ldexp),
    row("scalbn", "d:di", Effect::Local, ldexp),
    row("ldexpf", "f:fi", Effect::Local, ldexpf),
    row("scalbnf", "f:fi", Effect::Local, ldexpf),
    row("scalbln", "d:dl", Effect::Local, scalbln),
    row("scalblnf", "f:fl", Effect::Local, scalblnf),
    row("ilogb", "i:d", Effect::Local, ilogb),
    row("ilogbf", "i:f", Effect::Local, ilogbf),
    row("lrint", "l:d", Effect::Local, lrint),
    row("llrint", "l:d", Effect::Local, lrint),
    row("lrintf", "l:f", Effect::Local, lrintf),
    row("llrintf", "l:f", Effect::Local, lrintf),
    row("lround", "l:d", Effect::Local, lround),
    row("llround", "l:d", Effect::Local, lround),
    row("lroundf", "l:f", Effect::Local, lroundf),
    row("llroundf", "l:f", Effect::Local, lroundf),
    row("nexttoward", "d:dx", Effect::Local, long::nexttoward),
    row("nexttowardf", "f:fx", Effect::Local, long::nexttowardf),
    row("nan", "d:p", Effect::Memory, nan),
    row("nanf", "f:p", Effect::Memory, nanf),
    row("isnan", "i:d", Effect::Local, isnan),
    row("__isnan", "i:d", Effect::Local, isnan),
    row("isnanf", "i:f", Effect::Local, isnanf),
    row("__isnanf", "i:f", Effect::Local, isnanf),
    row("isinf", "i:d", Effect::Local, isinf),
    row("__isinf", "i:d", Effect::Local, isinf),
    row("isinff", "i:f", Effect::Local, isinff),
    row("__isinff", "i:f", Effect::Local, isinff),
    row("finite", "i:d", Effect::Local, finite),
    row("__finite", "i:d", Effect::Local, finite),
    row("finitef", "i:f", Effect::Local, finitef),
    row("__finitef", "i:f", Effect::Local, finitef),
    row("__signbit", "i:d", Effect::Local, signbit),
    row("__signbitf", "i:f", Effect::Local, signbitf),
    row("__fpclassify", "i:d", Effect::Local, fpclassify),
    row("__fpclassifyf", "i:f", Effect::Local, fpclassifyf),
    row("fegetround", "i:", Effect::Local, fegetround),
    row("fesetround", "i:i", Effect::Local, fesetround).without(&[NO_ROUNDING]),
];

impl Context<'_, '_> {
    /// Computes with the host's library; its errors become the program's.
    fn compute(&mut self, f: impl Fn() -> f64) -> Result<f64, Stop> {
        let (result, error) = host::observed(f, |result| result.is_nan());
        if let Some(code) = error {
            self.set_errno(code)?;
        }
        Ok(result)
    }

    fn compute_float(&mut self, f: impl Fn() -> f32) -> Result<f32, Stop> {
        let (result, error) = host::observed(f, |result| result.is_nan());
        if let Some(code) = error {
            self.set_errno(code)?;
        }
        Ok(result)
    }

    fn write_int(&mut self, addr: u64, value: i32) -> Result<(), Stop> {
        self.write(addr, 4, Bits::defined(value as u32 as u64))
    }
}

fn double(value: f64) -> Flow {
    Flow::value(value.to_bits())
}

fn float(value: f32) -> Flow {
    Flow::value(value.to_bits() as u64)
}

fn unary(context: &mut Context<'_, '_>, args: &Args<'_>, f: extern "C" fn(f64) -> f64) -> Answer {
    let x = args.f64(0);
    Ok(double(context.compute(|| f(x))?))
}

fn unary_float(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    f: extern "C" fn(f32) -> f32,
) -> Answer {
    let x = args.f32(0);
    Ok(float(context.compute_float(|| f(x))?))
}

fn binary(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    f: extern "C" fn(f64, f64) -> f64,
) -> Answer {
    let (x, y) = (args.f64(0), args.f64(1));
    Ok(double(context.compute(|| f(x, y))?))
}

fn binary_float(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    f: extern "C" fn(f32, f32) -> f32,
) -> Answer {
    let (x, y) = (args.f32(0), args.f32(1));
    Ok(float(context.compute_float(|| f(x, y))?))
}

fn fma(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, y, z) = (args.f64(0), args.f64(1), args.f64(2));
    Ok(double(context.compute(|| host::fma(x, y, z))?))
}

fn fmaf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, y, z) = (args.f32(0), args.f32(1), args.f32(2));
    Ok(float(context.compute_float(|| host::fmaf(x, y, z))?))
}

/// The sign goes where the caller wants it; the global `signgam` stays 0.
fn lgamma(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let x = args.f64(0);
    let mut sign = 0;
    host::lgamma_r(x, &mut sign);
    let result = context.compute(|| host::lgamma_r(x, &mut 0))?;
    if args.values.len() > 1 {
        context.write_int(args.ptr(1), sign)?;
    }
    Ok(double(result))
}

fn lgammaf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let x = args.f32(0);
    let mut sign = 0;
    host::lgammaf_r(x, &mut sign);
    let result = context.compute_float(|| host::lgammaf_r(x, &mut 0))?;
    if args.values.len() > 1 {
        context.write_int(args.ptr(1), sign)?;
    }
    Ok(float(result))
}

fn jn(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (order, x) = (args.i32(0), args.f64(1));
    Ok(double(context.compute(|| host::jn(order, x))?))
}

fn yn(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (order, x) = (args.i32(0), args.f64(1));
    Ok(double(context.compute(|| host::yn(order, x))?))
}

fn sincos(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let x = args.f64(0);
    let (sine, cosine) = (context.compute(|| host::sin(x))?, context.compute(|| host::cos(x))?);
    context.write(args.ptr(1), 8, Bits::defined(sine.to_bits()))?;
    context.write(args.ptr(2), 8, Bits::defined(cosine.to_bits()))?;
    Ok(Flow::VOID)
}

fn sincosf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let x = args.f32(0);
    let sine = context.compute_float(|| host::sinf(x))?;
    let cosine = context.compute_float(|| host::cosf(x))?;
    context.write(args.ptr(1), 4, Bits::defined(sine.to_bits() as u64))?;
    context.write(args.ptr(2), 4, Bits::defined(cosine.to_bits() as u64))?;
    Ok(Flow::VOID)
}

// ---- taking numbers apart -------------------------------------------------------------

fn frexp(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let mut exponent = 0;
    let fraction = host::frexp(args.f64(0), &mut exponent);
    context.write_int(args.ptr(1), exponent)?;
    Ok(double(fraction))
}

/// A float's fraction and exponent are those of the double it is.
fn frexpf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let mut exponent = 0;
    let fraction = host::frexp(args.f32(0) as f64, &mut exponent);
    context.write_int(args.ptr(1), exponent)?;
    Ok(float(fraction as f32))
}

fn modf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let x = args.f64(0);
    let whole = x.trunc();
    let fraction = if x.is_infinite() { 0.0f64.copysign(x) } else { (x - whole).copysign(x) };
    context.write(args.ptr(1), 8, Bits::defined(whole.to_bits()))?;
    Ok(double(fraction))
}

fn modff(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let x = args.f32(0);
    let whole = x.trunc();
    let fraction = if x.is_infinite() { 0.0f32.copysign(x) } else { (x - whole).copysign(x) };
    context.write(args.ptr(1), 4, Bits::defined(whole.to_bits() as u64))?;
    Ok(float(fraction))
}

fn remquo(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, y) = (args.f64(0), args.f64(1));
    let mut quotient = 0;
    host::remquo(x, y, &mut quotient);
    let result = context.compute(|| host::remquo(x, y, &mut 0))?;
    context.write_int(args.ptr(2), quotient)?;
    Ok(double(result))
}

fn remquof(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, y) = (args.f32(0), args.f32(1));
    let mut quotient = 0;
    host::remquof(x, y, &mut quotient);
    let result = context.compute_float(|| host::remquof(x, y, &mut 0))?;
    context.write_int(args.ptr(2), quotient)?;
    Ok(float(result))
}

fn ldexp(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, exponent) = (args.f64(0), args.i32(1));
    Ok(double(context.compute(|| host::ldexp(x, exponent))?))
}

fn ldexpf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, exponent) = (args.f32(0), args.i32(1));
    Ok(float(context.compute_float(|| host::ldexpf(x, exponent))?))
}

fn scalbln(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, exponent) = (args.f64(0), args.u64(1) as i64);
    Ok(double(context.compute(|| host::scalbln(x, exponent))?))
}

fn scalblnf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (x, exponent) = (args.f32(0), args.u64(1) as i64);
    Ok(float(context.compute_float(|| host::scalblnf(x, exponent))?))
}

/// Zero, infinities and NaN have no exponent.
fn exponent(context: &mut Context<'_, '_>, exponent: i32, exists: bool) -> Answer {
    if !exists {
        context.set_errno(host::EDOM)?;
    }
    Ok(Flow::int(exponent))
}

fn ilogb(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let x = args.f64(0);
    exponent(context, host::ilogb(x), x != 0.0 && x.is_finite())
}

fn ilogbf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let x = args.f32(0);
    exponent(context, host::ilogbf(x), x != 0.0 && x.is_finite())
}

// ---- to integers ------------------------------------------------------------------------

/// What does not fit becomes the smallest number, as the processor has it.
fn to_long(rounded: f64) -> Flow {
    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&rounded);
    Flow::value(if fits { rounded as i64 } else { i64::MIN } as u64)
}

fn lrint(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(to_long(args.f64(0).round_ties_even()))
}

fn lrintf(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(to_long(args.f32(0).round_ties_even() as f64))
}

fn lround(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(to_long(args.f64(0).round()))
}

fn lroundf(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(to_long(args.f32(0).round() as f64))
}

// ---- classes ------------------------------------------------------------------------------

fn nan_text(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Vec<u8>, Stop> {
    let text = context.string(args, args.ptr(0))?;
    Ok([b"nan(", &text[..], b")"].concat())
}

fn nan(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    use rustc_apfloat::{Float, ieee::Double};
    let text = nan_text(context, args)?;
    let number = super::stdlib::number::real::<Double>(&text);
    Ok(Flow::value(number.value.to_bits() as u64))
}

fn nanf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    use rustc_apfloat::{Float, ieee::Single};
    let text = nan_text(context, args)?;
    let number = super::stdlib::number::real::<Single>(&text);
    Ok(Flow::value(number.value.to_bits() as u64))
}

fn isnan(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(args.f64(0).is_nan() as i32))
}

fn isnanf(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(args.f32(0).is_nan() as i32))
}

/// 1 for positive infinity, -1 for the negative one.
fn infinite(x: f64) -> Flow {
    Flow::int(if x.is_infinite() { x.signum() as i32 } else { 0 })
}

fn isinf(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(infinite(args.f64(0)))
}

fn isinff(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(infinite(args.f32(0) as f64))
}

fn finite(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(args.f64(0).is_finite() as i32))
}

fn finitef(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(args.f32(0).is_finite() as i32))
}

/// glibc answers the bit where it is.
fn signbit(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(if args.f64(0).is_sign_negative() { 128 } else { 0 }))
}

fn signbitf(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(if args.f32(0).is_sign_negative() { 8 } else { 0 }))
}

/// `FP_NAN` to `FP_NORMAL`.
fn class(category: std::num::FpCategory) -> Flow {
    use std::num::FpCategory::*;
    Flow::int(match category {
        Nan => 0,
        Infinite => 1,
        Zero => 2,
        Subnormal => 3,
        Normal => 4,
    })
}

fn fpclassify(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(class(args.f64(0).classify()))
}

fn fpclassifyf(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(class(args.f32(0).classify()))
}

// ---- rounding mode ------------------------------------------------------------------------

fn fegetround(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::int(0))
}

fn fesetround(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match args.i32(0) {
        0 => Ok(Flow::int(0)),
        _ => Err(Stop::unsupported(NO_ROUNDING)),
    }
}
