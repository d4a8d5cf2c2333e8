//! What a compiler is asked by build systems, and what keeps bitcode.

use super::{Build, text};

const COUNT: &str = "#include \"count.h\"
#include <mutex>
static std::mutex m;
static int total;
void add(int n) {
    std::lock_guard<std::mutex> lock(m);
    total += n;
}
int sum() { return total; }
";
const HEADER: &str = "void add(int n);\nint sum();\n";
const MAIN: &str = "#include \"count.h\"
#include <cassert>
#include <thread>
int main() {
    std::thread other([] { add(1); });
    add(STEP);
    other.join();
    assert(sum() == 3);
}
";

fn counting() -> Build {
    Build::new(&[("count.h", HEADER), ("count.cpp", COUNT), ("main.cpp", MAIN)])
}

#[test]
fn programs_archives_and_libraries_are_checked() {
    let build = counting();
    build.build(
        "$CXX -O2 -fPIC -c count.cpp -o count.o && $CXX -DSTEP=2 -c main.cpp && ar rcs libcount.a count.o \
         && $CXX main.o -L. -lcount -o static && ./static \
         && ld -r main.o count.o -o both.o && $CXX both.o -o joined \
         && $CXX -shared count.o -o libcount.so -Wl,-soname,libcount.so \
         && $CXX main.o ./libcount.so -Wl,-rpath,'$ORIGIN' -o dynamic && ./dynamic \
         && strip static && $CXX -DSTEP=2 -Wl,--gc-sections main.cpp count.cpp -o whole && ./whole",
    );
    for files in [
        &["static"][..],
        &["joined"],
        &["dynamic"],
        &["whole"],
        &["main.o", "count.o"],
        &["main.o", "libcount.a"],
        &["main.cpp", "libcount.a", "-DSTEP=2"],
        &["main.o", "libcount.so"],
    ] {
        build.expect(0, files);
    }
    // The same objects with another client.
    let found = build.expect(1, &["main.cpp", "libcount.a", "-DSTEP=3", "--save", "found.trace"]);
    assert!(found.contains("main.cpp:8"), "{found}");
    let again = build.run("$CXX --version >/dev/null; ${CXX% c++} replay found.trace");
    assert_eq!(again.status.code(), Some(1), "{}", text(&again));
}

#[test]
fn what_has_no_bitcode_is_refused() {
    let build = counting();
    build.build(
        "g++ -c count.cpp && ar rcs libcount.a count.o && g++ -DSTEP=2 main.cpp count.o -o plain",
    );
    let plain = build.expect(2, &["plain"]);
    assert!(plain.contains("plain has no bitcode inside") && plain.contains("CXX="), "{plain}");
    build.expect(2, &["libcount.a", "main.cpp", "-DSTEP=2"]);
    build.expect(2, &["count.o"]);
    // One object of two is ours.
    build.build("$CXX -DSTEP=2 -c main.cpp && $CXX main.o count.o -o half && ./half");
    let half = build.expect(3, &["half"]);
    assert!(half.contains("`add`"), "{half}");
    build.build("$CXX -DSTEP=2 main.cpp count.cpp -o whole && llvm-strip-22 whole && ./whole");
    build.expect(2, &["whole"]);
    // Damaged on the way.
    build.build(
        "$CXX -DSTEP=2 -c main.cpp && objcopy -O binary --only-section=.exeunt \
         --set-section-flags .exeunt=alloc main.o section && printf X | dd of=section bs=1 seek=99 \
         conv=notrunc 2>/dev/null && objcopy --update-section .exeunt=section main.o",
    );
    let damaged = build.expect(2, &["main.o"]);
    assert!(damaged.contains("damaged"), "{damaged}");
}

#[test]
fn a_source_that_only_gcc_takes_is_told() {
    let nested = "int main(void) { int f(void) { return 0; } return f(); }\n";
    let build = Build::new(&[("nested.c", nested)]);
    build.build("$CC nested.c -o nested && ./nested");
    let refused = build.expect(2, &["nested"]);
    assert!(refused.contains("nested.c"), "{refused}");
    build.write("plain.c", "int main(void) { return 0; }\n");
    build.build("$CC plain.c -Wl,--wrap=malloc -o wrapped");
    let refused = build.expect(2, &["wrapped"]);
    assert!(refused.contains("--wrap=malloc"), "{refused}");
}

#[test]
fn questions_of_build_systems_are_answered() {
    let build = counting();
    build.write("start.s", ".globl start\nstart: ret\n.section .note.GNU-stack,\"\",@progbits\n");
    build.write("words", "-DSTEP=2 -c 'main.cpp' -o from_file.o\n");
    let same = build.build(
        "c++ --version > a; $CXX --version > b; cmp a b; c++ -E -DSTEP=2 main.cpp > a; \
         $CXX -E -DSTEP=2 main.cpp > b; cmp a b; c++ -MM -DSTEP=2 main.cpp > a; $CXX -MM -DSTEP=2 main.cpp > b; cmp a b; \
         $CXX -dumpmachine >/dev/null; $CXX -print-search-dirs > /dev/null; $CXX -v 2>/dev/null; \
         $CXX -S -DSTEP=2 main.cpp -o main.s; $CXX -c main.s -o main.o; $CC -c start.s; \
         $CXX -MD -MF count.d -c count.cpp; grep -q count.h count.d; echo 'int x;' | $CC -x c -c - -o x.o; \
         $CXX @words; $CC -x c++ -c count.cpp -o count2.o",
    );
    assert!(same.is_empty(), "{same}");
    build.expect(0, &["from_file.o", "count2.o"]);
    // A failure is the compiler's own, told once.
    build.write("bad.c", "int main(void) { return oops; }\n");
    let (native, ours) = (build.run("cc -c bad.c"), build.run("$CC -c bad.c"));
    assert_eq!(native.status.code(), ours.status.code());
    assert_eq!(text(&native), text(&ours));
    assert!(!build.file("bad.o").exists());
}

#[test]
fn a_function_takes_the_place_of_main() {
    let source = "#include <assert.h>
#include <pthread.h>
static int x;
static void *worker(void *unused) { (void)unused; x++; return 0; }
static void racing(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x++;
    pthread_join(t, 0);
    assert(x == 2);
}
int fails(void) { return 3; }
void fine(void) { x = 2; }
void takes(int n) { x = n; }
int main(void) { racing(); }
";
    let build = Build::new(&[("tests.c", source)]);
    let racing = build.expect(1, &["tests.c", "--entry", "racing", "--save", "t"]);
    assert!(racing.contains("tests.c:10"), "{racing}");
    let again = build.run("${CC% cc} replay t");
    assert_eq!(again.status.code(), Some(1), "{}", text(&again));
    build.expect(0, &["tests.c", "--entry", "fine"]);
    build.expect(1, &["tests.c", "--entry", "fails", "--exit-code"]);
    for (entry, why) in [("takes", "parameters"), ("gone", "no such function")] {
        let said = build.expect(2, &["tests.c", "--entry", entry]);
        assert!(said.contains(why), "{said}");
    }
    // Of an archive, and in a namespace.
    build.write("lib.cpp", "#include <cassert>\nnamespace bank { void test() { assert(0); } }\n");
    build.build("$CXX -c lib.cpp && ar rcs lib.a lib.o");
    build.expect(1, &["lib.a", "--entry", "bank::test"]);
}
