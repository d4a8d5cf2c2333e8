//! Running programs with a time limit, with their output in files so that
//! nobody blocks on a full pipe.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// No single run of the suite may take longer.
const LIMIT: Duration = Duration::from_secs(180);

pub(crate) struct Ran {
    /// `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    /// For messages.
    pub(crate) line: String,
}

impl Ran {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Everything about the run, for a failure message.
    pub(crate) fn story(&self) -> String {
        format!("$ {}\nexit code {:?}\n{}\n{}", self.line, self.code, self.text(), self.stderr)
    }
}

/// The binary under test.
pub(crate) fn exeunt() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.env("NO_COLOR", "1");
    command
}

/// Runs a command in a directory.
pub(crate) fn run(mut command: Command, directory: &Path) -> Result<Ran, String> {
    let scratch = Scratch::new()?;
    let (out, err) = (scratch.path("stdout"), scratch.path("stderr"));
    let create = |path: &Path| File::create(path).map_err(|why| why.to_string());
    command.current_dir(directory).stdin(Stdio::null()).stdout(create(&out)?).stderr(create(&err)?);
    let line = line(&command);
    let child = command.spawn().map_err(|why| format!("cannot run {line}: {why}"))?;
    let status = wait(child).map_err(|why| format!("{why}: {line}"))?;
    let stdout = std::fs::read(&out).map_err(|why| why.to_string())?;
    let stderr = std::fs::read(&err).map_err(|why| why.to_string())?;
    Ok(Ran {
        code: status.code(),
        stdout,
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
        line,
    })
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

fn wait(mut child: Child) -> Result<ExitStatus, String> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait().map_err(|why| why.to_string())? {
            Some(status) => return Ok(status),
            None if start.elapsed() > LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("not finished after {} s", LIMIT.as_secs()));
            }
            None => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// A directory for one run.
pub(crate) struct Scratch(tempfile::TempDir);

impl Scratch {
    pub(crate) fn new() -> Result<Self, String> {
        tempfile::tempdir().map(Scratch).map_err(|why| why.to_string())
    }

    pub(crate) fn directory(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}
