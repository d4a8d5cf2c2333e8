//! Input that cannot be checked: one clear message each.

mod support;

use std::process::Command;

use exeunt_llvm_front::{FrontError, Inputs, load};
use support::*;

fn error(name: &str, contents: &[u8]) -> String {
    let scratch = Scratch::new();
    let file = scratch.write(name, contents);
    match checked(&inputs(&[&file], &[])) {
        Ok(program) => panic!("{name} was accepted:\n{program}"),
        Err(error) => error.to_string().replace(&format!("{}/", scratch.path().display()), ""),
    }
}

#[test]
fn no_file_at_all() {
    let error = load(&Inputs::default()).expect_err("nothing to load");
    assert!(matches!(error, FrontError::NoInput));
}

#[test]
fn files_that_cannot_be_read() {
    let scratch = Scratch::new();
    for name in ["missing.c", "missing.bc", "missing.ll"] {
        let file = scratch.path().join(name);
        let error = checked(&inputs(&[&file], &[])).expect_err(name).to_string();
        assert!(error.starts_with("cannot read ") && error.ends_with("there is no such file"));
    }
    let directory = scratch.path().join("directory.c");
    std::fs::create_dir(&directory).expect("a directory");
    let error = checked(&inputs(&[&directory], &[])).expect_err("a directory").to_string();
    assert!(error.ends_with("directory.c: it is a directory"), "{error}");
}

#[test]
fn kinds_we_do_not_know() {
    let why = "this is none of .c, .cpp, .ll, .bc, and no machine code either";
    assert_eq!(error("a.txt", b"hello"), format!("a.txt: {why}"));
    assert_eq!(error("noend", b"hello"), format!("noend: {why}"));
}

#[test]
fn empty_files() {
    assert_eq!(error("e.c", b""), "the program has no function main");
    assert_eq!(error("e.bc", b""), "e.bc: LLVM 22 does not accept this file: it is empty");
    assert_eq!(error("e.ll", b""), "e.ll: LLVM 22 does not accept this file: it is empty");
}

#[test]
fn compiler_errors_are_clangs_own() {
    let text = error("a.c", b"int main(void) { return nothing; }\n");
    assert!(text.contains("a.c:1:25: error: use of undeclared identifier 'nothing'"), "{text}");
    assert!(text.contains("    1 | int main(void) { return nothing; }"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours: {text}");
    let text = error("b.c", b"\x00\x01\xff binary");
    assert!(text.contains("error: "), "{text}");
}

#[test]
fn modules_that_are_none() {
    let message = error("a.bc", b"this is text");
    assert_eq!(message, "a.bc: LLVM 22 does not accept this file: it is not bitcode");
    let message = error("a.ll", b"define i32 @main() { ret i32 %x }");
    assert!(message.ends_with("use of undefined value '%x'"), "{message}");
    let message = error("b.ll", b"define i32 @main() { ret i64 0 }");
    assert!(message.contains("value doesn't match function result type 'i32'"), "{message}");
    // Well-formed, but against the verifier's rules.
    let message = error("c.ll", b"define i32 @main() {\nbr label %y\nx:\nret i32 0\ny:\n%p = phi i32 [ 0, %x ]\nret i32 %p\n}");
    assert!(message.contains("c.ll: LLVM 22 does not accept"), "{message}");
    assert!(message.contains("PHI node entries do not match predecessors"), "{message}");
}

/// Newer bitcode has another epoch, and says who wrote it.
#[test]
fn bitcode_of_another_version() {
    let scratch = Scratch::new();
    let source = scratch.write("m.c", "int main(void) { return 0; }");
    let bitcode = scratch.path().join("m.bc");
    let status = Command::new("clang-22")
        .args(["-c", "-emit-llvm", "-o"])
        .args([&bitcode, &source])
        .status()
        .expect("clang");
    assert!(status.success());
    let mut bytes = std::fs::read(&bitcode).expect("bitcode");
    checked(&inputs(&[&bitcode], &[])).expect("good bitcode is accepted");
    // The epoch is in the identification block at the start, behind the name
    // of the producer. Find a bit that changes it.
    let message = (200..230).find_map(|bit| {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let file = scratch.write("other.bc", &bytes);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let error = checked(&inputs(&[&file], &[])).err()?.to_string();
        error.to_lowercase().contains("epoch").then_some(error)
    });
    let message = message.expect("the epoch is in the first bytes");
    assert!(message.contains("other.bc: LLVM 22 does not accept this file"), "{message}");
}

#[test]
fn modules_for_another_machine() {
    let arm = "target triple = \"aarch64-unknown-linux-gnu\"\ndefine i32 @main() { ret i32 0 }";
    let message = error("arm.ll", arm.as_bytes());
    assert!(message.starts_with("arm.ll: compiled for aarch64-unknown-linux-gnu;"), "{message}");
    let small = "target datalayout = \"e-p:32:32\"\ndefine i32 @main() { ret i32 0 }";
    let message = error("small.ll", small.as_bytes());
    assert!(message.contains("only x86-64 with 64-bit pointers"), "{message}");
}

#[test]
fn programs_without_main() {
    assert_eq!(error("a.c", b"int f(void) { return 0; }"), "the program has no function main");
    assert_eq!(error("b.c", b"int main(void);"), "the program has no function main");
}

#[test]
fn files_that_do_not_fit_together() {
    let scratch = Scratch::new();
    let a = scratch.write("a.c", "int twice = 1; int main(void) { return 0; }");
    let b = scratch.write("b.c", "int twice = 2;");
    let error = checked(&inputs(&[&a, &b], &[])).expect_err("two definitions").to_string();
    assert!(error.ends_with("b.c: cannot be linked: 'twice' is defined in more than one file"));
}

#[test]
fn objects_that_are_too_large() {
    let message = error("a.c", b"char big[3ul << 30]; int main(void) { return big[0]; }");
    assert!(message.starts_with("the global big has 3221225472 bytes"), "{message}");
}

#[test]
fn arguments_that_clang_does_not_know() {
    let scratch = Scratch::new();
    let file = scratch.write("a.c", "int main(void) { return 0; }");
    let error = checked(&inputs(&[&file], &["--no-such-option"])).expect_err("bad").to_string();
    assert!(error.contains("unknown argument"), "{error}");
    let error = checked(&inputs(&[&file], &["-fsyntax-only"])).expect_err("no output").to_string();
    assert!(error.contains("clang wrote no bitcode"), "{error}");
}
