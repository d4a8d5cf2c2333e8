//! The x87 80-bit format (`long double`), by software floating point.

use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};

/// A long double in register form.
pub type F80 = X87DoubleExtended;

pub fn from_bits(bits: u128) -> F80 {
    F80::from_bits(bits & ((1 << 80) - 1))
}

pub fn to_bits(value: F80) -> u128 {
    value.to_bits()
}

pub fn from_f64(value: f64) -> F80 {
    Double::from_bits(value.to_bits() as u128).convert(&mut false).value
}

pub fn to_f64(value: F80) -> f64 {
    let narrow: StatusAnd<Double> = value.convert(&mut false);
    f64::from_bits(narrow.value.to_bits() as u64)
}

pub fn from_f32(value: f32) -> F80 {
    Single::from_bits(value.to_bits() as u128).convert(&mut false).value
}

pub fn to_f32(value: F80) -> f32 {
    let narrow: StatusAnd<Single> = value.convert(&mut false);
    f32::from_bits(narrow.value.to_bits() as u32)
}

pub fn from_signed(value: i128) -> F80 {
    F80::from_i128(value).value
}

pub fn from_unsigned(value: u128) -> F80 {
    F80::from_u128(value).value
}

/// Truncates towards zero; `None` if the result does not fit `width` bits.
pub fn to_signed(value: F80, width: u8) -> Option<i128> {
    let result = value.to_i128_r(width as usize, Round::TowardZero, &mut false);
    (!result.status.contains(Status::INVALID_OP)).then_some(result.value)
}

pub fn to_unsigned(value: F80, width: u8) -> Option<u128> {
    let result = value.to_u128_r(width as usize, Round::TowardZero, &mut false);
    (!result.status.contains(Status::INVALID_OP)).then_some(result.value)
}

/// The square root, correctly rounded: the integer root of the mantissa,
/// shifted so that it has 64 bits, and its remainder.
pub fn sqrt(value: F80) -> F80 {
    if value.is_zero() || value.is_nan() || !value.is_finite() && !value.is_negative() {
        return value;
    }
    if value.is_negative() {
        return F80::NAN;
    }
    let exponent = value.ilogb() - 63;
    let mantissa = to_unsigned(value.scalbn(-exponent), 64).expect("scaled to 64 bits");
    let shift = if exponent % 2 == 0 { 64 } else { 63 };
    let square = mantissa << shift;
    let root = square.isqrt();
    // (root + 1/2)^2 = root^2 + root + 1/4
    let up = square - root * root > root;
    from_unsigned(root + up as u128).scalbn((exponent - shift) / 2)
}

/// The natural logarithm of a positive number, rounded from 113 bits.
pub fn log(value: F80) -> F80 {
    narrow(wide_log(value))
}

/// The logarithm to the base 2. That of a power of two is exact.
pub fn log2(value: F80) -> F80 {
    let exponent = value.ilogb();
    match value.scalbn(-exponent) == from_unsigned(1) {
        true => from_signed(exponent.into()),
        false => narrow((wide_log(value) / ln_2()).value),
    }
}

fn narrow(value: Quad) -> F80 {
    value.convert(&mut false).value
}

fn ln_2() -> Quad {
    let digits = "0.693147180559945309417232121458176568075500134360255254120680009";
    digits.parse().expect("a number")
}

/// `ln (m 2^e) = e ln 2 + 2 artanh ((m - 1) / (m + 1))`, with `m` around 1, so that the series
/// ends soon.
fn wide_log(value: F80) -> Quad {
    let quad = |number: i128| Quad::from_i128(number).value;
    let wide: Quad = value.convert(&mut false).value;
    let mut exponent = value.ilogb();
    if wide.scalbn(-exponent) > "1.4142135623730951".parse().expect("a number") {
        exponent += 1;
    }
    let mantissa = wide.scalbn(-exponent);
    let z = ((mantissa - quad(1)).value / (mantissa + quad(1)).value).value;
    let square = (z * z).value;
    // The last term is below 2^-113 of the first: |z| < 0.172.
    let mut sum = quad(0);
    for k in (0..24).rev() {
        sum = ((sum * square).value + (quad(1) / quad(2 * k + 1)).value).value;
    }
    let small = (z * sum).value.scalbn(1);
    ((quad(exponent.into()) * ln_2()).value + small).value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_near_those_of_double_and_exact_where_they_can_be() {
        for x in [1e-300, 0.1, 0.5, 0.7, 0.99999, 1.0, 1.5, 2.0, 10.0, 4294967296.0, 1e300] {
            let (log, log2) = (to_f64(log(from_f64(x))), to_f64(log2(from_f64(x))));
            assert!((log - x.ln()).abs() <= 1e-15 * x.ln().abs(), "{x}: {log}");
            assert!((log2 - x.log2()).abs() <= 1e-15 * x.log2().abs(), "{x}: {log2}");
        }
        // What the random numbers of the C++ library ask: how many bits there are.
        let range = log(from_unsigned(1 << 32)) / log(from_unsigned(2));
        assert_eq!(to_f64(range.value), 32.0);
        // glibc's result for 10.
        assert_eq!(to_bits(log(from_unsigned(10))), 0x4000_935d_8ddd_aaa8_ac17);
    }

    #[test]
    fn conversions_lead_back() {
        for x in [0.0, -0.0, 1.5, -3.25e100, f64::INFINITY, 5e-324] {
            assert_eq!(to_f64(from_f64(x)).to_bits(), x.to_bits());
        }
        assert_eq!(to_signed(from_f64(-2.75), 32), Some(-2));
        assert_eq!(to_signed(from_f64(1e30), 64), None);
        assert_eq!(to_bits(from_signed(1)), 0x3fff_8000_0000_0000_0000);
    }

    #[test]
    fn roots_of_squares_are_exact() {
        for n in [1i128, 2, 3, 10, 12345, 1 << 31] {
            assert_eq!(sqrt(from_signed(n * n)), from_signed(n));
        }
        assert!((to_f64(sqrt(from_f64(2.0))) - 2f64.sqrt()).abs() < 1e-16);
    }
}
