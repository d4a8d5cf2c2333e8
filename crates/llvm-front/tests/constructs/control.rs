//! Loops, jumps, labels and `setjmp`.

use exeunt_ir::{Inst, address};

use crate::LEVELS;
use crate::support::*;

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
