//! Atomic operations, memory orders and shared accesses.

use exeunt_ir::{Access, Inst, Order, RmwOp};

use crate::support::*;

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
