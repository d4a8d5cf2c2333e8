//! `exeunt cc --live` and `exeunt c++ --live`.

use std::path::Path;
use std::process::Command;

use crate::shop::{Shop, compiler, report, root, schedules, violation};

#[test]
fn programs_are_compiled_in_one_step_or_in_several() {
    let shop = Shop::new();
    let entry = root().join("tests/live/entry.c");
    for name in ["gcc", "clang-22"] {
        let late = shop.live("cc", name, &entry, &["-DLATE"]);
        let (property, line, _) = violation(&[], &late);
        assert_eq!((property.as_str(), line), ("assertion", 19), "{name}");
        let object = shop.directory.path().join("entry.o");
        let target = shop.directory.path().join(format!("linked-{name}"));
        let mut compile = compiler("cc", name);
        compile.args(["-O2", "-c"]).arg(&entry).arg("-o").arg(&object);
        assert!(compile.status().expect("it runs").success(), "{name}");
        let mut link = compiler("cc", name);
        link.arg("-pthread").arg(&object).arg("-o").arg(&target);
        assert!(link.status().expect("it runs").success(), "{name}");
        assert_eq!(schedules(&target), 14, "{name}");
    }
}

#[test]
fn the_header_is_found_without_a_path() {
    let shop = Shop::new();
    let source = shop.directory.path().join("header.c");
    let text = "#include <assert.h>\n#include <exeunt.h>\n\
        int main(void) { assert(exeunt_choose(2) == 0); return 0; }\n";
    std::fs::write(&source, text).expect("written");
    for name in ["gcc", "clang-22"] {
        let program = shop.live("cc", name, &source, &[]);
        let (property, line, _) = violation(&[], &program);
        assert_eq!((property.as_str(), line), ("assertion", 3), "{name}");
    }
}

/// C++ with its own atomics, threads and static variables.
#[test]
fn cxx_is_instrumented() {
    let shop = Shop::new();
    let source = shop.directory.path().join("statics.cpp");
    let text = "#include <atomic>\n#include <cassert>\n#include <thread>\n\
        struct Box { int value = 7; };\n\
        static Box &box() { static Box one; return one; }\n\
        static std::atomic<int> n;\n\
        int main() {\n\
            std::thread t([] { assert(box().value == 7); n++; });\n\
            assert(box().value == 7);\n\
            n++;\n\
            t.join();\n\
            assert(n == 2);\n\
        }\n";
    std::fs::write(&source, text).expect("written");
    for name in ["g++", "clang++-22"] {
        let program = shop.live("c++", name, &source, &[]);
        let report = report(&["--races"], &program);
        assert_eq!(report["verdict"], "holds", "{name}: {report:#}");
        assert!(report["statistics"]["runs"].as_u64() > Some(1), "{name}: {report:#}");
    }
}

#[test]
fn wrong_uses_are_refused() {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
        command.args(arguments).output().expect("exeunt runs")
    };
    assert_eq!(run(&["cc", "nowhere.c"]).status.code(), Some(1), "as the compiler");
    assert_eq!(run(&["cc", "--live", "nowhere.c"]).status.code(), Some(1), "as the compiler");
    let missing = run(&["cc", "--live", "--compiler", "no-such-compiler", "x.c"]);
    assert_eq!(missing.status.code(), Some(2));
    let text = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(text.contains("cannot run the compiler no-such-compiler"), "{text}");
    let shop = Shop::new();
    let plain = shop.compile("embrace", &[]);
    let program: &Path = &plain;
    let refused = crate::shop::exeunt(&["--races"], program);
    assert_eq!(refused.status.code(), Some(2), "accesses are not seen");
}
