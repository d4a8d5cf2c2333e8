//! One program under `exeunt check`, and the numbers of its report.

use std::process::Command;

use serde_json::Value;

use crate::Result;
use crate::options::Options;
use crate::process;

/// A file in `bench/programs` and the sizes it is compiled with.
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
}

impl Program {
    /// As it is shown: the name of the file and the sizes.
    pub fn name(&self) -> String {
        let sizes = self.sizes.iter().filter(|size| **size != "BROKEN");
        let sizes: Vec<String> = sizes.map(|size| size.to_lowercase()).collect();
        [self.file.to_string()].into_iter().chain(sizes).collect::<Vec<_>>().join(" ")
    }

    /// Checks the program with the given options.
    pub fn check(&self, options: &Options, arguments: &[&str]) -> Result<Checked> {
        let mut command = Command::new(&options.exeunt);
        command.args(["check", "--format", "json"]).args(arguments);
        command.arg(options.root.join("programs").join(self.file).with_extension("c"));
        command.arg("--").args(self.sizes.iter().map(|size| format!("-D{size}")));
        let finished = process::fastest(&mut command, options.repeat)?;
        let report = serde_json::from_slice(&finished.stdout)
            .map_err(|error| format!("{command:?} ended with {}: {error}", finished.code))?;
        Checked::read(&report, finished.seconds)
    }

    /// What compiling and start-up alone take: the same command, stopped at once.
    pub fn start_up(&self, options: &Options) -> Result<Checked> {
        self.check(options, &["--max-states", "1"])
    }

    /// Checks it and insists on the verdict.
    pub fn expect(&self, verdict: &str, options: &Options, arguments: &[&str]) -> Result<Checked> {
        let checked = self.check(options, arguments)?;
        if checked.verdict == verdict {
            Ok(checked)
        } else {
            let (name, found) = (self.name(), checked.verdict);
            Err(format!("{name} {arguments:?}: the verdict is `{found}`, not `{verdict}`"))
        }
    }
}

impl Checked {
    fn read(report: &Value, seconds: f64) -> Result<Checked> {
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
