//! The script `x` on machines where something is missing, made up by a `PATH`
//! that holds only what the test puts there.

#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

struct Machine {
    bin: TempDir,
}

impl Machine {
    /// A machine with a shell and the usual small programs.
    fn new() -> Self {
        let bin = tempfile::tempdir().expect("a directory");
        for name in
            ["bash", "env", "dirname", "cat", "mktemp", "rm", "sleep", "grep", "tail", "cut"]
        {
            symlink(find(name), bin.path().join(name)).expect(name);
        }
        let machine = Machine { bin };
        machine.program("id", "echo 1000");
        machine
    }

    /// Adds a program that is a script.
    fn program(&self, name: &str, script: &str) {
        let path = self.bin.path().join(name);
        std::fs::write(&path, format!("#!{}\n{script}\n", find("bash").display())).expect(name);
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect(name);
    }

    /// Adds everything that is needed for building.
    fn tools(&self) {
        self.program("cc", "true");
        self.program("clang-22", "true");
        self.program("pkg-config", "true");
        let llvm = self.bin.path().join("llvm");
        std::fs::create_dir_all(llvm.join("include/llvm-c")).expect("a directory");
        std::fs::create_dir_all(llvm.join("lib")).expect("a directory");
        std::fs::write(llvm.join("include/llvm-c/Core.h"), "").expect("a file");
        std::fs::write(llvm.join("lib/libLLVM-22.so"), "").expect("a file");
        let llvm = llvm.display();
        let script = format!(
            "case $1 in --prefix) echo {llvm};; --includedir) echo {llvm}/include;; *) echo {llvm}/lib;; esac"
        );
        self.program("llvm-config-22", &script);
    }

    /// Adds a cargo whose build makes a binary that says its arguments.
    fn cargo(&self) {
        self.program("exeunt", "echo \"exeunt $*\"; echo \"prefix $LLVM_SYS_221_PREFIX\"; exit 3");
        let binary = self.bin.path().join("exeunt");
        let script = format!("echo '{{\"executable\":\"{}\"}}'", binary.display());
        self.program("cargo", &script);
    }

    fn x(&self, words: &[&str]) -> Output {
        let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../x"));
        command.env_clear().env("PATH", self.bin.path()).args(words);
        command.output().expect("x runs")
    }
}

fn find(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").expect("a PATH");
    let found =
        std::env::split_paths(&path).map(|place| place.join(name)).find(|file| file.is_file());
    found.unwrap_or_else(|| panic!("{name} is not on this machine"))
}

fn says(output: &Output, code: i32, parts: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{text}");
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn without_arguments_it_explains_itself() {
    says(&Machine::new().x(&[]), 0, &["./x check FILE", "./x test"]);
}

#[test]
fn without_rust_it_says_where_to_get_it() {
    says(&Machine::new().x(&["check", "a.c"]), 2, &["cargo was not found", "rustup"]);
}

#[test]
fn without_a_package_manager_it_names_the_packages() {
    let machine = Machine::new();
    machine.cargo();
    says(
        &machine.x(&["check", "a.c"]),
        2,
        &["no apt-get", "clang-22", "llvm-22-dev", "apt.llvm.org"],
    );
}

#[test]
fn without_rights_it_names_the_packages() {
    let machine = Machine::new();
    machine.cargo();
    machine.program("apt-get", "exit 1");
    says(&machine.x(&["check", "a.c"]), 2, &["no sudo", "clang-22"]);
}

#[test]
fn a_package_that_cannot_be_installed_is_named() {
    let machine = Machine::new();
    machine.cargo();
    machine.tools();
    std::fs::remove_file(machine.bin.path().join("clang-22")).expect("a file");
    machine.program("apt-cache", "exit 1");
    machine.program("apt-get", "[[ $1 == update ]]");
    machine.program("sudo", "exec \"$@\"");
    let output = machine.x(&["check", "a.c"]);
    says(&output, 2, &["installing clang-22", "could not install clang-22", "apt.llvm.org"]);
}

#[test]
fn what_is_missing_is_installed_with_sudo_and_only_that() {
    let machine = Machine::new();
    machine.cargo();
    machine.tools();
    std::fs::remove_file(machine.bin.path().join("clang-22")).expect("a file");
    machine.program("apt-cache", "exit 0");
    machine.program("apt-get", "echo \"apt-get $*\"");
    machine.program("sudo", "echo sudo >&2; exec \"$@\"");
    let output = machine.x(&["check", "a.c"]);
    says(
        &output,
        3,
        &["sudo", "apt-get install -y -qq --no-install-recommends clang-22", "exeunt check a.c"],
    );
    assert!(!String::from_utf8_lossy(&output.stderr).contains("llvm-22-dev"));
}

#[test]
fn with_everything_in_place_it_only_runs() {
    let machine = Machine::new();
    machine.cargo();
    machine.tools();
    machine.program("apt-get", "echo apt-get was called >&2");
    machine.program("sudo", "echo sudo was called >&2");
    let output = machine.x(&["check", "a b.c", "--races"]);
    says(&output, 3, &["exeunt check a b.c --races", "llvm\n"]);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_failing_build_is_shown() {
    let machine = Machine::new();
    machine.tools();
    let script = "[[ $1 != --version ]] || exit 0; echo 'error: it does not build' >&2; exit 101";
    machine.program("cargo", script);
    says(&machine.x(&["check", "a.c"]), 2, &["it does not build", "could not be built"]);
}
