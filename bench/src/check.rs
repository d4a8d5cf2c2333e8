//! One program under `exeunt check`, and the numbers of its report.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::Result;
use crate::options::Options;
use crate::process;

/// What compiling and start-up alone take: the same command, stopped at once.
pub const START_UP: &[&str] = &["--max-states", "1"];

/// A file in `bench/programs`, or with its folder and ending one elsewhere in `bench`,
/// and the sizes it is compiled with; what begins with a dash goes to clang as it is.
#[derive(Clone, Copy)]
pub struct Program {
    pub file: &'static str,
    pub sizes: &'static [&'static str],
}

#[derive(Debug)]
pub struct Checked {
    pub verdict: String,
    pub states: f64,
    pub transitions: f64,
    pub bytes_per_state: f64,
    pub peak_bytes: f64,
    /// Processor time with compiling and start-up.
    pub seconds: f64,
    /// The same, also in the system.
    pub cpu: f64,
    /// The same by the clock.
    pub elapsed: f64,
}

impl Program {
    /// As it is shown: the name of the file and the sizes.
    pub fn name(&self) -> String {
        let sizes = self.sizes.iter().filter(|size| **size != "BROKEN");
        let sizes: Vec<String> = sizes.map(|size| size.to_lowercase()).collect();
        let file = self.file.rsplit('/').next().unwrap_or(self.file);
        [file.to_string()].into_iter().chain(sizes).collect::<Vec<_>>().join(" ")
    }

    /// Checks the program with each of the lists of arguments in turn, several times
    /// over, so that what disturbs the machine disturbs all of them. For each, the run
    /// that took the least time counts.
    pub fn check<const N: usize>(
        &self,
        options: &Options,
        arguments: [&[&str]; N],
    ) -> Result<[Checked; N]> {
        self.check_least(options, arguments, |checked| checked.seconds)
    }

    /// The same, but what counts is the time by the clock.
    pub fn check_by_the_clock<const N: usize>(
        &self,
        options: &Options,
        arguments: [&[&str]; N],
    ) -> Result<[Checked; N]> {
        self.check_least(options, arguments, |checked| checked.elapsed)
    }

    /// The same as `check`, but the program is compiled once, by `exeunt cc` or `exeunt c++`, and what they
    /// made is checked: a compiler that takes a second for headers would hide what a short search takes.
    pub fn check_compiled<const N: usize>(
        &self,
        options: &Options,
        arguments: [&[&str]; N],
    ) -> Result<[Checked; N]> {
        let folder = std::env::temp_dir().join(format!("exeunt-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
        let object = folder.join("program.o");
        let mut command = Command::new(&options.exeunt);
        let path = self.path(options);
        let is_c = path.extension().is_some_and(|end| end == "c");
        command.args([if is_c { "cc" } else { "c++" }, "-w", "-g", "-c"]).arg(&path);
        command.args(self.compiler_arguments()).arg("-o").arg(&object);
        let finished = process::run(&mut command)?;
        if finished.code != 0 {
            return Err(format!("{command:?} ended with {}", finished.code));
        }
        let compiled = |arguments: &[&str]| self.check_file(options, arguments, Some(&object));
        let checked = least(options, arguments, |checked| checked.seconds, compiled);
        let _ = std::fs::remove_dir_all(&folder);
        checked
    }

    fn check_least<const N: usize>(
        &self,
        options: &Options,
        arguments: [&[&str]; N],
        time: impl Fn(&Checked) -> f64,
    ) -> Result<[Checked; N]> {
        least(options, arguments, time, |arguments| self.check_once(options, arguments))
    }

    fn path(&self, options: &Options) -> PathBuf {
        match self.file.contains('/') {
            true => options.root.join(self.file),
            false => options.root.join("programs").join(self.file).with_extension("c"),
        }
    }

    fn compiler_arguments(&self) -> impl Iterator<Item = String> {
        self.sizes.iter().map(|size| match size.strip_prefix('-') {
            Some(_) => size.to_string(),
            None => format!("-D{size}"),
        })
    }

    /// One run.
    pub fn check_once(&self, options: &Options, arguments: &[&str]) -> Result<Checked> {
        self.check_file(options, arguments, None)
    }

    /// One run, of the source or of what was compiled.
    fn check_file(
        &self,
        options: &Options,
        arguments: &[&str],
        object: Option<&Path>,
    ) -> Result<Checked> {
        let mut command = Command::new(&options.exeunt);
        command.args(["check", "--format", "json"]).args(arguments);
        // Processor time is compared: one core, unless cores are what is measured.
        if !arguments.contains(&"--jobs") {
            command.args(["--jobs", "1"]);
        }
        match object {
            Some(object) => command.arg(object),
            None => command.arg(self.path(options)).arg("--").args(self.compiler_arguments()),
        };
        let start = Instant::now();
        let finished = process::run(&mut command)?;
        let elapsed = start.elapsed().as_secs_f64();
        let report = serde_json::from_slice(&finished.stdout)
            .map_err(|error| format!("{command:?} ended with {}: {error}", finished.code))?;
        let cpu = finished.seconds + finished.system_seconds;
        Checked::read(&report, finished.seconds, cpu, elapsed)
    }

    /// Insists on a verdict.
    pub fn expect(&self, verdict: &str, checked: &Checked) -> Result<()> {
        if checked.verdict == verdict {
            return Ok(());
        }
        Err(format!("{}: the verdict is `{}`, not `{verdict}`", self.name(), checked.verdict))
    }
}

/// For each of the lists of arguments, the run that took the least time.
fn least<const N: usize>(
    options: &Options,
    arguments: [&[&str]; N],
    time: impl Fn(&Checked) -> f64,
    run: impl Fn(&[&str]) -> Result<Checked>,
) -> Result<[Checked; N]> {
    let mut best: [Option<Checked>; N] = std::array::from_fn(|_| None);
    for _ in 0..options.repeat {
        for (best, arguments) in best.iter_mut().zip(arguments) {
            let next = run(arguments)?;
            if best.as_ref().is_none_or(|best| time(&next) < time(best)) {
                *best = Some(next);
            }
        }
    }
    Ok(best.map(|checked| checked.expect("checked at least once")))
}

impl Checked {
    fn read(report: &Value, seconds: f64, cpu: f64, elapsed: f64) -> Result<Checked> {
        let verdict = report["verdict"].as_str().ok_or("a report without a verdict")?.to_string();
        let number = |name: &str| {
            report["statistics"][name].as_f64().ok_or(format!("a report without `{name}`"))
        };
        Ok(Checked {
            verdict,
            states: number("states")?,
            transitions: number("transitions")?,
            bytes_per_state: number("bytes_per_state")?,
            peak_bytes: number("peak_memory_bytes")?,
            seconds,
            cpu,
            elapsed,
        })
    }

    /// Processor time of the search itself; never less than a millisecond, below which
    /// nothing can be said.
    pub fn search_seconds(&self, start_up: &Checked) -> f64 {
        (self.seconds - start_up.seconds).max(0.001)
    }

    /// Memory of the search itself; never less than 64 KiB.
    pub fn search_bytes(&self, start_up: &Checked) -> f64 {
        (self.peak_bytes - start_up.peak_bytes).max(65536.0)
    }

    pub fn store_bytes(&self) -> f64 {
        self.bytes_per_state * self.states
    }
}
