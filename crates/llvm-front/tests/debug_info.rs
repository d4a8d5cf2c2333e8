//! Positions, names and types of the source.

mod support;

use exeunt_ir::{DebugType, DebugTypeId, Inst, Program};
use support::*;

#[test]
fn every_instruction_knows_its_line() {
    let scratch = Scratch::new();
    let source = "int g;\nint f(int x) {\n  g = x;\n  return g +\n    x;\n}\nint main(void) { return f(1); }\n";
    let file = scratch.write("where.c", source);
    let program = checked(&inputs(&[&file], &[])).expect("a program");
    let f = function(&program, "f");
    let place = |want: fn(&Inst) -> bool| {
        let pc = f.code.iter().position(want).expect("the instruction");
        program.location(f.locs[pc]).expect("its position")
    };
    let store = place(|i| matches!(i, Inst::Store { .. }));
    assert_eq!((store.line, store.column, &*store.function), (3, 5, "f"));
    assert!(store.file.ends_with("where.c"), "{}", store.file);
    let load = place(|i| matches!(i, Inst::Load { .. }));
    assert_eq!((load.line, load.column), (4, 10));
    assert_eq!(program.location(f.loc).expect("a position").line, 2);
    let g = program.global(program.find_global("g").expect("g"));
    assert_eq!(program.location(g.loc).expect("a position").line, 1);
}

#[test]
fn inlined_code_knows_where_it_was_inlined_to() {
    let source = "int g;\nstatic inline __attribute__((always_inline)) void set(int x) {\n  g = x;\n}\nint main(void) {\n  set(3);\n  return 0;\n}\n";
    let program = load_c(source, &["-O1"]);
    let main = function(&program, "main");
    let pc = main.code.iter().position(|i| matches!(i, Inst::Store { .. })).expect("a store");
    let loc = &program.locs[main.locs[pc].0 as usize];
    assert_eq!((loc.line, &*loc.function), (3, "set"));
    let call = loc.inlined.expect("it was inlined").call;
    let at = program.location(call).expect("a position");
    assert_eq!((at.line, &*at.function), (6, "main"));
}

fn global_type<'p>(program: &'p Program, name: &str) -> &'p DebugType {
    let global = program.global(program.find_global(name).expect(name));
    ty(program, global.ty.expect("a type"))
}

fn ty(program: &Program, DebugTypeId(id): DebugTypeId) -> &DebugType {
    &program.types[id as usize]
}

#[test]
fn types_of_globals() {
    let source = "#include <stdbool.h>
        typedef unsigned long word; enum colour { RED = -1, BLUE = 7 };
        struct node { int key; char tag; struct node *next; word w[2][3]; enum colour c;
                      bool b; union { float f; long double l; } u; unsigned bits : 3; };
        const volatile struct node node; word words[5]; _Atomic int a; unsigned char *p;
        struct node (*fp)(int); int main(void) { return node.key + words[0] + a + !p + !fp; }";
    let program = load_c(source, &[]);
    let DebugType::Struct { name, bytes, fields } = global_type(&program, "node") else {
        panic!("{:?}", global_type(&program, "node"))
    };
    assert_eq!((&**name, *bytes), ("node", 112));
    let field = |name: &str| {
        let field = fields.iter().find(|field| &*field.name == name).expect(name);
        (field.offset, ty(&program, field.ty))
    };
    assert_eq!(field("key"), (0, &DebugType::Int { bytes: 4, signed: true }));
    assert_eq!(field("tag"), (4, &DebugType::Char { signed: true }));
    let (8, DebugType::Pointer { to: Some(to) }) = field("next") else {
        panic!("{:?}", field("next"))
    };
    assert!(std::ptr::eq(ty(&program, *to), global_type(&program, "node")));
    let (16, DebugType::Array { element, element_bytes: 24, count: 2 }) = field("w") else {
        panic!("{:?}", field("w"))
    };
    let DebugType::Array { element, element_bytes: 8, count: 3 } = ty(&program, *element) else {
        panic!("{:?}", ty(&program, *element))
    };
    assert_eq!(ty(&program, *element), &DebugType::Int { bytes: 8, signed: false });
    let (64, DebugType::Enum { bytes: 4, names }) = field("c") else { panic!("{:?}", field("c")) };
    let names: Vec<(i64, &str)> = names.iter().map(|(value, name)| (*value, &**name)).collect();
    assert_eq!(names, [(-1, "RED"), (7, "BLUE")]);
    assert_eq!(field("b"), (68, &DebugType::Bool));
    let (80, DebugType::Struct { fields: members, .. }) = field("u") else {
        panic!("{:?}", field("u"))
    };
    assert_eq!(ty(&program, members[0].ty), &DebugType::Float { bytes: 4 });
    assert_eq!(ty(&program, members[1].ty), &DebugType::Float { bytes: 16 });
    assert_eq!(field("bits").0, 96);
    let words = global_type(&program, "words");
    assert!(matches!(words, DebugType::Array { element_bytes: 8, count: 5, .. }), "{words:?}");
    assert_eq!(global_type(&program, "a"), &DebugType::Int { bytes: 4, signed: true });
    let DebugType::Pointer { to: Some(to) } = global_type(&program, "p") else {
        panic!("{:?}", global_type(&program, "p"))
    };
    assert_eq!(ty(&program, *to), &DebugType::Char { signed: false });
    assert_eq!(global_type(&program, "fp"), &DebugType::Pointer { to: None });
}

#[test]
fn names_of_local_variables() {
    let source = "void use(void *); struct s { int a[9]; };
        void f(struct s by_value) { use(&by_value); }
        int main(int argc, char **argv) { int here[3]; use(here); use(&argc); return 0; }";
    let program = load_c(source, &[]);
    let names = |name: &str| -> Vec<String> {
        let f = function(&program, name);
        for local in &f.locals {
            assert!(matches!(f.code[local.pc as usize], Inst::Alloca { .. }));
            assert!(local.ty.is_some());
        }
        f.locals.iter().map(|local| local.name.to_string()).collect()
    };
    assert_eq!(names("main"), ["argc", "here"]);
    assert_eq!(names("f"), ["by_value"]);
}

#[test]
fn programs_without_debug_info_still_name_the_function() {
    let program = load_ll("define void @f(ptr %p) { store i32 1, ptr %p\n ret void }");
    let f = function(&program, "f");
    let place = program.location(f.locs[0]).expect("a position");
    assert_eq!(place.to_string(), "function f");
}
