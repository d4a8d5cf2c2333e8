//! Vectors, lane by lane.

use exeunt_ir::{Inst, IntOp};

use crate::LEVELS;
use crate::support::*;

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
