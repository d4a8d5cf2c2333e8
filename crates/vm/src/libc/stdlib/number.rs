//! Text to numbers: `strtol`, `strtod` and their families, exactly as glibc
//! reads them in the C locale. `scanf` reads its numbers with these too.

use exeunt_mem::Bits;
use rustc_apfloat::ieee::{Double, Single};
use rustc_apfloat::{Float, Round, Status};

use super::Answer;
use crate::builtin::Context;
use crate::builtin::{Args, Flow};
use crate::ops::f80::{self, F80};
use crate::stop::Stop;

const EINVAL: i32 = 22;
const ERANGE: i32 = 34;

/// What C takes for white space in the C locale.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn skip_space(text: &[u8]) -> usize {
    text.iter().position(|&byte| !is_space(byte)).unwrap_or(text.len())
}

// ---- integers -------------------------------------------------------------------

/// An integer that text begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    pub negative: bool,
    /// The absolute value, if it fits 64 bits.
    pub magnitude: Option<u64>,
    /// How many bytes belong to it; 0 if there is no number.
    pub used: usize,
}

impl Integer {
    /// As a signed number, at its limit if it is beyond.
    pub fn signed(self) -> (i64, bool) {
        match (self.negative, self.magnitude) {
            (false, Some(n)) if n <= i64::MAX as u64 => (n as i64, true),
            (true, Some(n)) if n <= 1 << 63 => ((n as i64).wrapping_neg(), true),
            (false, _) => (i64::MAX, false),
            (true, _) => (i64::MIN, false),
        }
    }

    /// As an unsigned number; C negates modulo 2^64.
    pub fn unsigned(self) -> (u64, bool) {
        match (self.negative, self.magnitude) {
            (false, Some(n)) => (n, true),
            (true, Some(n)) => (n.wrapping_neg(), true),
            (_, None) => (u64::MAX, false),
        }
    }
}

/// Reads an integer after white space. Base 0 means "as in C"; `binary` says
/// whether `0b` is a prefix (since C23).
pub fn integer(text: &[u8], base: u32, binary: bool) -> Integer {
    let mut at = skip_space(text);
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let digit = |at: usize, base: u32| {
        text.get(at).and_then(|&byte| (byte as char).to_digit(36)).filter(|&d| d < base)
    };
    let mut base = base;
    let prefixed = |letter: u8, base: u32| {
        text.get(at) == Some(&b'0')
            && text.get(at + 1).is_some_and(|byte| byte.to_ascii_lowercase() == letter)
            && digit(at + 2, base).is_some()
    };
    if matches!(base, 0 | 16) && prefixed(b'x', 16) {
        at += 2;
        base = 16;
    } else if binary && matches!(base, 0 | 2) && prefixed(b'b', 2) {
        at += 2;
        base = 2;
    } else if base == 0 {
        base = if text.get(at) == Some(&b'0') { 8 } else { 10 };
    }
    let begin = at;
    let mut magnitude = Some(0u64);
    while let Some(next) = digit(at, base) {
        magnitude = magnitude
            .and_then(|n| n.checked_mul(base as u64))
            .and_then(|n| n.checked_add(next as u64));
        at += 1;
    }
    Integer { negative, magnitude, used: if at > begin { at } else { 0 } }
}

/// The text that a number could reach: bytes behind it are not looked at.
fn number_text(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    belongs: fn(u8) -> bool,
) -> Result<Vec<u8>, Stop> {
    let mut begun = false;
    context.scan(args, args.ptr(0), u64::MAX, |byte| {
        begun |= !is_space(byte);
        begun && !belongs(byte)
    })
}

fn in_integer(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-')
}

fn in_float(byte: u8) -> bool {
    in_integer(byte) || matches!(byte, b'.' | b'(' | b')' | b'_')
}

fn set_end(context: &mut Context<'_, '_>, args: &Args<'_>, used: usize) -> Result<(), Stop> {
    if args.ptr(1) != 0 {
        context.write(args.ptr(1), 8, Bits::defined(args.ptr(0) + used as u64))?;
    }
    Ok(())
}

fn read_integer(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Option<Integer>, Stop> {
    let base = args.i32(2);
    if base != 0 && !(2..=36).contains(&base) {
        context.set_errno(EINVAL)?;
        return Ok(None);
    }
    let text = number_text(context, args, in_integer)?;
    let binary = context.running().is_some_and(|builtin| builtin.c23);
    let number = integer(&text, base as u32, binary);
    set_end(context, args, number.used)?;
    Ok(Some(number))
}

fn with_range(context: &mut Context<'_, '_>, value: u64, fits: bool) -> Answer {
    if !fits {
        context.set_errno(ERANGE)?;
    }
    Ok(Flow::value(value))
}

pub fn strtol(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let Some(number) = read_integer(context, args)? else { return Ok(Flow::value(0)) };
    let (value, fits) = number.signed();
    with_range(context, value as u64, fits)
}

pub fn strtoul(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let Some(number) = read_integer(context, args)? else { return Ok(Flow::value(0)) };
    let (value, fits) = number.unsigned();
    with_range(context, value, fits)
}

pub fn atol(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let text = number_text(context, args, in_integer)?;
    let (value, fits) = integer(&text, 10, false).signed();
    with_range(context, value as u64, fits)
}

pub fn atoi(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let text = number_text(context, args, in_integer)?;
    let (value, fits) = integer(&text, 10, false).signed();
    with_range(context, value as u32 as u64, fits)
}

// ---- floating point -----------------------------------------------------------------

/// A floating-point number that text begins with.
#[derive(Clone, Copy, Debug)]
pub struct Real<F> {
    pub value: F,
    /// How many bytes belong to it; 0 if there is no number.
    pub used: usize,
    /// Too large, or too small to be exact.
    pub out_of_range: bool,
}

/// The bits that hold the payload of a NaN.
pub trait Payload: Float {
    fn quiet_nan(payload: u64) -> Self;
}

impl Payload for Single {
    fn quiet_nan(payload: u64) -> Self {
        Single::from_bits(0x7fc0_0000 | payload as u128 & 0x003f_ffff)
    }
}

impl Payload for Double {
    fn quiet_nan(payload: u64) -> Self {
        Double::from_bits(0x7ff8 << 48 | payload as u128 & ((1 << 51) - 1))
    }
}

impl Payload for F80 {
    fn quiet_nan(payload: u64) -> Self {
        F80::from_bits(0x7_fffc << 60 | payload as u128 & ((1 << 62) - 1))
    }
}

/// Reads a number as `strtod` does, after white space.
pub fn real<F: Payload>(text: &[u8]) -> Real<F> {
    let start = skip_space(text);
    let negative = text.get(start) == Some(&b'-');
    let at = start + matches!(text.get(start), Some(b'-' | b'+')) as usize;
    let rest = &text[at..];
    let found = special::<F>(rest).or_else(|| hexadecimal(rest)).or_else(|| decimal(rest));
    let Some((value, length, out_of_range)) = found else {
        return Real { value: F::ZERO, used: 0, out_of_range: false };
    };
    Real { value: if negative { -value } else { value }, used: at + length, out_of_range }
}

fn has_prefix(text: &[u8], prefix: &[u8]) -> bool {
    text.len() >= prefix.len() && text[..prefix.len()].eq_ignore_ascii_case(prefix)
}

fn special<F: Payload>(text: &[u8]) -> Option<(F, usize, bool)> {
    if has_prefix(text, b"infinity") {
        return Some((F::INFINITY, 8, false));
    }
    if has_prefix(text, b"inf") {
        return Some((F::INFINITY, 3, false));
    }
    if !has_prefix(text, b"nan") {
        return None;
    }
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let inside = text.get(4..).unwrap_or_default().iter().take_while(|byte| word(byte)).count();
    if text.get(3) != Some(&b'(') || text.get(4 + inside) != Some(&b')') {
        return Some((F::quiet_nan(0), 3, false));
    }
    let payload = &text[4..4 + inside];
    let number = integer(payload, 0, false);
    let payload = if number.used == inside { number.unsigned().0 } else { 0 };
    Some((F::quiet_nan(payload), 5 + inside, false))
}

/// The parts of a number that are digits: how long it is with its point.
struct Digits {
    length: usize,
    any: bool,
}

fn digits(text: &[u8], is_digit: fn(&u8) -> bool) -> Digits {
    let count = |text: &[u8]| text.iter().take_while(|byte| is_digit(byte)).count();
    let whole = count(text);
    if text.get(whole) != Some(&b'.') {
        return Digits { length: whole, any: whole > 0 };
    }
    let fraction = count(&text[whole + 1..]);
    Digits { length: whole + 1 + fraction, any: whole + fraction > 0 }
}

/// An exponent that begins with this letter: its value (cut off where it can
/// make no difference any more) and its length.
fn exponent(text: &[u8], letter: u8) -> (i64, usize) {
    let none = (0, 0);
    if text.first().is_none_or(|byte| byte.to_ascii_lowercase() != letter) {
        return none;
    }
    let sign = matches!(text.get(1), Some(b'+' | b'-')) as usize;
    let rest = &text[1 + sign..];
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if count == 0 {
        return none;
    }
    let limit = 100_000_000;
    let value = rest[..count].iter().fold(0i64, |n, d| (n * 10 + (d - b'0') as i64).min(limit));
    (if text[1] == b'-' { -value } else { value }, 1 + sign + count)
}

fn hexadecimal<F: Payload>(text: &[u8]) -> Option<(F, usize, bool)> {
    if !has_prefix(text, b"0x") {
        return None;
    }
    let body = &text[2..];
    let found = digits(body, u8::is_ascii_hexdigit);
    if !found.any {
        return None;
    }
    let (power, length) = exponent(&body[found.length..], b'p');
    let value = convert(&body[..found.length], 16, power);
    Some((value.0, 2 + found.length + length, value.1))
}

fn decimal<F: Payload>(text: &[u8]) -> Option<(F, usize, bool)> {
    let found = digits(text, u8::is_ascii_digit);
    if !found.any {
        return None;
    }
    let (power, length) = exponent(&text[found.length..], b'e');
    let value = convert(&text[..found.length], 10, power);
    Some((value.0, found.length + length, value.1))
}

/// Rounds `digits * base^exponent` (2^exponent for hexadecimal digits) to
/// nearest, and says whether it is out of range.
fn convert<F: Payload>(digits: &[u8], base: u32, power: i64) -> (F, bool) {
    let point = digits.iter().position(|&byte| byte == b'.').unwrap_or(digits.len());
    let all: Vec<u8> = digits.iter().copied().filter(|&byte| byte != b'.').collect();
    let Some(first) = all.iter().position(|&byte| byte != b'0') else {
        return (F::ZERO, false);
    };
    let last = all.iter().rposition(|&byte| byte != b'0').unwrap_or(first);
    let significant = String::from_utf8_lossy(&all[first..=last]).into_owned();
    // The value is 0.significant * base^scale * 2^power or 10^power.
    let scale = point as i64 - first as i64;
    let (mark, weight) = if base == 16 { ("0x0.", 4) } else { ("0.", 1) };
    let total = scale * weight + power;
    let limit = 40_000;
    if total.abs() > limit {
        let extreme = if total > 0 { F::INFINITY } else { F::ZERO };
        return (extreme, true);
    }
    let letter = if base == 16 { 'p' } else { 'e' };
    let text = format!("{mark}{significant}{letter}{total}");
    match F::from_str_r(&text, Round::NearestTiesToEven) {
        Ok(parsed) => {
            let beyond = Status::OVERFLOW | Status::UNDERFLOW;
            (parsed.value, parsed.status.intersects(beyond))
        }
        Err(error) => unreachable!("{text} is a number: {error:?}"),
    }
}

fn read_real<F: Payload>(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<F, Stop> {
    let text = number_text(context, args, in_float)?;
    let number = real::<F>(&text);
    if number.out_of_range {
        context.set_errno(ERANGE)?;
    }
    if args.values.len() > 1 {
        set_end(context, args, number.used)?;
    }
    Ok(number.value)
}

pub fn strtod(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let value = read_real::<Double>(context, args)?;
    Ok(Flow::value(value.to_bits() as u64))
}

pub fn atof(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    strtod(context, args)
}

pub fn strtof(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let value = read_real::<Single>(context, args)?;
    Ok(Flow::value(value.to_bits() as u64))
}

pub fn strtold(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let bits = f80::to_bits(read_real::<F80>(context, args)?);
    Ok(Flow::ReturnPair(Bits::defined(bits as u64), Bits::defined((bits >> 64) as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(text: &str) -> (f64, usize, bool) {
        let number = real::<Double>(text.as_bytes());
        (f64::from_bits(number.value.to_bits() as u64), number.used, number.out_of_range)
    }

    #[test]
    fn integers_end_where_c_says() {
        assert_eq!(integer(b" -12x", 10, false).signed(), (-12, true));
        assert_eq!(integer(b" -12x", 10, false).used, 4);
        assert_eq!(integer(b"0x1fg", 0, false).unsigned(), (0x1f, true));
        assert_eq!(integer(b"0xg", 0, false).used, 1);
        assert_eq!(integer(b"0b11", 0, false).used, 1);
        assert_eq!(integer(b"0b11", 0, true).unsigned(), (3, true));
        assert_eq!(integer(b"zz", 36, false).unsigned(), (35 * 37, true));
        assert_eq!(integer(b"99999999999999999999", 10, false).signed(), (i64::MAX, false));
        assert_eq!(integer(b"-9223372036854775808", 10, false).signed(), (i64::MIN, true));
        assert_eq!(integer(b"-1", 10, false).unsigned(), (u64::MAX, true));
        assert_eq!(integer(b"+", 10, false).used, 0);
    }

    #[test]
    fn reals_are_rounded_once() {
        assert_eq!(double("1.5e3x"), (1500.0, 5, false));
        assert_eq!(double("  -.5"), (-0.5, 5, false));
        assert_eq!(double("1e"), (1.0, 1, false));
        assert_eq!(double("."), (0.0, 0, false));
        assert_eq!(double("0x1.8p1"), (3.0, 7, false));
        assert_eq!(double("0x.p1"), (0.0, 1, false));
        assert_eq!(double("0x1p-1074"), (5e-324, 9, false));
        assert_eq!(double("1e400"), (f64::INFINITY, 5, true));
        assert_eq!(double("1e-400"), (0.0, 6, true));
        assert_eq!(double("1e-310").0, 1e-310);
        assert!(double("1e-310").2);
        assert_eq!(double("0e99999999999"), (0.0, 13, false));
        assert_eq!(double("-Infinityx"), (f64::NEG_INFINITY, 9, false));
        assert_eq!(double("nan(12)").1, 7);
        assert_eq!(double("nan(12").1, 3);
        let hard = "2.2250738585072011e-308";
        assert_eq!(double(hard).0, hard.parse().unwrap());
    }

    #[test]
    fn doubles_agree_with_the_host() {
        let mut seed = 0x1234_5678_9abc_def1u64;
        for _ in 0..5000 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let value = f64::from_bits(seed);
            if value.is_nan() {
                continue;
            }
            let text = format!("{value:e}");
            assert_eq!(double(&text).0.to_bits(), value.to_bits(), "{text}");
            let text = format!("{}.{}e{}", seed >> 20, seed % 1_000_003, (seed % 600) as i64 - 300);
            assert_eq!(double(&text).0, text.parse::<f64>().unwrap(), "{text}");
        }
    }
}
