//! Programs that are compiled for a test, and what `exeunt live` says of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A directory with compiled programs.
pub struct Shop {
    pub directory: TempDir,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Shop {
    pub fn new() -> Self {
        Shop { directory: tempfile::tempdir().expect("a directory") }
    }

    /// Compiles `tests/live/NAME.c` with these arguments.
    pub fn compile(&self, name: &str, arguments: &[&str]) -> PathBuf {
        let source = root().join("tests/live").join(format!("{name}.c"));
        self.compile_file(&source, arguments)
    }

    pub fn compile_file(&self, source: &Path, arguments: &[&str]) -> PathBuf {
        let stem = source.file_stem().expect("a name").to_string_lossy().into_owned();
        let target = self.directory.path().join(stem + &arguments.concat().replace('/', "_"));
        let status = Command::new("gcc")
            .args(["-g", "-pthread"])
            .args(arguments)
            .arg(source)
            .arg("-o")
            .arg(&target)
            .status();
        assert!(status.expect("gcc runs").success(), "{} does not compile", source.display());
        target
    }
}

impl Shop {
    /// Compiles so that every access to memory is a scheduling point, as the
    /// docs say it.
    pub fn instrument(&self, compiler: &str, source: &Path, arguments: &[&str]) -> PathBuf {
        let object = self.directory.path().join("instrumented.o");
        let name = format!("instrumented-{compiler}{}", arguments.concat());
        let target = self.directory.path().join(name);
        let run = |command: &mut Command| {
            let status = command.status().expect("a tool of the compiler runs");
            assert!(status.success(), "{command:?}");
        };
        let mut compile = Command::new(compiler);
        compile.args(["-g", "-pthread", "-fsanitize=thread", "-c"]).args(arguments);
        run(compile.arg(source).arg("-o").arg(&object));
        let weak = "--weaken-symbol=__tsan_*";
        run(Command::new("objcopy").args(["--wildcard", weak]).arg(&object));
        run(Command::new("gcc").arg("-pthread").arg(&object).arg("-o").arg(&target));
        target
    }
}

impl Shop {
    /// Compiles `tests/live/NAME.rs`.
    pub fn rust(&self, name: &str, arguments: &[&str]) -> PathBuf {
        let target = self.directory.path().join(format!("{name}{}", arguments.concat()));
        let source = root().join("tests/live").join(format!("{name}.rs"));
        let status =
            Command::new("rustc").args(arguments).arg(source).arg("-o").arg(&target).status();
        assert!(status.expect("rustc runs").success(), "{name}.rs does not compile");
        target
    }
}

pub fn exeunt(arguments: &[&str], program: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .arg("live")
        .args(arguments)
        .arg(program)
        .output()
        .expect("exeunt runs")
}

/// The report as JSON, after the exit code was compared with the verdict.
pub fn report(arguments: &[&str], program: &Path) -> Value {
    let output = exeunt(&[&["--format", "json"], arguments].concat(), program);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let report: Value = serde_json::from_str(&text)
        .unwrap_or_else(|why| panic!("{why}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    let code = match report["verdict"].as_str() {
        Some("holds") => 0,
        Some("violated") => 1,
        _ => 3,
    };
    assert_eq!(output.status.code(), Some(code), "{text}");
    report
}

/// The number of schedules of a program that holds.
pub fn schedules(program: &Path) -> u64 {
    let report = report(&[], program);
    assert_eq!(report["verdict"], "holds", "{report:#}");
    assert_eq!(report["statistics"]["revisits"], 0, "schedules were begun in vain");
    report["statistics"]["runs"].as_u64().expect("a number")
}

/// The first violation: its property, line and schedule.
pub fn violation(arguments: &[&str], program: &Path) -> (String, u64, String) {
    let report = report(arguments, program);
    assert_eq!(report["verdict"], "violated", "{report:#}");
    let first = &report["violations"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let line = first["location"]["line"].as_u64().unwrap_or(0);
    (text(&first["property"]), line, text(&first["schedule"]))
}

/// `exeunt cc --live` with a compiler.
pub fn compiler(command: &str, name: &str) -> Command {
    let mut compile = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    compile.args([command, "--live", "--compiler", name]);
    compile
}

impl Shop {
    /// Compiles by `exeunt cc --live` or `exeunt c++ --live`.
    pub fn live(&self, command: &str, name: &str, source: &Path, arguments: &[&str]) -> PathBuf {
        let target = format!("live-{name}{}", arguments.concat().replace('/', "_"));
        let target = self.directory.path().join(target);
        let mut compile = compiler(command, name);
        compile.arg("-pthread").args(arguments).arg(source).arg("-o").arg(&target);
        assert!(compile.status().expect("exeunt runs").success(), "{compile:?}");
        target
    }
}
