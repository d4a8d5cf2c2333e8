//! Floating-point numbers as text: `%f`, `%e`, `%g` and `%a`, exactly.
//!
//! A finite number is `mantissa * 2^exponent`, which has a finite decimal
//! expansion. It is computed in full (in base 10^9) and then rounded once, to
//! nearest with ties to even, as glibc does in the default rounding mode.

use crate::ops::f80::F80;
use rustc_apfloat::Float;

/// A number taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Real {
    pub negative: bool,
    pub value: Value,
    /// Whether it was a `long double`, whose `%a` looks different.
    pub long: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Nan,
    Infinite,
    Finite { mantissa: u64, exponent: i32 },
}

impl Real {
    pub fn from_f64(number: f64) -> Real {
        let bits = number.to_bits();
        let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let value = match biased {
            0x7ff if fraction != 0 => Value::Nan,
            0x7ff => Value::Infinite,
            0 => Value::Finite { mantissa: fraction, exponent: -1074 },
            _ => Value::Finite { mantissa: fraction | 1 << 52, exponent: biased - 1075 },
        };
        Real { negative: number.is_sign_negative(), value, long: false }
    }

    pub fn from_f80(number: F80) -> Real {
        let bits = number.to_bits();
        let (biased, mantissa) = ((bits >> 64 & 0x7fff) as i32, bits as u64);
        let value = if number.is_nan() {
            Value::Nan
        } else if number.is_infinite() {
            Value::Infinite
        } else {
            Value::Finite { mantissa, exponent: biased.max(1) - 16446 }
        };
        Real { negative: bits >> 79 & 1 != 0, value, long: true }
    }
}

/// Digits of a number: 0.d₁d₂d₃… times 10^point; none for zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digits {
    pub digits: Vec<u8>,
    pub point: i64,
}

const LIMB: u64 = 1_000_000_000;

impl Digits {
    /// All digits of `mantissa * 2^exponent`.
    pub fn exact(mantissa: u64, exponent: i32) -> Digits {
        if mantissa == 0 {
            return Digits { digits: Vec::new(), point: 0 };
        }
        let zeros = mantissa.trailing_zeros();
        let (mantissa, exponent) = (mantissa >> zeros, exponent + zeros as i32);
        let mut limbs = vec![mantissa % LIMB, mantissa / LIMB % LIMB, mantissa / LIMB / LIMB];
        if exponent >= 0 {
            multiply_power(&mut limbs, 2, 29, exponent as u32);
        } else {
            // m / 2^k = m * 5^k / 10^k
            multiply_power(&mut limbs, 5, 12, exponent.unsigned_abs());
        }
        let text: String = limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
        let text = text.trim_start_matches('0');
        let point = text.len() as i64 + exponent.min(0) as i64;
        let digits = text.trim_end_matches('0').bytes().map(|byte| byte - b'0').collect();
        Digits { digits, point }
    }

    /// Keeps `keep` digits, rounding to nearest, ties to even.
    pub fn round(&mut self, keep: i64) {
        if keep >= self.digits.len() as i64 {
            return;
        }
        if keep < 0 {
            self.digits.clear();
            return;
        }
        let keep = keep as usize;
        let dropped = self.digits.split_off(keep);
        let odd = self.digits.last().is_some_and(|digit| digit % 2 == 1);
        let rest = dropped[1..].iter().any(|&digit| digit != 0);
        if dropped[0] > 5 || dropped[0] == 5 && (rest || odd) {
            self.increment();
        }
    }

    fn increment(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.point += 1;
    }

    fn digit(&self, at: i64) -> char {
        let digit = usize::try_from(at).ok().and_then(|at| self.digits.get(at));
        (b'0' + digit.copied().unwrap_or(0)) as char
    }
}

/// Multiplies by `base^times`, at most `step` powers at a time.
fn multiply_power(limbs: &mut Vec<u64>, base: u64, step: u32, mut times: u32) {
    while times > 0 {
        let now = times.min(step);
        let factor = base.pow(now);
        let mut carry = 0;
        for limb in limbs.iter_mut() {
            let product = *limb * factor + carry;
            *limb = product % LIMB;
            carry = product / LIMB;
        }
        while carry > 0 {
            limbs.push(carry % LIMB);
            carry /= LIMB;
        }
        times -= now;
    }
}

/// How a number is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// `e`, `f`, `g` or `a`.
    pub letter: u8,
    pub precision: Option<usize>,
    /// `#`: always a point, and `%g` keeps its zeros.
    pub alternate: bool,
}

/// The text of a number without its sign.
pub fn text(real: Real, style: Style) -> String {
    let Value::Finite { mantissa, exponent } = real.value else {
        return if real.value == Value::Nan { "nan" } else { "inf" }.to_string();
    };
    if style.letter == b'a' {
        return hexadecimal(mantissa, exponent, real.long, style);
    }
    let digits = Digits::exact(mantissa, exponent);
    let precision = style.precision.unwrap_or(6);
    match style.letter {
        b'f' => fixed(digits, precision, style.alternate),
        b'e' => scientific(digits, precision, style.alternate),
        _ => general(digits, precision, style.alternate),
    }
}

fn fixed(mut digits: Digits, precision: usize, alternate: bool) -> String {
    digits.round(digits.point + precision as i64);
    let mut text = String::new();
    for at in 0..digits.point.max(0) {
        text.push(digits.digit(at));
    }
    if text.is_empty() {
        text.push('0');
    }
    if precision > 0 || alternate {
        text.push('.');
    }
    text.extend((0..precision as i64).map(|at| digits.digit(digits.point + at)));
    text
}

fn scientific(mut digits: Digits, precision: usize, alternate: bool) -> String {
    digits.round(precision as i64 + 1);
    let mut text = String::new();
    text.push(digits.digit(0));
    if precision > 0 || alternate {
        text.push('.');
    }
    text.extend((1..=precision as i64).map(|at| digits.digit(at)));
    let power = power_of_ten(&digits);
    let sign = if power < 0 { '-' } else { '+' };
    text.push_str(&format!("e{sign}{:02}", power.abs()));
    text
}

/// The exponent in scientific notation.
fn power_of_ten(digits: &Digits) -> i64 {
    if digits.digits.is_empty() { 0 } else { digits.point - 1 }
}

fn general(digits: Digits, precision: usize, alternate: bool) -> String {
    let precision = precision.max(1);
    let mut rounded = digits.clone();
    rounded.round(precision as i64);
    let power = power_of_ten(&rounded);
    if power >= -4 && power < precision as i64 {
        let text = fixed(digits, (precision as i64 - 1 - power) as usize, alternate);
        return if alternate { text } else { without_zeros(&text).to_string() };
    }
    let text = scientific(digits, precision - 1, alternate);
    if alternate {
        return text;
    }
    let (mantissa, power) = text.split_once('e').expect("scientific notation has an e");
    format!("{}e{power}", without_zeros(mantissa))
}

fn without_zeros(text: &str) -> &str {
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.')
}

/// `%a`: one hexadecimal digit, a point, the others, and a power of two. The
/// first digit of a double is its hidden bit, that of a `long double` the
/// top four bits of its mantissa.
fn hexadecimal(mantissa: u64, exponent: i32, long: bool, style: Style) -> String {
    let fraction_bits = if long { 60 } else { 52 };
    let digits = fraction_bits / 4;
    let mut power = if mantissa == 0 { 0 } else { exponent + fraction_bits as i32 };
    let mut scaled = mantissa as u128;
    let shown = match style.precision {
        Some(precision) if precision < digits => {
            let dropped = 4 * (digits - precision);
            let (half, rest) = (1u128 << (dropped - 1), scaled & ((1 << dropped) - 1));
            scaled >>= dropped;
            if rest > half || rest == half && scaled & 1 != 0 {
                scaled += 1;
            }
            scaled <<= dropped;
            precision
        }
        Some(precision) => precision,
        None => {
            let zeros = scaled.trailing_zeros().min(fraction_bits as u32) as usize / 4;
            digits - zeros
        }
    };
    let mut leading = scaled >> fraction_bits;
    if leading > 15 {
        leading = 1;
        power += 4;
    }
    let fraction = scaled & ((1 << fraction_bits) - 1);
    let mut fraction = format!("{fraction:0digits$x}");
    while fraction.len() < shown {
        fraction.push('0');
    }
    let fraction = &fraction[..shown];
    let point = if shown > 0 || style.alternate { "." } else { "" };
    let sign = if power < 0 { '-' } else { '+' };
    format!("0x{leading:x}{point}{fraction}p{sign}{}", power.abs())
}

#[cfg(test)]
mod tests {
    use exeunt_random::Random;

    use super::*;

    fn show(number: f64, letter: u8, precision: Option<usize>) -> String {
        text(Real::from_f64(number), Style { letter, precision, alternate: false })
    }

    #[test]
    fn expansions_are_exact() {
        assert_eq!(show(0.1, b'f', Some(30)), "0.100000000000000005551115123126");
        assert_eq!(show(0.5, b'f', Some(0)), "0");
        assert_eq!(show(1.5, b'f', Some(0)), "2");
        assert_eq!(show(2.5, b'f', Some(0)), "2");
        assert_eq!(show(0.0005, b'f', Some(3)), "0.001");
        assert_eq!(show(9.995, b'f', Some(2)), "9.99");
        assert_eq!(show(1e23, b'f', None), "99999999999999991611392.000000");
        assert_eq!(show(5e-324, b'e', Some(20)), "4.94065645841246544177e-324");
        assert_eq!(show(0.0, b'e', None), "0.000000e+00");
        assert_eq!(show(123456789.0, b'g', None), "1.23457e+08");
        assert_eq!(show(0.0001, b'g', None), "0.0001");
        assert_eq!(show(99999.96, b'g', Some(6)), "100000");
        assert_eq!(show(999999.5, b'g', None), "1e+06");
        assert_eq!(show(1.0, b'a', None), "0x1p+0");
        assert_eq!(show(-0.0, b'a', None), "0x0p+0");
        assert_eq!(show(5e-324, b'a', None), "0x0.0000000000001p-1022");
    }

    #[test]
    fn the_host_agrees() {
        let mut random = Random::from_state(0x9e37_79b9_7f4a_7c15);
        for round in 0..20_000 {
            let seed = random.bits();
            let bits = if round % 2 == 0 { seed } else { seed >> 12 | 0x3f << 56 | seed << 60 };
            let number = f64::from_bits(bits & !(1 << 63));
            if !number.is_finite() {
                continue;
            }
            let precision = (seed >> 40) as usize % 25;
            assert_eq!(show(number, b'f', Some(precision)), format!("{number:.precision$}"));
        }
    }
}
