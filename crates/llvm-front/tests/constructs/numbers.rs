//! Integers and floating-point numbers of all widths.

use exeunt_ir::{FloatKind, FloatOp, Inst, IntOp, Scalar};

use crate::support::*;

#[test]
fn integers_of_all_widths() {
    let program = load_c(
        "__int128 f(__int128 a, int n) { return a * n + (a >> n) - (unsigned char)a; }
         int g(unsigned _BitInt(100) a) { return a < 5; }
         int main(void) { return 0; }",
        &[],
    );
    let f = code(&program, "f");
    for line in ["WideSExt 32 128", "WideInt Mul 128", "WideInt AShr 128", "WideInt Sub 128"] {
        assert!(f.iter().any(|code| code.starts_with(line)), "{line}: {f:?}");
    }
    assert_eq!(function(&program, "f").params, 3);
    let signature = program.signature(function(&program, "f").signature);
    assert_eq!(*signature.results, [Scalar::Int(128)]);
    assert!(code(&program, "g").iter().any(|line| line.starts_with("WideCmp Ult 100")));
    assert_eq!(unsupported(&program), Vec::<String>::new());
}

#[test]
fn wide_constants_keep_their_high_half() {
    let program = load_ll(
        "define i128 @f() { ret i128 -36893488147419103233 }
         define i128 @g() { ret i128 18446744073709551616 }
         define i136 @h() { ret i136 -2 }
         define x86_fp80 @l() { ret x86_fp80 0xK4000C90FDAA22168C235 }
         define float @s() { ret float 0x7FF8000020000000 }",
    );
    let values = |name: &str| -> Vec<u64> {
        function(&program, name).constants.iter().map(|constant| constant.value).collect()
    };
    assert_eq!(values("f"), [u64::MAX, u64::MAX - 2]);
    assert_eq!(values("g"), [0, 1]);
    assert_eq!(values("h"), [u64::MAX - 1, u64::MAX, 0xff]);
    assert_eq!(values("l"), [0xc90f_daa2_2168_c235, 0x4000]);
    assert_eq!(values("s"), [0x7fc0_0001]);
}

#[test]
fn undefined_bits_are_the_values_own() {
    let program = load_ll(
        "define i64 @f() { %x = zext i8 undef to i64\n ret i64 %x }
         define { i32, ptr } @g() { ret { i32, ptr } { i32 7, ptr poison } }",
    );
    let masks = |name: &str| -> Vec<u64> {
        function(&program, name).constants.iter().map(|constant| constant.undefined).collect()
    };
    assert_eq!(masks("f"), [0xff]);
    assert_eq!(masks("g"), [0, u64::MAX]);
}

#[test]
fn floats_long_doubles_and_their_conversions() {
    let program = load_c(
        "long double f(long double a, float b) { return a * b; }
         double g(double a, double b, double c) { return a * b + c; }
         unsigned h(float x) { return x; }
         int main(void) { return 0; }",
        &[],
    );
    assert_eq!(
        code(&program, "f"),
        ["FloatCast FloatToFloat F32 F80 0 %3 %2", "Float Mul F80 %5 %0 %3", "Return 0"]
    );
    // x86-64 has no fused multiply-add: two roundings.
    let is_fused = |inst: &Inst| matches!(inst, Inst::FloatMulAdd { .. });
    assert_eq!(count(&program, "g", is_fused), 0);
    let multiplies =
        |i: &Inst| matches!(i, Inst::Float { op: FloatOp::Mul, kind: FloatKind::F64, .. });
    assert_eq!(count(&program, "g", multiplies), 1);
    assert_eq!(code(&program, "h")[0], "FloatCast FloatToUnsigned F32 F32 32 %1 %0");
}

#[test]
fn bit_and_overflow_builtins() {
    let source = "int f(unsigned x, int y, unsigned long z) { int r;
        return __builtin_popcount(x) + __builtin_clz(x) + __builtin_ctzl(z) + __builtin_bswap32(x)
            + __builtin_bitreverse32(x) + __builtin_rotateleft32(x, y)
            + __builtin_add_overflow(y, 3, &r) + __builtin_elementwise_abs(y)
            + __builtin_elementwise_max(y, 4) + __builtin_elementwise_sub_sat(x, 9u); }
        int main(void) { return 0; }";
    let lines = code(&load_c(source, &[]), "f");
    for start in [
        "IntUn PopCount 32",
        "IntUn LeadingZeros 32",
        "IntUn TrailingZeros 64",
        "IntUn ByteSwap 32",
        "IntUn BitReverse 32",
        "Funnel +left 32",
        "Overflow SAdd 32",
        "IntUn Abs 32",
        "Int SMax 32",
        "Int USatSub 32",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(start)), "{start}: {lines:?}");
    }
}

#[test]
fn float_builtins() {
    let mut body = String::new();
    let unary = [
        ("sqrt", "Sqrt"),
        ("floor", "Floor"),
        ("ceil", "Ceil"),
        ("trunc", "Trunc"),
        ("round", "Round"),
        ("roundeven", "RoundEven"),
        ("rint", "Rint"),
        ("fabs", "Abs"),
        ("nearbyint", "NearbyInt"),
        ("sin", "Sin"),
        ("cos", "Cos"),
        ("tan", "Tan"),
        ("asin", "Asin"),
        ("acos", "Acos"),
        ("atan", "Atan"),
        ("sinh", "Sinh"),
        ("cosh", "Cosh"),
        ("tanh", "Tanh"),
        ("exp", "Exp"),
        ("exp2", "Exp2"),
        ("exp10", "Exp10"),
        ("log", "Log"),
        ("log2", "Log2"),
        ("log10", "Log10"),
        ("canonicalize", "Canonicalize"),
    ];
    for (name, _) in unary {
        body += &format!("declare double @llvm.{name}.f64(double)\n");
        body += &format!(
            "define double @u_{name}(double %x) {{
            %r = call double @llvm.{name}.f64(double %x)\n ret double %r }}\n"
        );
    }
    let binary = [
        ("minnum", "MinNum"),
        ("maxnum", "MaxNum"),
        ("minimum", "Minimum"),
        ("maximum", "Maximum"),
        ("copysign", "CopySign"),
        ("pow", "Pow"),
        ("atan2", "Atan2"),
    ];
    for (name, _) in binary {
        body += &format!("declare double @llvm.{name}.f64(double, double)\n");
        body += &format!(
            "define double @b_{name}(double %x, double %y) {{
            %r = call double @llvm.{name}.f64(double %x, double %y)\n ret double %r }}\n"
        );
    }
    let program = load_ll(&body);
    for (name, op) in unary {
        assert_eq!(code(&program, &format!("u_{name}"))[0], format!("FloatUn {op} F64 %1 %0"));
    }
    for (name, op) in binary {
        assert_eq!(code(&program, &format!("b_{name}"))[0], format!("Float {op} F64 %2 %0 %1"));
    }
}

#[test]
fn huge_integers() {
    let program = load_ll(
        "define i136 @shl(i136 %x) { %r = shl i136 %x, 70\n ret i136 %r }
         define i8 @cut(i136 %x) { %s = lshr i136 %x, 128\n %r = trunc i136 %s to i8\n ret i8 %r }
         define i136 @any(i136 %x, i136 %n) { %r = ashr i136 %x, %n\n ret i136 %r }
         define i136 @add(i136 %x, i136 %y) { %r = add i136 %x, %y\n ret i136 %r }
         define i1 @less(i136 %x, i136 %y) { %r = icmp slt i136 %x, %y\n ret i1 %r }
         define i200 @ext(i136 %x) { %r = sext i136 %x to i200\n ret i200 %r }
         define i136 @mul(i136 %x, i136 %y) { %r = mul i136 %x, %y\n ret i136 %r }
         define i136 @div(i136 %x, i136 %y) { %r = udiv i136 %x, %y\n ret i136 %r }
         define void @copy(ptr %p, ptr %q) {
           %x = load i136, ptr %p\n store i136 %x, ptr %q\n ret void }",
    );
    assert_eq!(unsupported(&program), ["this arithmetic on i136"]);
    assert_eq!(count(&program, "add", |i| matches!(i, Inst::Overflow { .. })), 6);
    let products = |i: &Inst| matches!(i, Inst::WideInt { op: IntOp::Mul, .. });
    assert_eq!(count(&program, "mul", products), 6);
    assert_eq!(count(&program, "copy", |i| matches!(i, Inst::Load { bits: 8, .. })), 1);
    assert_eq!(count(&program, "copy", |i| matches!(i, Inst::Store { bits: 64, .. })), 2);
    assert_eq!(function(&program, "ext").lists[0].len(), 4);
}

#[test]
fn strict_floating_point_is_floating_point() {
    let source = "#include <math.h>
        double f(double a, double b, int i) {
        #pragma STDC FENV_ACCESS ON
            if (a < b) return a * b + i;
            return (int)a / b - (float)b + (a == b); }
        double g(double x, double *whole) { return modf(x, whole); }
        long double h(long double x, int *e) { return __builtin_frexpl(x, e); }
        int main(void) { return 0; }";
    let program = load_c(source, &[]);
    assert_eq!(unsupported(&program), Vec::<String>::new());
    let compares = |i: &Inst| matches!(i, Inst::FloatCmp { .. });
    assert_eq!(count(&program, "f", compares), 2);
    assert!(code(&program, "g").iter().any(|line| line.starts_with("FloatUn Trunc F64")));
    assert!(code(&program, "h").iter().any(|line| line.starts_with("FloatClass 144 F80")));
}
