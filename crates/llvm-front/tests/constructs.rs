//! Each construct of C becomes the bytecode it should.

mod support;

use exeunt_ir::{
    Access, Callee, FloatKind, FloatOp, Inst, IntOp, Order, RmwOp, Scalar, TrapKind, address,
};
use support::*;

const LEVELS: [&[&str]; 4] = [&[], &["-O0"], &["-O1"], &["-O2"]];

#[test]
fn a_loop_is_registers_and_one_jump_back() {
    let program =
        load_c("int main(void) { int s = 0; for (int i = 0; i < 10; i++) s += i; return s; }", &[]);
    let expected = [
        "Mov %0 #0=0",
        "Mov %1 #0=0",
        "Cmp Slt 32 %2 %1 #1=10",
        "Branch %2 @4 @7",
        "Int Add 32 %0 %0 %1",
        "Int Add 32 %1 %1 #2=1",
        "Jump @2",
        "Return 0",
    ];
    assert_eq!(code(&program, "main"), expected);
}

#[test]
fn swapped_phis_are_copied_through_a_spare() {
    let program = load_ll(
        "define i32 @f(i32 %n) {
         entry:
           br label %loop
         loop:
           %a = phi i32 [ 1, %entry ], [ %b, %loop ]
           %b = phi i32 [ 2, %entry ], [ %a, %loop ]
           %c = icmp eq i32 %a, %n
           br i1 %c, label %out, label %loop
         out:
           ret i32 %b
         }",
    );
    let expected = [
        "Mov %1 #0=1",
        "Mov %2 #1=2",
        "Cmp Eq 32 %3 %1 %0",
        "Branch %3 @8 @4",
        "Mov %4 %1",
        "Mov %1 %2",
        "Mov %2 %4",
        "Jump @2",
        "Return 0",
    ];
    assert_eq!(code(&program, "f"), expected);
}

/// A value that leaves the loop must be the one before the last copy.
#[test]
fn a_phi_that_outlives_its_loop_is_not_overwritten() {
    let program = load_ll(
        "define i32 @f(i32 %n) {
         entry:
           br label %loop
         loop:
           %i = phi i32 [ 0, %entry ], [ %j, %loop ]
           %j = add i32 %i, 1
           %c = icmp ult i32 %j, %n
           br i1 %c, label %loop, label %out
         out:
           ret i32 %i
         }",
    );
    let lines = code(&program, "f");
    assert_eq!(lines[3], "Branch %3 @4 @6");
    assert_eq!(lines[4..], ["Mov %1 %2", "Jump @1", "Return 0"]);
}

#[test]
fn every_shared_access_stays() {
    let source = "int x, y; int main(void) { x = 1; x = 2; int a = x; int b = x; y = a; y = b;
        if (a) x = 3; else x = 3; return x == x; }";
    let program = load_c(source, &[]);
    assert_eq!(count(&program, "main", |i| matches!(i, Inst::Store { .. })), 6);
    assert_eq!(count(&program, "main", |i| matches!(i, Inst::Load { .. })), 4);
    // What the user asks for is what clang does.
    let optimised = load_c(source, &["-O2"]);
    assert!(count(&optimised, "main", |i| matches!(i, Inst::Store { .. })) < 6);
}

/// Faults must still be there to be found.
#[test]
fn obvious_faults_are_not_optimised_away() {
    let source = "int g; int main(int argc, char **argv) {
        int a[2]; a[0] = 0; if (argc > 9) a[5] = 1;
        if (argc > 8) *(int *)0 = 1;
        int zero = 0; if (argc > 7) g = 1 / zero;
        if (argc > 6) __builtin_unreachable();
        return a[0]; }";
    let program = load_c(source, &["-w"]);
    let lines = code(&program, "main");
    assert!(lines.iter().any(|line| line.starts_with("PtrAdd") && line.ends_with(" 20")));
    assert!(
        lines.iter().any(|line| line.starts_with("Store") && line.ends_with("=0")),
        "{lines:?}"
    );
    assert!(lines.iter().any(|line| line.starts_with("Int SDiv 32")), "{lines:?}");
    assert!(lines.contains(&"Trap unreachable".to_string()), "{lines:?}");
}

#[test]
fn the_users_level_is_clangs_level() {
    let source = "int main(int argc, char **argv) { int x = argc; return x; }";
    assert_eq!(count(&load_c(source, &["-O0"]), "main", |i| matches!(i, Inst::Alloca { .. })), 4);
    assert_eq!(count(&load_c(source, &[]), "main", |i| matches!(i, Inst::Alloca { .. })), 0);
    assert_eq!(code(&load_c(source, &["-O2"]), "main"), ["Return 0"]);
}

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
fn atomics() {
    let source = "#include <stdatomic.h>
        _Atomic int a; volatile int v; int p;
        int main(void) {
            int e = 1;
            atomic_fetch_add(&a, 2); atomic_exchange(&a, 3);
            atomic_compare_exchange_weak(&a, &e, 4);
            atomic_compare_exchange_strong(&a, &e, 5);
            atomic_thread_fence(memory_order_seq_cst);
            v = 1; p = 2;
            return a + v; }";
    let program = load_c(source, &[]);
    let lines = code(&program, "main");
    let has = |text: &str| assert!(lines.iter().any(|l| l.starts_with(text)), "{text}: {lines:?}");
    has("Rmw Add 32");
    has("Rmw Xchg 32");
    has("CmpXchg 32 +weak");
    has("CmpXchg 32 -weak");
    has("Fence");
    has("Load 32 -pointer Atomic");
    has("Store 32 -pointer Volatile");
    has("Load 32 -pointer Volatile");
    let plain = |i: &Inst| matches!(i, Inst::Store { access: Access::Plain, .. });
    assert_eq!(count(&program, "main", plain), 1);
}

#[test]
fn memory_orders() {
    let source = "#include <stdatomic.h>
        _Atomic int a;
        int main(void) {
            int e = 1;
            atomic_store_explicit(&a, 1, memory_order_relaxed);
            atomic_store_explicit(&a, 1, memory_order_release);
            atomic_fetch_add_explicit(&a, 2, memory_order_acq_rel);
            atomic_compare_exchange_strong_explicit(
                &a, &e, 4, memory_order_release, memory_order_relaxed);
            atomic_thread_fence(memory_order_acquire);
            atomic_signal_fence(memory_order_seq_cst);
            return atomic_load_explicit(&a, memory_order_consume)
                + atomic_load_explicit(&a, memory_order_relaxed); }";
    let program = load_c(source, &[]);
    let lines = code(&program, "main");
    let has = |text: &str| assert!(lines.iter().any(|l| l.starts_with(text)), "{text}: {lines:?}");
    has("Store 32 -pointer AtomicRelaxed");
    has("Store 32 -pointer AtomicRelease");
    has("Rmw Add 32 AcqRel");
    has("CmpXchg 32 -weak Release Relaxed");
    has("Fence Acquire");
    has("Fence Relaxed");
    has("Load 32 -pointer AtomicAcquire");
    has("Load 32 -pointer AtomicRelaxed");
}

#[test]
fn every_read_modify_write_operation() {
    let operations = [
        ("xchg", RmwOp::Xchg),
        ("add", RmwOp::Add),
        ("sub", RmwOp::Sub),
        ("and", RmwOp::And),
        ("nand", RmwOp::Nand),
        ("or", RmwOp::Or),
        ("xor", RmwOp::Xor),
        ("max", RmwOp::Max),
        ("min", RmwOp::Min),
        ("umax", RmwOp::UMax),
        ("umin", RmwOp::UMin),
        ("uinc_wrap", RmwOp::UIncWrap),
        ("udec_wrap", RmwOp::UDecWrap),
        ("usub_cond", RmwOp::USubCond),
        ("usub_sat", RmwOp::USubSat),
    ];
    let floats = [
        ("fadd", RmwOp::FAdd),
        ("fsub", RmwOp::FSub),
        ("fmax", RmwOp::FMax),
        ("fmin", RmwOp::FMin),
    ];
    let mut source = String::new();
    let all = operations.map(|o| (o, "i16", 16)).into_iter();
    let all: Vec<_> = all.chain(floats.map(|o| (o, "double", 64))).collect();
    for ((name, _), ty, _) in &all {
        source += &format!(
            "define {ty} @{name}(ptr %p, {ty} %v) {{
               %r = atomicrmw {name} ptr %p, {ty} %v seq_cst
               ret {ty} %r
             }}\n"
        );
    }
    let program = load_ll(&source);
    for ((name, op), _, bits) in all {
        let expected = Inst::Rmw { op, bits, order: Order::SeqCst, dst: 2, addr: 0, src: 1 };
        assert_eq!(function(&program, name).code[0], expected, "{name}");
    }
}

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
fn computed_goto_finds_its_labels() {
    let source = "int main(int argc, char **argv) {
        static void *table[] = { &&one, &&two, &&one };
        static const int distance[] = { &&two - &&one };
        int n = argc;
        goto *table[argc & 1];
        one: n++; if (n > 9) return n + distance[0]; goto *table[n & 1];
        two: n += 2; goto one; }";
    for level in LEVELS {
        let program = load_c(source, level);
        let main = function(&program, "main");
        assert!(count(&program, "main", |i| matches!(i, Inst::IndirectJump { .. })) >= 1);
        let id = program.find_function("main").expect("main");
        let table = program.find_global("main.table").expect("the table");
        let data = &program.global(table).data;
        let entry = |i: usize| u64::from_le_bytes(data[8 * i..8 * i + 8].try_into().expect("8"));
        let targets: Vec<u64> =
            main.label_targets.iter().map(|&pc| address::label(id, pc)).collect();
        assert!(targets.contains(&entry(0)) && targets.contains(&entry(1)), "{level:?}");
        assert_eq!(entry(0), entry(2));
        if let Some(distance) = program.find_global("main.distance") {
            let data = program.global(distance).data[..4].try_into().expect("4");
            let expected = entry(1).wrapping_sub(entry(0)) as i32;
            assert_eq!(i32::from_le_bytes(data), expected);
        }
    }
}

/// Labels that are reached by several jumps with different values.
#[test]
fn computed_goto_carries_phis() {
    let program = load_ll(
        "define i32 @f(ptr %to, i32 %x) {
         entry:
           indirectbr ptr %to, [label %a, label %b]
         a:
           %p = phi i32 [ 1, %entry ], [ %q, %b ]
           %t = phi ptr [ blockaddress(@f, %b), %entry ], [ %to, %b ]
           indirectbr ptr %t, [label %b]
         b:
           %q = phi i32 [ 2, %entry ], [ %p, %a ]
           %c = icmp eq i32 %q, %x
           br i1 %c, label %out, label %a
         out:
           ret i32 %q
         }",
    );
    let f = function(&program, "f");
    assert_eq!(f.label_targets.len(), 2);
    for &target in &f.label_targets {
        assert!(matches!(f.code[target as usize], Inst::Mov { .. }), "{program}");
    }
}

#[test]
fn switches_are_sorted_and_complete() {
    let source = "int main(int c, char **v) { switch (c) {
        case 7: return 1; case -1: return 2; case 3 ... 5: return 3; default: return 4; } }";
    let program = load_c(source, &[]);
    let table = &function(&program, "main").switches[0];
    let values: Vec<u64> = table.cases.iter().map(|case| case.0).collect();
    assert_eq!(values, [3, 4, 5, 7, 0xffff_ffff]);
    assert_eq!(table.cases[0].1, table.cases[2].1);
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
fn constructors_and_destructors_in_order() {
    let source = "#define C(n) __attribute__((constructor n)) static void
        #define D(n) __attribute__((destructor n)) static void
        C() c1(void) {} C((200)) c2(void) {} C((150)) c3(void) {} C() c4(void) {}
        D() d1(void) {} D((200)) d2(void) {} D((150)) d3(void) {}
        int main(void) { return 0; }";
    let program = load_c(source, &["-w"]);
    let names = |ids: &[exeunt_ir::FuncId]| -> Vec<String> {
        ids.iter().map(|id| program.function(*id).name.to_string()).collect()
    };
    assert_eq!(names(&program.constructors), ["c3", "c2", "c1", "c4"]);
    assert_eq!(names(&program.destructors), ["d1", "d2", "d3"]);
}

#[test]
fn annotations_and_aliases() {
    let source = "__attribute__((annotate(\"exeunt_must_return\"))) void f(void) {}
        __attribute__((annotate(\"something else\"))) void g(void) {}
        int real(int x) { return x; } int other(int) __attribute__((alias(\"real\")));
        int main(void) { f(); g(); int (*p)(int) = other; return other(1) + p(2); }";
    let program = load_c(source, &[]);
    assert!(function(&program, "f").must_return);
    assert!(!function(&program, "g").must_return && !function(&program, "main").must_return);
    let real = program.find_function("real").expect("real");
    let main = function(&program, "main");
    assert!(main.calls.iter().any(|call| call.callee == Callee::Direct(real)));
    let constants = &main.constants;
    assert!(program.find_function("other").is_none());
    assert!(
        main.calls.iter().filter(|call| call.callee == Callee::Direct(real)).count() == 2
            || constants.iter().any(|c| c.value == address::function(real))
    );
}

#[test]
fn weak_symbols_that_nobody_defines_are_null() {
    let source = "extern int hook(void) __attribute__((weak)); extern int v __attribute__((weak));
        int main(void) { return (hook ? hook() : 0) + (&v ? v : 1); }";
    let program = load_c(source, &[]);
    assert!(code(&program, "main").contains(&"Cmp Ne 64 %2 #0=0 #0=0".to_string()));
}

#[test]
fn setjmp_returns_twice() {
    let source = "#include <setjmp.h>
        jmp_buf b; void f(void) {} int main(void) { f(); return setjmp(b); }";
    for level in LEVELS {
        let program = load_c(source, level);
        let calls = &function(&program, "main").calls;
        let twice: Vec<bool> = calls.iter().map(|call| call.returns_twice).collect();
        assert_eq!(twice.last(), Some(&true), "{level:?}");
        assert_eq!(twice.iter().filter(|twice| **twice).count(), 1);
    }
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
fn vectors_lane_by_lane() {
    let source = "typedef int v4 __attribute__((vector_size(16)));
        v4 add(v4 *a, v4 *b) { return *a + *b; }
        v4 less(v4 *a, v4 *b) { return *a < *b; }
        int at(v4 *a, int i) { return (*a)[i]; }
        void rev(v4 *a) { *a = __builtin_shufflevector(*a, *a, 3, 2, 1, 0); }
        int sum(v4 *a) { return __builtin_reduce_add(*a); }
        int main(void) { return 0; }";
    for level in LEVELS {
        let program = load_c(source, level);
        let adds = |i: &Inst| matches!(i, Inst::Int { op: IntOp::Add, width: 32, .. });
        assert_eq!(count(&program, "add", adds), 4);
        assert_eq!(count(&program, "sum", adds), 3);
        assert_eq!(count(&program, "less", |i| matches!(i, Inst::SExt { from: 1, to: 32, .. })), 4);
        let results = &program.signature(function(&program, "add").signature).results;
        assert_eq!(results.len(), 4);
        assert_eq!(unsupported(&program), Vec::<String>::new(), "{level:?}");
    }
    let program = load_c(source, &["-O1"]);
    let lines = code(&program, "rev");
    assert_eq!(lines[1], "PtrAdd %5 %0 4");
    assert_eq!(lines[7], "Store 32 -pointer Plain %4 %0", "{lines:?}");
}

#[test]
fn vectors_of_bits_are_packed() {
    let program = load_ll(
        "define i8 @pack(<8 x i1> %v) { %r = bitcast <8 x i1> %v to i8\n ret i8 %r }
         define <4 x i16> @cut(i64 %v) { %r = bitcast i64 %v to <4 x i16>\n ret <4 x i16> %r }
         define void @put(<8 x i1> %v, ptr %p) { store <8 x i1> %v, ptr %p\n ret void }
         define i128 @wide(<2 x i64> %v) { %r = bitcast <2 x i64> %v to i128\n ret i128 %r }",
    );
    let shifts = |i: &Inst| matches!(i, Inst::Int { op: IntOp::Shl, .. });
    assert_eq!(count(&program, "pack", shifts), 7);
    let right = |i: &Inst| matches!(i, Inst::Int { op: IntOp::LShr, .. });
    assert_eq!(count(&program, "cut", right), 3);
    assert_eq!(code(&program, "put").last().map(String::as_str), Some("Return 0"));
    assert_eq!(count(&program, "put", |i| matches!(i, Inst::Store { bits: 8, .. })), 1);
    assert_eq!(code(&program, "wide"), ["Mov %2 %0", "Mov %3 %1", "Return 0"]);
}

#[test]
fn auto_vectorised_code_is_understood() {
    let source = "int a[64], b[64]; float f[64];
        int main(int n, char **v) { int s = 0;
            for (int i = 0; i < 64; i++) { a[i] = b[i] * n + i; f[i] = f[i] > 1 ? f[i] : a[i]; }
            for (int i = 0; i < 64; i++) s += a[i] > b[i] ? a[i] : b[i]; return s; }";
    let flags = ["-O3", "-fvectorize", "-fslp-vectorize", "-mavx2", "-funroll-loops"];
    let program = load_c(source, &flags);
    assert_eq!(unsupported(&program), Vec::<String>::new());
    // Lanes show that there were vectors.
    assert!(count(&program, "main", |i| matches!(i, Inst::Load { .. })) > 8);
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
fn barriers_and_hints() {
    let source = "void f(void) { __asm__ volatile(\"\" ::: \"memory\"); }
        void g(void) { __asm__ volatile(\"mfence\" ::: \"memory\"); __sync_synchronize(); }
        void h(void) { __asm__ volatile(\"pause\"); __builtin_ia32_pause(); }
        int k(int x) { __asm__(\"\" : \"+r\"(x)); return x; }
        void l(void) { __asm__ volatile(\"lock; addl $0,0(%%rsp)\" ::: \"memory\", \"cc\"); }
        int c(void) { int r; __asm__(\"cpuid\" : \"=a\"(r) :: \"ebx\", \"ecx\", \"edx\"); return r; }
        int main(void) { return 0; }";
    let program = load_c(source, &[]);
    assert_eq!(code(&program, "f"), ["Fence Relaxed", "Return 0"]);
    assert_eq!(code(&program, "g"), ["Fence SeqCst", "Fence SeqCst", "Return 0"]);
    assert_eq!(code(&program, "h"), ["SpinHint", "SpinHint", "Return 0"]);
    assert_eq!(code(&program, "k"), ["Return 0"]);
    assert_eq!(code(&program, "l"), ["Fence SeqCst", "Return 0"]);
    assert_eq!(code(&program, "c").last().map(String::as_str), Some("Unsupported 0"));
    assert_eq!(unsupported(&program), ["inline assembly \"cpuid\""]);
}

#[test]
fn undefined_arithmetic_traps_if_asked() {
    let source = "int main(int n, char **v) { int a[4]; a[n] = n + 1; return a[n] << n; }";
    let scratch = Scratch::new();
    let file = scratch.write("t.c", source);
    let mut inputs = inputs(&[&file], &[]);
    let traps = |program: &exeunt_ir::Program| -> Vec<u8> {
        let code = &function(program, "main").code;
        let checks = code.iter().filter_map(|inst| match inst {
            Inst::Trap { kind: TrapKind::Undefined(check) } => Some(*check),
            _ => None,
        });
        checks.collect()
    };
    assert_eq!(traps(&checked(&inputs).expect("a program")), Vec::<u8>::new());
    inputs.undefined = true;
    let mut found = traps(&checked(&inputs).expect("a program"));
    found.sort_unstable();
    found.dedup();
    // clang's numbers: 0 addition, 18 out of bounds, 19 pointers, 20 shifts.
    assert_eq!(found, [0, 18, 19, 20]);
}

#[test]
fn undefined_arithmetic_is_a_caveat_for_bitcode() {
    let scratch = Scratch::new();
    let file = scratch.write("t.ll", "define i32 @main() { ret i32 0 }");
    let mut inputs = inputs(&[&file], &[]);
    assert!(checked(&inputs).expect("a program").caveats.is_empty());
    inputs.undefined = true;
    let caveats = checked(&inputs).expect("a program").caveats;
    assert!(caveats.len() == 1 && caveats[0].contains("t.ll"), "{caveats:?}");
}

#[test]
fn what_is_not_known_is_named_and_stops_there() {
    let program = load_ll(
        "declare ptr @llvm.frameaddress.p0(i32)
         declare <4 x float> @llvm.x86.sse.rcp.ps(<4 x float>)
         define void @f() { %x = call ptr @llvm.frameaddress.p0(i32 0)\n ret void }
         define <4 x float> @g(<4 x float> %v) {
           %r = call <4 x float> @llvm.x86.sse.rcp.ps(<4 x float> %v)
           ret <4 x float> %r
         }
         define fp128 @h(fp128 %x) { %r = fadd fp128 %x, %x\n ret fp128 %r }
         define fp128 @i(fp128 %x) { ret fp128 %x }
         define void @j(ptr %p) { %v = va_arg ptr %p, i32\n ret void }",
    );
    assert_eq!(code(&program, "f"), ["Unsupported 0"]);
    assert_eq!(code(&program, "h"), ["Unsupported 0"]);
    assert_eq!(code(&program, "i"), ["Return 0"]);
    let names = unsupported(&program);
    assert!(names[0].contains("llvm.frameaddress"), "{names:?}");
    assert_eq!(names[1], "the intrinsic llvm.x86.sse.rcp.ps");
    assert_eq!(names[2], "arithmetic on fp128");
    assert_eq!(names[3], "the instruction va_arg");
}

#[test]
fn several_files_are_linked() {
    let scratch = Scratch::new();
    let a = scratch.write(
        "a.c",
        "int f(void); extern int g; static int s = 1; int main(void) { return f() + g + s; }",
    );
    let b = scratch.write("b.c", "static int s = 2; int g = 5; int f(void) { return s; }");
    let c = scratch.write("c.ll", "define i32 @unused() { ret i32 3 }");
    let program = checked(&inputs(&[&a, &b, &c], &[])).expect("a program");
    assert!(!function(&program, "f").is_declaration());
    assert!(!function(&program, "unused").is_declaration());
    let g = program.global(program.find_global("g").expect("g"));
    assert!(!g.external && g.data == [5, 0, 0, 0]);
    let own = program.globals.iter().filter(|global| global.name.starts_with('s')).count();
    assert_eq!(own, 2);
}

#[test]
fn clang_arguments_reach_clang() {
    let source = "#include \"own.h\"\nint main(void) { return VALUE + OWN; }";
    let scratch = Scratch::new();
    let file = scratch.write("t.c", source);
    scratch.write("own.h", "#define OWN 3\n#ifndef __EXEUNT__\n#error not defined\n#endif\n");
    let mut inputs = inputs(&[&file], &["-DVALUE=4", "-O1", "-std=c11"]);
    inputs.include = scratch.path().to_path_buf();
    let program = checked(&inputs).expect("a program");
    assert_eq!(function(&program, "main").constants[0].value, 7);
}

#[test]
fn masked_vector_accesses_ask_the_mask() {
    let program = load_ll(
        "declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
         declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)
         define <4 x i32> @get(ptr %p, <4 x i1> %m, <4 x i32> %v) {
           %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %m, <4 x i32> %v)
           ret <4 x i32> %r
         }
         define void @put(ptr %p, <4 x i1> %m, <4 x i32> %v) {
           call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 4 %p, <4 x i1> %m)
           ret void
         }",
    );
    assert_eq!(unsupported(&program), Vec::<String>::new());
    assert_eq!(
        code(&program, "get")[..6],
        [
            "Mov %9 %5",
            "Branch %1 @2 @3",
            "Load 32 -pointer Plain %9 %0",
            "PtrAdd %13 %0 4",
            "Mov %10 %6",
            "Branch %2 @6 @7",
        ]
    );
    assert_eq!(
        code(&program, "put")[..4],
        ["Branch %1 @1 @2", "Store 32 -pointer Plain %5 %0", "PtrAdd %9 %0 4", "Branch %2 @4 @5",]
    );
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
