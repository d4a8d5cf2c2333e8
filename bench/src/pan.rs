//! SPIN's verifiers: generated, compiled, run, and the numbers they print.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::Result;
use crate::process;

/// A verifier that was compiled.
pub struct Pan {
    program: PathBuf,
    /// Seconds on the clock from the model to the program.
    pub built_in: f64,
}

/// What a run of a verifier printed.
#[derive(Clone, Debug)]
pub struct Run {
    pub states: f64,
    pub transitions: f64,
    /// Without the hash table.
    pub bytes_per_state: f64,
    /// Processor time, also in the system.
    pub cpu: f64,
}

impl Pan {
    /// `level` is gcc's: `-O2`. Without the reduction, also what else SPIN does
    /// to have fewer states is off, so that counts can be compared.
    pub fn build(
        folder: &Path,
        model: &Path,
        sizes: &[&str],
        level: &str,
        reduces: bool,
    ) -> Result<Pan> {
        let folder = folder.join(format!("{level}-{reduces}"));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{folder:?}: {error}"))?;
        let model = model.canonicalize().map_err(|error| format!("{model:?}: {error}"))?;
        let start = Instant::now();
        let mut spin = Command::new("spin");
        if !reduces {
            spin.args(["-o1", "-o2", "-o3"]);
        }
        spin.args(sizes.iter().map(|size| format!("-D{size}")));
        finish(spin.arg("-a").arg(model).current_dir(&folder))?;
        let mut gcc = Command::new("gcc");
        gcc.args([level, "-w", "-DSAFETY", "-DNOCLAIM", "-DNOFAIR", "-DMEMLIM=8000"]);
        if !reduces {
            gcc.arg("-DNOREDUCE");
        }
        finish(gcc.args(["-o", "pan", "pan.c"]).current_dir(&folder))?;
        Ok(Pan { program: folder.join("pan"), built_in: start.elapsed().as_secs_f64() })
    }

    pub fn run(&self) -> Result<Run> {
        let mut command = Command::new(&self.program);
        let done = process::run(command.args(["-n", "-m20000000", "-w22"]))?;
        let text = done.text();
        if !text.contains("errors: 0") || text.contains("max search depth") {
            return Err(format!("{command:?} did not search everything:\n{text}"));
        }
        let number = |label: &str| -> Result<f64> {
            let line = text.lines().find(|line| line.contains(label));
            let word = line.and_then(|line| line.split_whitespace().next());
            word.and_then(|word| word.parse().ok()).ok_or(format!("no `{label}` in:\n{text}"))
        };
        let states = number("states, stored")?;
        let memory = number("actual memory usage for states")
            .or_else(|_| number("equivalent memory usage for states"))?;
        Ok(Run {
            states,
            transitions: number("transitions (= stored+matched)")?,
            bytes_per_state: memory * 1e6 / states,
            cpu: done.seconds + done.system_seconds,
        })
    }
}

fn finish(command: &mut Command) -> Result<()> {
    let done = process::run(command)?;
    match done.code {
        0 => Ok(()),
        code => Err(format!("{command:?} ended with {code}:\n{}", done.text())),
    }
}
