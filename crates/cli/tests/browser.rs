//! HTML reports in a real browser: they can be stepped through, need no network, do
//! nothing that the checked program says, and pass an accessibility check.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn report(command: &str, file: &Path, page: &Path, more: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .arg(command)
        .arg(file)
        .args(more)
        .args(["--format", "html", "-o"])
        .arg(page)
        .current_dir(root())
        .output()
        .expect("exeunt runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    let expected = i32::from(command != "prove");
    assert_eq!(output.status.code(), Some(expected), "{}: {errors}", file.display());
}

/// Names and messages that want to be more than text.
fn hostile() -> String {
    let long = "n".repeat(10_000);
    format!(
        "#include <assert.h>\nint {long};\nint main(void) {{\n\
         {long} = 1;\nassert({long} == 2 && \"<script>window.hacked = 1</script></pre><img src=x onerror=alert(1)>\u{202e}\u{2067}&amp;\");\n}}\n"
    )
}

const LONG: &str = "\
#include <assert.h>
#include <pthread.h>
static _Atomic int counter;
static void *count(void *unused) {
    for (int i = 0; i < 10100; i++)
        counter++;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    for (int i = 0; i < 10100; i++)
        counter--;
    pthread_join(t, 0);
    assert(counter != 0);
    return 0;
}
";

#[test]
fn reports_work_in_a_browser() {
    let modules = root().join("target/browser");
    assert!(
        modules.join("node_modules/playwright-core").is_dir(),
        "`./x test` installs what this test needs"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("<b>hostile.c"), hostile()).expect("it is written");
    std::fs::write(at("long.c"), LONG).expect("it is written");
    let examples = root().join("examples");
    let cases: [(&str, PathBuf, &[&str]); 8] = [
        ("deadlock", examples.join("11_partial_deadlock.c"), &[]),
        ("wakeup", examples.join("04_lost_wakeup.c"), &[]),
        ("livelock", examples.join("10_trylock.c"), &[]),
        ("model", root().join("tests/promela/models/philosophers.pml"), &[]),
        ("freed", examples.join("03_use_after_free.c"), &[]),
        ("cpp", examples.join("14_shutdown.cpp"), &[]),
        ("hostile", at("<b>hostile.c"), &[]),
        ("long", at("long.c"), &["--reduction", "tau", "--max-states", "1000000"]),
    ];
    let mut pages = Vec::new();
    for (kind, file, more) in cases {
        let page = at(&format!("{kind}.html"));
        report("check", &file, &page, more);
        pages.push(format!("{kind}={}", page.display()));
    }
    let native = at("native");
    let compiled = Command::new("gcc")
        .args(["-g", "-pthread", "examples/01_deadly_embrace.c", "-o"])
        .arg(&native)
        .current_dir(root())
        .status();
    assert!(compiled.expect("gcc runs").success());
    report("live", &native, &at("native.html"), &[]);
    pages.push(format!("native={}", at("native.html").display()));
    let thread = ["--thread", "t1", "--integers", "mathematical"];
    let proved = root().join("tests/prove-c/figure_2_t1.c");
    report("prove", &proved, &at("proof.html"), &thread);
    pages.push(format!("proof={}", at("proof.html").display()));
    let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];
    let browser = browser.iter().find(|path| Path::new(path).exists()).expect("a browser");
    let looked = Command::new("node")
        .arg(root().join("tests/browser/report.mjs"))
        .arg(browser)
        .arg(folder.path())
        .arg(root().join("tests/browser/views"))
        .args(pages)
        .current_dir(&modules)
        .output()
        .expect("node runs");
    let told = String::from_utf8_lossy(&looked.stdout);
    let errors = String::from_utf8_lossy(&looked.stderr);
    assert!(looked.status.success(), "{told}{errors}");
}
