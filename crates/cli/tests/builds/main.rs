//! Real builds: `exeunt cc` and `exeunt c++` stand in for the compiler of make, configure, CMake
//! and meson, and what comes out is checked. The projects are packages that `./x` installs.

mod compiler;
mod projects;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory with a build in it.
struct Build {
    directory: tempfile::TempDir,
}

fn exeunt_itself() -> &'static str {
    env!("CARGO_BIN_EXE_exeunt")
}

impl Build {
    fn new(files: &[(&str, &str)]) -> Build {
        let build = Build { directory: tempfile::tempdir().expect("a directory") };
        for (name, text) in files {
            build.write(name, text);
        }
        build
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.file(name);
        fs::create_dir_all(file.parent().expect("a directory")).expect("a directory");
        fs::write(file, text).expect("the file can be written");
    }

    /// Runs a shell command with us in place of the compilers.
    fn run(&self, line: &str) -> Output {
        let mut command = Command::new("sh");
        command.args(["-e", "-c", line]).current_dir(self.path());
        command.env("CC", format!("{} cc", exeunt_itself()));
        command.env("CXX", format!("{} c++", exeunt_itself()));
        command.env_remove("CFLAGS").env_remove("CXXFLAGS").env_remove("MAKEFLAGS");
        command.output().expect("sh runs")
    }

    /// The same; it must succeed.
    fn build(&self, line: &str) -> String {
        let output = self.run(line);
        assert!(output.status.success(), "{line}: {}", text(&output));
        text(&output)
    }

    fn check(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(exeunt_itself());
        command.arg("check").args(arguments).current_dir(self.path());
        command.output().expect("exeunt runs")
    }

    /// Checks, and insists on an exit code; what was said.
    fn expect(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.check(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output));
        text(&output)
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}
