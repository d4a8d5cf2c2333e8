//! Objects in memory: structs, variables of all lifetimes, block functions.

use exeunt_ir::{Callee, Inst, Scalar, address};

use crate::LEVELS;
use crate::support::*;

#[test]
fn structs_by_value() {
    let source = "struct big { int a[9]; }; struct pair { long a; double b; };
        int callee(struct big b) { return b.a[3]; }
        struct pair pair(struct pair p) { p.a++; return p; }
        struct big make(void) { struct big b = {{1, 2}}; return b; }
        int printf(const char *, ...);
        int main(void) {
            struct big b = make(); struct pair p = {1, 2}; p = pair(p);
            printf(\"x\", b);
            return callee(b) + p.a; }";
    let program = load_c(source, &[]);
    // The callee copies what it was given a pointer to.
    let lines = code(&program, "callee");
    assert_eq!(lines[..2], ["Alloca %1 36 #0=1", "MemCopy %1 %0 #1=36 -may_overlap -volatile"]);
    let pair = program.signature(function(&program, "pair").signature);
    assert_eq!(*pair.params, [Scalar::Int(64), Scalar::F64]);
    assert_eq!(*pair.results, [Scalar::Int(64), Scalar::F64]);
    let main = function(&program, "main");
    let sizes: Vec<u32> =
        main.calls.iter().flat_map(|c| c.args.iter().map(|arg| arg.by_value)).collect();
    assert!(sizes.contains(&36), "{sizes:?}");
    let fixed = main.calls.iter().find(
        |c| matches!(c.callee, Callee::Direct(id) if &*program.function(id).name == "callee"),
    );
    assert_eq!(fixed.expect("the call of callee").args[0].by_value, 0);
}

#[test]
fn variadic_functions() {
    let source = "#include <stdarg.h>
        int sum(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); int s = 0;
            while (n--) s += va_arg(a, int); va_end(a); va_end(b); return s; }
        int main(void) { return sum(2, 3, 4L, 5.0f, \"x\"); }";
    for level in LEVELS {
        let program = load_c(source, level);
        let sum = function(&program, "sum");
        assert!(program.signature(sum.signature).variadic);
        assert_eq!(count(&program, "sum", |i| matches!(i, Inst::VaArea { .. })), 1);
    }
    let program = load_c(source, &[]);
    assert_eq!(count(&program, "sum", |i| matches!(i, Inst::MemCopy { .. })), 1);
    assert_eq!(count(&program, "sum", |i| matches!(i, Inst::VaEnd { .. })), 2);
    let types: Vec<Scalar> =
        function(&program, "main").calls[0].args.iter().map(|arg| arg.ty).collect();
    let int = Scalar::Int(32);
    assert_eq!(types, [int, int, Scalar::Int(64), Scalar::F64, Scalar::Ptr]);
}

#[test]
fn thread_local_variables() {
    let source = "_Thread_local int t = 5; _Thread_local struct { int a[4]; } s;
        int *p(void) { return &t; } int main(int c, char **v) { return t + s.a[c] + s.a[2]; }";
    for level in LEVELS {
        let program = load_c(source, level);
        let id = program.find_global("t").expect("t");
        assert!(program.global(id).thread_local);
        assert_eq!(program.global(id).data, [5, 0, 0, 0]);
        let gets = |i: &Inst| matches!(i, Inst::TlsAddr { global, .. } if *global == id.0);
        assert_eq!(count(&program, "p", gets), 1);
        assert_eq!(unsupported(&program), Vec::<String>::new());
    }
    // Bitcode may use the address without the intrinsic.
    let program = load_ll(
        "@t = thread_local global [4 x i32] zeroinitializer
         define i32 @f() {
           %v = load i32, ptr getelementptr ([4 x i32], ptr @t, i64 0, i64 3)
           ret i32 %v
         }",
    );
    let expected = ["TlsAddr %0 0", "PtrAdd %1 %0 12", "Load 32 -pointer Plain %2 %1", "Return 0"];
    assert_eq!(code(&program, "f"), expected);
}

#[test]
fn static_data() {
    let source = "struct s { char c; int i; const char *p; double d; long double l;
            int (*f)(void); struct s *self; unsigned b : 3; int e : 5; };
        int main(void);
        struct s s = { 'x', -2, &\"hello\"[1], 1.5, 2.0L, main, &s, 5, -1 };
        const int k[3] = { 1, 2 }; int zero[1000]; extern int elsewhere;
        int *q = &zero[7]; int (*get(void))[1000] { return &zero; }
        int main(void) { return k[0] + elsewhere + *q + s.i; }";
    let program = load_c(source, &[]);
    let global = |name: &str| program.global(program.find_global(name).expect(name));
    let id = |name: &str| program.find_global(name).expect(name);
    let s = &global("s").data;
    let word = |data: &[u8], at: usize| u64::from_le_bytes(data[at..at + 8].try_into().expect("8"));
    assert_eq!((s[0], &s[4..8]), (b'x', &(-2_i32).to_le_bytes()[..]));
    assert_eq!(word(s, 8), address::global(id(".str"), 1));
    assert_eq!(f64::from_bits(word(s, 16)), 1.5);
    assert_eq!((word(s, 32), s[40], s[41]), (1 << 63, 0, 0x40));
    assert_eq!(word(s, 48), address::function(program.main.expect("main")));
    assert_eq!(word(s, 56), address::global(id("s"), 0));
    assert_eq!(s[64], 5 | (0x1f << 3));
    assert!(s.len() == 80 && global("s").undefined.is_empty());
    assert!(global("k").constant && !global("s").constant);
    assert_eq!(global("k").data, [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(global("zero").data, [0; 4000]);
    assert!(global("elsewhere").external && !global("zero").external);
    assert_eq!(word(&global("q").data, 0), address::global(id("zero"), 28));
}

#[test]
fn undefined_static_data_is_marked() {
    let program = load_ll(
        "@g = global { i8, i32, [2 x i16] } { i8 1, i32 undef, [2 x i16] [i16 3, i16 poison] }",
    );
    let g = program.global(program.find_global("g").expect("g"));
    assert_eq!(g.data, [1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0]);
    assert_eq!(g.undefined, [0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 255, 255]);
}

#[test]
fn dynamic_arrays_give_their_memory_back() {
    let source = "void use(int *); int main(int n, char **v) {
        for (int i = 1; i < n; i++) { int a[i]; use(a); } return 0; }";
    let program = load_c(source, &[]);
    assert_eq!(count(&program, "main", |i| matches!(i, Inst::StackSave { .. })), 1);
    assert_eq!(count(&program, "main", |i| matches!(i, Inst::StackRestore { .. })), 1);
    let lines = code(&program, "main");
    assert!(
        lines.iter().any(|line| line.starts_with("Alloca") && !line.contains('#')),
        "{lines:?}"
    );
}

#[test]
fn lifetimes_of_block_scopes() {
    let source =
        "void use(int *); int main(void) { { int a; use(&a); } { int b; use(&b); } return 0; }";
    let program = load_c(source, &[]);
    assert_eq!(count(&program, "main", |i| matches!(i, Inst::LifetimeStart { .. })), 2);
    assert_eq!(count(&program, "main", |i| matches!(i, Inst::LifetimeEnd { .. })), 2);
}

#[test]
fn memory_functions() {
    let source = "struct s { char c[100]; } a, b; int main(int n, char **v) {
        a = b; __builtin_memmove(&a, &b, n); __builtin_memset(&a, n, 50); return 0; }";
    let lines = code(&load_c(source, &[]), "main");
    assert!(lines[0].starts_with("MemCopy #") && lines[0].contains("=100 -may_overlap"));
    assert!(lines.iter().any(|line| line.contains(" +may_overlap -volatile")));
    assert!(lines.iter().any(|line| line.starts_with("MemSet") && line.contains("=50 ")));
}

#[test]
fn sizes_of_objects_are_seen_or_unknown() {
    let program = load_ll(
        "declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
         @g = global [10 x i32] zeroinitializer
         define i64 @local() {
           %a = alloca [5 x i32]
           %p = getelementptr [5 x i32], ptr %a, i64 0, i64 2
           %n = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 false, i1 false)
           ret i64 %n
         }
         define i64 @global() {
           %n = call i64 @llvm.objectsize.i64.p0(ptr getelementptr (i32, ptr @g, i64 3), i1 true, i1 false, i1 false)
           ret i64 %n
         }
         define i64 @most(ptr %p) {
           %n = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 false, i1 false)
           ret i64 %n
         }
         define i64 @least(ptr %p) {
           %n = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 true, i1 false, i1 false)
           ret i64 %n
         }",
    );
    for (name, size) in [("local", 12), ("global", 28), ("most", u64::MAX), ("least", 0)] {
        let f = function(&program, name);
        let returned = f.lists[0][0] - f.registers;
        assert_eq!(f.constants[returned as usize].value, size, "{name}");
    }
}
