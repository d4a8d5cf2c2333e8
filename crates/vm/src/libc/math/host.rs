//! The mathematics of the host's C library, so that a program computes the
//! very bits that it computes natively.
//!
//! All of these are pure functions of their arguments, apart from `errno`,
//! which is how they tell about domain and range errors. Rust's own runtime
//! brings some of them along under their plain names, which differ in a last
//! bit or do not know `errno`; those are called by glibc's other names.

#![allow(unsafe_code)]

use std::hint::black_box;
use std::io::Error;

// SAFETY: the signatures are those of `math.h` on every target of ours; the
// functions have no preconditions, and what they write through a reference is
// one `int`.
unsafe extern "C" {
    pub safe fn acos(x: f64) -> f64;
    pub safe fn acosf(x: f32) -> f32;
    pub safe fn asin(x: f64) -> f64;
    pub safe fn asinf(x: f32) -> f32;
    pub safe fn atan(x: f64) -> f64;
    pub safe fn atanf(x: f32) -> f32;
    pub safe fn cos(x: f64) -> f64;
    pub safe fn cosf(x: f32) -> f32;
    pub safe fn sin(x: f64) -> f64;
    pub safe fn sinf(x: f32) -> f32;
    pub safe fn tan(x: f64) -> f64;
    pub safe fn tanf(x: f32) -> f32;
    pub safe fn acosh(x: f64) -> f64;
    pub safe fn acoshf(x: f32) -> f32;
    pub safe fn asinh(x: f64) -> f64;
    pub safe fn asinhf(x: f32) -> f32;
    pub safe fn atanh(x: f64) -> f64;
    pub safe fn atanhf(x: f32) -> f32;
    pub safe fn cosh(x: f64) -> f64;
    pub safe fn coshf(x: f32) -> f32;
    pub safe fn sinh(x: f64) -> f64;
    pub safe fn sinhf(x: f32) -> f32;
    pub safe fn tanh(x: f64) -> f64;
    pub safe fn tanhf(x: f32) -> f32;
    pub safe fn exp(x: f64) -> f64;
    pub safe fn expf(x: f32) -> f32;
    pub safe fn exp2(x: f64) -> f64;
    pub safe fn exp2f(x: f32) -> f32;
    pub safe fn exp10(x: f64) -> f64;
    pub safe fn exp10f(x: f32) -> f32;
    pub safe fn expm1(x: f64) -> f64;
    pub safe fn expm1f(x: f32) -> f32;
    pub safe fn log(x: f64) -> f64;
    pub safe fn logf(x: f32) -> f32;
    pub safe fn log10(x: f64) -> f64;
    pub safe fn log10f(x: f32) -> f32;
    pub safe fn log2(x: f64) -> f64;
    pub safe fn log2f(x: f32) -> f32;
    pub safe fn log1p(x: f64) -> f64;
    pub safe fn log1pf(x: f32) -> f32;
    pub safe fn logb(x: f64) -> f64;
    pub safe fn logbf(x: f32) -> f32;
    #[link_name = "sqrtf64"]
    pub safe fn sqrt(x: f64) -> f64;
    #[link_name = "sqrtf32"]
    pub safe fn sqrtf(x: f32) -> f32;
    #[link_name = "cbrtf64"]
    pub safe fn cbrt(x: f64) -> f64;
    #[link_name = "cbrtf32"]
    pub safe fn cbrtf(x: f32) -> f32;
    pub safe fn fabs(x: f64) -> f64;
    pub safe fn fabsf(x: f32) -> f32;
    pub safe fn ceil(x: f64) -> f64;
    pub safe fn ceilf(x: f32) -> f32;
    pub safe fn floor(x: f64) -> f64;
    pub safe fn floorf(x: f32) -> f32;
    pub safe fn trunc(x: f64) -> f64;
    pub safe fn truncf(x: f32) -> f32;
    pub safe fn round(x: f64) -> f64;
    pub safe fn roundf(x: f32) -> f32;
    pub safe fn roundeven(x: f64) -> f64;
    pub safe fn roundevenf(x: f32) -> f32;
    pub safe fn rint(x: f64) -> f64;
    pub safe fn rintf(x: f32) -> f32;
    pub safe fn nearbyint(x: f64) -> f64;
    pub safe fn nearbyintf(x: f32) -> f32;
    pub safe fn tgamma(x: f64) -> f64;
    pub safe fn tgammaf(x: f32) -> f32;
    pub safe fn erf(x: f64) -> f64;
    pub safe fn erff(x: f32) -> f32;
    pub safe fn erfc(x: f64) -> f64;
    pub safe fn erfcf(x: f32) -> f32;
    pub safe fn significand(x: f64) -> f64;
    pub safe fn significandf(x: f32) -> f32;
    pub safe fn j0(x: f64) -> f64;
    pub safe fn j0f(x: f32) -> f32;
    pub safe fn j1(x: f64) -> f64;
    pub safe fn j1f(x: f32) -> f32;
    pub safe fn y0(x: f64) -> f64;
    pub safe fn y0f(x: f32) -> f32;
    pub safe fn y1(x: f64) -> f64;
    pub safe fn y1f(x: f32) -> f32;
    pub safe fn atan2(x: f64, y: f64) -> f64;
    pub safe fn atan2f(x: f32, y: f32) -> f32;
    pub safe fn pow(x: f64, y: f64) -> f64;
    pub safe fn powf(x: f32, y: f32) -> f32;
    #[link_name = "fmodf64"]
    pub safe fn fmod(x: f64, y: f64) -> f64;
    #[link_name = "fmodf32"]
    pub safe fn fmodf(x: f32, y: f32) -> f32;
    pub safe fn remainder(x: f64, y: f64) -> f64;
    pub safe fn remainderf(x: f32, y: f32) -> f32;
    pub safe fn drem(x: f64, y: f64) -> f64;
    pub safe fn dremf(x: f32, y: f32) -> f32;
    pub safe fn hypot(x: f64, y: f64) -> f64;
    pub safe fn hypotf(x: f32, y: f32) -> f32;
    #[link_name = "fdimf64"]
    pub safe fn fdim(x: f64, y: f64) -> f64;
    #[link_name = "fdimf32"]
    pub safe fn fdimf(x: f32, y: f32) -> f32;
    #[link_name = "fmaxf64"]
    pub safe fn fmax(x: f64, y: f64) -> f64;
    #[link_name = "fmaxf32"]
    pub safe fn fmaxf(x: f32, y: f32) -> f32;
    #[link_name = "fminf64"]
    pub safe fn fmin(x: f64, y: f64) -> f64;
    #[link_name = "fminf32"]
    pub safe fn fminf(x: f32, y: f32) -> f32;
    pub safe fn nextafter(x: f64, y: f64) -> f64;
    pub safe fn nextafterf(x: f32, y: f32) -> f32;
    pub safe fn copysign(x: f64, y: f64) -> f64;
    pub safe fn copysignf(x: f32, y: f32) -> f32;
    pub safe fn scalb(x: f64, y: f64) -> f64;
    pub safe fn scalbf(x: f32, y: f32) -> f32;
    pub safe fn fma(x: f64, y: f64, z: f64) -> f64;
    pub safe fn fmaf(x: f32, y: f32, z: f32) -> f32;
    pub safe fn lgamma_r(x: f64, sign: &mut i32) -> f64;
    pub safe fn lgammaf_r(x: f32, sign: &mut i32) -> f32;
    pub safe fn frexp(x: f64, exponent: &mut i32) -> f64;
    pub safe fn remquo(x: f64, y: f64, quotient: &mut i32) -> f64;
    pub safe fn remquof(x: f32, y: f32, quotient: &mut i32) -> f32;
    pub safe fn ldexp(x: f64, exponent: i32) -> f64;
    pub safe fn ldexpf(x: f32, exponent: i32) -> f32;
    pub safe fn scalbln(x: f64, exponent: i64) -> f64;
    pub safe fn scalblnf(x: f32, exponent: i64) -> f32;
    pub safe fn jn(order: i32, x: f64) -> f64;
    pub safe fn yn(order: i32, x: f64) -> f64;
    pub safe fn ilogb(x: f64) -> i32;
    pub safe fn ilogbf(x: f32) -> i32;
}

pub use libc::{EDOM, ERANGE};

/// Calls `compute` and gives its result with the error it reports, if any.
///
/// There is no safe way to clear `errno`, but every function here sets it to
/// one of two numbers only: it is made to be one of them before, and the call
/// repeated with the other if that can make a difference.
pub fn observed<T>(compute: impl Fn() -> T, is_nan: impl Fn(&T) -> bool) -> (T, Option<i32>) {
    black_box(acos(black_box(2.0)));
    let result = compute();
    if last_error() == Some(ERANGE) {
        return (result, Some(ERANGE));
    }
    if !is_nan(&result) {
        return (result, None);
    }
    black_box(exp(black_box(1000.0)));
    let result = compute();
    let error = (last_error() == Some(EDOM)).then_some(EDOM);
    (result, error)
}

fn last_error() -> Option<i32> {
    Error::last_os_error().raw_os_error()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_apart() {
        let run = |f: fn(f64) -> f64, x: f64| observed(|| f(black_box(x)), |r| r.is_nan()).1;
        assert_eq!(run(|x| log(x), -1.0), Some(EDOM));
        assert_eq!(run(|x| log(x), 0.0), Some(ERANGE));
        assert_eq!(run(|x| log(x), 2.0), None);
        assert_eq!(run(|x| exp(x), 1000.0), Some(ERANGE));
        assert_eq!(run(|x| exp(x), f64::NAN), None);
        assert_eq!(run(|x| sin(x), f64::INFINITY), Some(EDOM));
    }
}
