//! Floating point. Single and double are the host's own arithmetic (the same
//! IEEE operations and the same libm as a native run), long double is done in
//! software. A result is undefined as a whole if an operand is in any bit.

use std::cmp::Ordering;

use exeunt_ir::{CastOp, FloatKind, FloatOp, FloatPred, FloatUnOp};
use exeunt_mem::Bits;
use rustc_apfloat::{Float, Round};

use super::f80::{self, F80};
use super::int;
use super::wide::{self, Wide};

fn slots(kind: FloatKind) -> u32 {
    if kind == FloatKind::F80 { 2 } else { 1 }
}

fn is_undefined(kind: FloatKind, slot: u32, window: &[Bits]) -> bool {
    let relevant = if kind == FloatKind::F32 { u32::MAX as u64 } else { u64::MAX };
    window[slot as usize].undefined & relevant != 0
        || kind == FloatKind::F80 && window[slot as usize + 1].undefined & 0xffff != 0
}

fn set_undefined(bits: u8, slot: u32, window: &mut [Bits]) {
    window[slot as usize] = Bits { value: 0, undefined: int::mask(bits.min(64)) };
    if bits > 64 {
        window[slot as usize + 1] = Bits { value: 0, undefined: int::mask(bits - 64) };
    }
}

fn bits_of(kind: FloatKind) -> u8 {
    match kind {
        FloatKind::F32 => 32,
        FloatKind::F64 => 64,
        FloatKind::F80 => 80,
    }
}

fn f32_at(slot: u32, window: &[Bits]) -> f32 {
    f32::from_bits(window[slot as usize].value as u32)
}

fn f64_at(slot: u32, window: &[Bits]) -> f64 {
    f64::from_bits(window[slot as usize].value)
}

fn f80_at(slot: u32, window: &[Bits]) -> F80 {
    f80::from_bits(Wide::join(window[slot as usize], window[slot as usize + 1]).value)
}

fn set_f32(slot: u32, value: f32, window: &mut [Bits]) {
    window[slot as usize] = Bits::defined(value.to_bits() as u64);
}

fn set_f64(slot: u32, value: f64, window: &mut [Bits]) {
    window[slot as usize] = Bits::defined(value.to_bits());
}

fn set_f80(slot: u32, value: F80, window: &mut [Bits]) {
    let (low, high) = Wide::defined(f80::to_bits(value)).split();
    window[slot as usize] = low;
    window[slot as usize + 1] = high;
}

pub fn binary(
    op: FloatOp,
    kind: FloatKind,
    dst: u32,
    a: u32,
    b: u32,
    window: &mut [Bits],
) -> Result<(), String> {
    let integer_operand = matches!(op, FloatOp::PowI | FloatOp::LdExp);
    let b_undefined = if integer_operand {
        window[b as usize].undefined & u32::MAX as u64 != 0
    } else {
        is_undefined(kind, b, window)
    };
    if is_undefined(kind, a, window) || b_undefined {
        set_undefined(bits_of(kind), dst, window);
        return Ok(());
    }
    let n = window[b as usize].value as u32 as i32;
    match kind {
        FloatKind::F32 => {
            let (x, y) = (f32_at(a, window), f32_at(b, window));
            set_f32(dst, binary_f32(op, x, y, n), window);
        }
        FloatKind::F64 => {
            let (x, y) = (f64_at(a, window), f64_at(b, window));
            set_f64(dst, binary_f64(op, x, y, n), window);
        }
        FloatKind::F80 => {
            let x = f80_at(a, window);
            let y = if integer_operand { x } else { f80_at(b, window) };
            set_f80(dst, binary_f80(op, x, y, n)?, window);
        }
    }
    Ok(())
}

fn binary_f32(op: FloatOp, x: f32, y: f32, n: i32) -> f32 {
    match op {
        FloatOp::Add => x + y,
        FloatOp::Sub => x - y,
        FloatOp::Mul => x * y,
        FloatOp::Div => x / y,
        FloatOp::Rem => x % y,
        FloatOp::CopySign => x.copysign(y),
        FloatOp::Pow => x.powf(y),
        FloatOp::Atan2 => x.atan2(y),
        FloatOp::MinNum => x.min(y),
        FloatOp::MaxNum => x.max(y),
        FloatOp::Minimum | FloatOp::Maximum | FloatOp::PowI | FloatOp::LdExp => {
            binary_f64(op, x as f64, y as f64, n) as f32
        }
    }
}

fn binary_f64(op: FloatOp, x: f64, y: f64, n: i32) -> f64 {
    match op {
        FloatOp::Add => x + y,
        FloatOp::Sub => x - y,
        FloatOp::Mul => x * y,
        FloatOp::Div => x / y,
        FloatOp::Rem => x % y,
        FloatOp::CopySign => x.copysign(y),
        FloatOp::Pow => x.powf(y),
        FloatOp::Atan2 => x.atan2(y),
        FloatOp::MinNum => x.min(y),
        FloatOp::MaxNum => x.max(y),
        FloatOp::Minimum | FloatOp::Maximum => extreme(op == FloatOp::Maximum, x, y),
        FloatOp::PowI => x.powi(n),
        FloatOp::LdExp => ldexp(x, n),
    }
}

/// IEEE 754-2019 minimum and maximum: NaN wins, -0 is below +0.
fn extreme(max: bool, x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let first = match x.total_cmp(&y) {
        Ordering::Less => !max,
        _ => max,
    };
    if first { x } else { y }
}

/// `x * 2^n` with one rounding.
pub fn ldexp(x: f64, n: i32) -> f64 {
    f80::to_f64(f80::from_f64(x).scalbn(n.clamp(-20_000, 20_000)))
}

fn binary_f80(op: FloatOp, x: F80, y: F80, n: i32) -> Result<F80, String> {
    Ok(match op {
        FloatOp::Add => (x + y).value,
        FloatOp::Sub => (x - y).value,
        FloatOp::Mul => (x * y).value,
        FloatOp::Div => (x / y).value,
        FloatOp::Rem => x.c_fmod(y).value,
        FloatOp::CopySign => x.copy_sign(y),
        FloatOp::MinNum => x.min(y),
        FloatOp::MaxNum => x.max(y),
        FloatOp::Minimum => x.minimum(y),
        FloatOp::Maximum => x.maximum(y),
        FloatOp::LdExp => x.scalbn(n),
        // Transcendental functions go through double: the last bits of a
        // long double result would not be those of a native run.
        FloatOp::Pow | FloatOp::PowI | FloatOp::Atan2 => {
            return Err(format!("{op:?} on long double"));
        }
    })
}

pub fn unary(
    op: FloatUnOp,
    kind: FloatKind,
    dst: u32,
    a: u32,
    window: &mut [Bits],
) -> Result<(), String> {
    if is_undefined(kind, a, window) {
        set_undefined(bits_of(kind), dst, window);
        return Ok(());
    }
    match kind {
        FloatKind::F32 => {
            let value = unary_f32(op, f32_at(a, window));
            set_f32(dst, value, window);
        }
        FloatKind::F64 => {
            let value = unary_f64(op, f64_at(a, window));
            set_f64(dst, value, window);
        }
        FloatKind::F80 => {
            let value = unary_f80(op, f80_at(a, window))?;
            set_f80(dst, value, window);
        }
    }
    Ok(())
}

macro_rules! host_unary {
    ($name:ident, $ty:ty) => {
        fn $name(op: FloatUnOp, x: $ty) -> $ty {
            match op {
                FloatUnOp::Neg => -x,
                FloatUnOp::Abs => x.abs(),
                FloatUnOp::Sqrt => x.sqrt(),
                FloatUnOp::Floor => x.floor(),
                FloatUnOp::Ceil => x.ceil(),
                FloatUnOp::Trunc => x.trunc(),
                FloatUnOp::Round => x.round(),
                FloatUnOp::RoundEven | FloatUnOp::Rint | FloatUnOp::NearbyInt => {
                    x.round_ties_even()
                }
                FloatUnOp::Sin => x.sin(),
                FloatUnOp::Cos => x.cos(),
                FloatUnOp::Tan => x.tan(),
                FloatUnOp::Asin => x.asin(),
                FloatUnOp::Acos => x.acos(),
                FloatUnOp::Atan => x.atan(),
                FloatUnOp::Sinh => x.sinh(),
                FloatUnOp::Cosh => x.cosh(),
                FloatUnOp::Tanh => x.tanh(),
                FloatUnOp::Exp => x.exp(),
                FloatUnOp::Exp2 => x.exp2(),
                FloatUnOp::Exp10 => (10.0 as $ty).powf(x),
                FloatUnOp::Log => x.ln(),
                FloatUnOp::Log2 => x.log2(),
                FloatUnOp::Log10 => x.log10(),
                FloatUnOp::Canonicalize => x,
            }
        }
    };
}

host_unary!(unary_f32, f32);
host_unary!(unary_f64, f64);

fn unary_f80(op: FloatUnOp, x: F80) -> Result<F80, String> {
    Ok(match op {
        FloatUnOp::Neg => -x,
        FloatUnOp::Abs => {
            if x.is_negative() {
                -x
            } else {
                x
            }
        }
        FloatUnOp::Sqrt => f80::sqrt(x),
        FloatUnOp::Floor => x.round_to_integral(Round::TowardNegative).value,
        FloatUnOp::Ceil => x.round_to_integral(Round::TowardPositive).value,
        FloatUnOp::Trunc => x.round_to_integral(Round::TowardZero).value,
        FloatUnOp::Round => x.round_to_integral(Round::NearestTiesToAway).value,
        FloatUnOp::RoundEven | FloatUnOp::Rint | FloatUnOp::NearbyInt => {
            x.round_to_integral(Round::NearestTiesToEven).value
        }
        FloatUnOp::Canonicalize => x,
        _ => return Err(format!("{op:?} on long double")),
    })
}

pub fn multiply_add(
    kind: FloatKind,
    dst: u32,
    [a, b, c]: [u32; 3],
    window: &mut [Bits],
) -> Result<(), String> {
    if [a, b, c].into_iter().any(|slot| is_undefined(kind, slot, window)) {
        set_undefined(bits_of(kind), dst, window);
        return Ok(());
    }
    match kind {
        FloatKind::F32 => {
            let value = f32_at(a, window).mul_add(f32_at(b, window), f32_at(c, window));
            set_f32(dst, value, window);
        }
        FloatKind::F64 => {
            let value = f64_at(a, window).mul_add(f64_at(b, window), f64_at(c, window));
            set_f64(dst, value, window);
        }
        FloatKind::F80 => {
            let value = f80_at(a, window).mul_add(f80_at(b, window), f80_at(c, window)).value;
            set_f80(dst, value, window);
        }
    }
    Ok(())
}

pub fn compare(pred: FloatPred, kind: FloatKind, dst: u32, a: u32, b: u32, window: &mut [Bits]) {
    if is_undefined(kind, a, window) || is_undefined(kind, b, window) {
        window[dst as usize] = Bits { value: 0, undefined: 1 };
        return;
    }
    let order = match kind {
        FloatKind::F32 => f32_at(a, window).partial_cmp(&f32_at(b, window)),
        FloatKind::F64 => f64_at(a, window).partial_cmp(&f64_at(b, window)),
        FloatKind::F80 => f80_at(a, window).partial_cmp(&f80_at(b, window)),
    };
    window[dst as usize] = Bits::defined(satisfies(pred, order) as u64);
}

fn satisfies(pred: FloatPred, order: Option<Ordering>) -> bool {
    use Ordering::{Equal, Greater, Less};
    let (less, equal, greater) =
        (order == Some(Less), order == Some(Equal), order == Some(Greater));
    let unordered = order.is_none();
    match pred {
        FloatPred::False => false,
        FloatPred::Oeq => equal,
        FloatPred::Ogt => greater,
        FloatPred::Oge => greater || equal,
        FloatPred::Olt => less,
        FloatPred::Ole => less || equal,
        FloatPred::One => less || greater,
        FloatPred::Ord => !unordered,
        FloatPred::Ueq => equal || unordered,
        FloatPred::Ugt => greater || unordered,
        FloatPred::Uge => greater || equal || unordered,
        FloatPred::Ult => less || unordered,
        FloatPred::Ule => less || equal || unordered,
        FloatPred::Une => !equal,
        FloatPred::Uno => unordered,
        FloatPred::True => true,
    }
}

fn float_as_f80(kind: FloatKind, slot: u32, window: &[Bits]) -> F80 {
    match kind {
        FloatKind::F32 => f80::from_f32(f32_at(slot, window)),
        FloatKind::F64 => f80::from_f64(f64_at(slot, window)),
        FloatKind::F80 => f80_at(slot, window),
    }
}

pub fn cast(
    op: CastOp,
    kind: FloatKind,
    to: FloatKind,
    width: u8,
    dst: u32,
    a: u32,
    window: &mut [Bits],
) {
    match op {
        CastOp::FloatToFloat if is_undefined(kind, a, window) => {
            set_undefined(bits_of(to), dst, window);
        }
        CastOp::FloatToFloat => float_to_float(kind, to, dst, a, window),
        CastOp::SignedToFloat | CastOp::UnsignedToFloat => {
            int_to_float(op == CastOp::SignedToFloat, kind, width, dst, a, window);
        }
        _ if is_undefined(kind, a, window) => set_undefined(width, dst, window),
        _ => float_to_int(op, kind, width, dst, a, window),
    }
}

fn float_to_float(kind: FloatKind, to: FloatKind, dst: u32, a: u32, window: &mut [Bits]) {
    match (kind, to) {
        (FloatKind::F32, FloatKind::F64) => set_f64(dst, f32_at(a, window) as f64, window),
        (FloatKind::F64, FloatKind::F32) => set_f32(dst, f64_at(a, window) as f32, window),
        _ => {
            let value = float_as_f80(kind, a, window);
            match to {
                FloatKind::F32 => set_f32(dst, f80::to_f32(value), window),
                FloatKind::F64 => set_f64(dst, f80::to_f64(value), window),
                FloatKind::F80 => set_f80(dst, value, window),
            }
        }
    }
}

fn int_to_float(signed: bool, kind: FloatKind, width: u8, dst: u32, a: u32, window: &mut [Bits]) {
    let high = if width > 64 { window[a as usize + 1] } else { Bits::default() };
    let value = Wide::join(window[a as usize], high);
    if value.undefined & wide::mask(width) != 0 {
        return set_undefined(bits_of(kind), dst, window);
    }
    let number = wide::signed(value.value, width);
    match (kind, signed) {
        (FloatKind::F32, true) => set_f32(dst, number as f32, window),
        (FloatKind::F32, false) => set_f32(dst, value.value as f32, window),
        (FloatKind::F64, true) => set_f64(dst, number as f64, window),
        (FloatKind::F64, false) => set_f64(dst, value.value as f64, window),
        (FloatKind::F80, true) => set_f80(dst, f80::from_signed(number), window),
        (FloatKind::F80, false) => set_f80(dst, f80::from_unsigned(value.value), window),
    }
}

/// Conversions out of range give an undefined value, or the nearest one for
/// the saturating kind.
fn float_to_int(op: CastOp, kind: FloatKind, width: u8, dst: u32, a: u32, window: &mut [Bits]) {
    let value = float_as_f80(kind, a, window);
    let signed = matches!(op, CastOp::FloatToSigned | CastOp::FloatToSignedSat);
    let saturate = matches!(op, CastOp::FloatToSignedSat | CastOp::FloatToUnsignedSat);
    let exact = if signed {
        f80::to_signed(value, width).map(|n| n as u128)
    } else {
        f80::to_unsigned(value, width)
    };
    let result = match exact {
        Some(number) => number,
        None if !saturate => return set_undefined(width, dst, window),
        None if value.is_nan() => 0,
        None => match (signed, value.is_negative()) {
            (true, true) => 1 << (width - 1),
            (true, false) => wide::mask(width) >> 1,
            (false, true) => 0,
            (false, false) => wide::mask(width),
        },
    };
    let (low, high) = Wide::defined(result & wide::mask(width)).split();
    window[dst as usize] = low;
    if width > 64 {
        window[dst as usize + 1] = high;
    }
}

/// llvm.is.fpclass: bits are signalling and quiet NaN, then -inf, -normal,
/// -subnormal, -0, +0, +subnormal, +normal, +inf.
pub fn classify(mask: u16, kind: FloatKind, dst: u32, a: u32, window: &mut [Bits]) {
    if is_undefined(kind, a, window) {
        window[dst as usize] = Bits { value: 0, undefined: 1 };
        return;
    }
    let (class, negative, signalling) = match kind {
        FloatKind::F32 => {
            let x = f32_at(a, window);
            (x.classify(), x.is_sign_negative(), x.to_bits() & 0x0040_0000 == 0)
        }
        FloatKind::F64 => {
            let x = f64_at(a, window);
            (x.classify(), x.is_sign_negative(), x.to_bits() & 0x0008_0000_0000_0000 == 0)
        }
        FloatKind::F80 => classify_f80(f80_at(a, window)),
    };
    use std::num::FpCategory::{Infinite, Nan, Normal, Subnormal, Zero};
    let bit = match (class, negative) {
        (Nan, _) => {
            if signalling {
                0
            } else {
                1
            }
        }
        (Infinite, true) => 2,
        (Normal, true) => 3,
        (Subnormal, true) => 4,
        (Zero, true) => 5,
        (Zero, false) => 6,
        (Subnormal, false) => 7,
        (Normal, false) => 8,
        (Infinite, false) => 9,
    };
    window[dst as usize] = Bits::defined((mask >> bit & 1) as u64);
    debug_assert!(slots(kind) <= 2);
}

fn classify_f80(x: F80) -> (std::num::FpCategory, bool, bool) {
    use std::num::FpCategory::{Infinite, Nan, Normal, Subnormal, Zero};
    let class = if x.is_nan() {
        Nan
    } else if x.is_zero() {
        Zero
    } else if !x.is_finite() {
        Infinite
    } else if x.is_denormal() {
        Subnormal
    } else {
        Normal
    };
    (class, x.is_negative(), x.is_signaling())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_know_nan() {
        let mut w =
            [Bits::defined(f64::NAN.to_bits()), Bits::defined(1f64.to_bits()), Bits::default()];
        let mut test = |pred| {
            compare(pred, FloatKind::F64, 2, 0, 1, &mut w);
            w[2].value
        };
        assert_eq!((test(FloatPred::Une), test(FloatPred::One), test(FloatPred::Uno)), (1, 0, 1));
    }

    #[test]
    fn out_of_range_conversions_are_undefined_or_saturate() {
        let mut w = [Bits::defined(1e10f64.to_bits()), Bits::default()];
        cast(CastOp::FloatToSigned, FloatKind::F64, FloatKind::F64, 32, 1, 0, &mut w);
        assert_ne!(w[1].undefined, 0);
        cast(CastOp::FloatToSignedSat, FloatKind::F64, FloatKind::F64, 32, 1, 0, &mut w);
        assert_eq!(w[1], Bits::defined(0x7fff_ffff));
    }

    #[test]
    fn ldexp_rounds_once() {
        assert_eq!(ldexp(1.0, -1074), 5e-324);
        assert_eq!(ldexp(3.0, 4), 48.0);
    }
}
