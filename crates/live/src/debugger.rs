//! A schedule under gdb: the program stops where it goes wrong, and going back is
//! running it again up to the step before.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use exeunt_model::Schedule;

use crate::Options;
use crate::atomics;
use crate::process::{RUNTIME, TUNABLES};
use crate::program::{Program, Refusal};

/// The commands that gdb gets.
const SCRIPT: &str = include_str!("debugger.py");

/// A folder that is removed in the end: gdb reads the runtime's symbols from a
/// file.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Folder> {
        let path = std::env::temp_dir().join(format!("exeunt-gdb-{}", std::process::id()));
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Folder(path))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> std::io::Result<PathBuf> {
        let path = self.0.join(name);
        fs::write(&path, bytes).map(|()| path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the program along a schedule under gdb. With commands these are done and
/// gdb leaves; without, it asks its user. Gives gdb's exit code.
pub fn debug(
    program: &Program,
    options: &Options,
    schedule: &Schedule,
    commands: &[String],
) -> Result<u8, Refusal> {
    let cannot = |why: std::io::Error| Refusal::new(format!("cannot prepare a run of gdb: {why}"));
    let folder = Folder::new().map_err(cannot)?;
    let runtime = folder.write("exeunt-live-runtime.so", RUNTIME).map_err(cannot)?;
    let script = folder.write("exeunt.py", SCRIPT.as_bytes()).map_err(cannot)?;
    let mut plan = plan(program, options, schedule)?;
    if atomics::are_steps(&plan) {
        let sites = folder.write("sites", program.sites().as_bytes()).map_err(cannot)?;
        plan.push_str(&format!(" sites={}", sites.display()));
    }
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-nx"]);
    if !commands.is_empty() {
        gdb.arg("-batch");
    }
    for (name, value) in environment(&runtime, &plan) {
        gdb.arg("-ex").arg(format!("set environment {name} {value}"));
    }
    gdb.args(["-ex", "set startup-with-shell off"]).arg("-x").arg(script);
    gdb.args(["-ex", "to-failure"]);
    for command in commands {
        gdb.arg("-ex").arg(command);
    }
    gdb.arg("--args").arg(&program.path).args(&program.arguments);
    let status = gdb.status().map_err(|why| {
        Refusal::new(format!("gdb cannot be run: {why}")).help("install it (Debian: gdb)")
    })?;
    Ok(status.code().unwrap_or(1) as u8)
}

fn environment(runtime: &Path, plan: &str) -> [(&'static str, String); 3] {
    [
        ("LD_PRELOAD", runtime.display().to_string()),
        ("EXEUNT_LIVE", plan.to_string()),
        ("GLIBC_TUNABLES", TUNABLES.to_string()),
    ]
}

/// The plan with everything that the program turns out to need.
fn plan(program: &Program, options: &Options, schedule: &Schedule) -> Result<String, Refusal> {
    let story = crate::story::tell(program, schedule, options)?;
    Ok(format!("{} debugged=1", story.plan))
}
