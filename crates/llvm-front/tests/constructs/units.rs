//! Whole modules: levels of optimisation, linking, attributes, what is refused.

use exeunt_ir::{Callee, Inst, TrapKind, address};

use crate::support::*;

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
