//! SPIN's verifiers: generated, compiled, run, and the numbers they print.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::Result;
use crate::process;

/// A verifier that was compiled.
pub struct Pan {
    program: PathBuf,
    /// Room for the path, and for the hash table as a power of two.
    room: (u64, u32),
    /// Seconds on the clock from the model to the program.
    pub built_in: f64,
}

const MUCH_ROOM: (u64, u32) = (20_000_000, 22);
const SMALLEST_TABLE: u32 = 18;

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
        let built_in = start.elapsed().as_secs_f64();
        Ok(Pan { program: folder.join("pan"), room: MUCH_ROOM, built_in })
    }

    /// Gives the verifiers of one model what they need and no more: touching
    /// memory that is not needed would cost them time.
    pub fn fit(pans: &mut [Pan]) -> Result<()> {
        let Some(first) = pans.first() else { return Ok(()) };
        let (run, depth) = first.search()?;
        let table = (run.states as u64).next_power_of_two().ilog2();
        pans.iter_mut().for_each(|pan| pan.room = (depth + 100, table.max(SMALLEST_TABLE)));
        Ok(())
    }

    pub fn run(&self) -> Result<Run> {
        Ok(self.search()?.0)
    }

    /// What was counted, and how deep the search went.
    fn search(&self) -> Result<(Run, u64)> {
        let mut command = Command::new(&self.program);
        let (depth, table) = self.room;
        let room = [format!("-m{depth}"), format!("-w{table}")];
        let done = process::run(command.arg("-n").args(room))?;
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
        let run = Run {
            states,
            transitions: number("transitions (= stored+matched)")?,
            bytes_per_state: memory * 1e6 / states,
            cpu: done.seconds + done.system_seconds,
        };
        let depth = text.split("depth reached ").nth(1).and_then(|rest| rest.split(',').next());
        let depth = depth.and_then(|depth| depth.trim().parse().ok());
        Ok((run, depth.ok_or_else(|| format!("no `depth reached` in:\n{text}"))?))
    }
}

fn finish(command: &mut Command) -> Result<()> {
    let done = process::run(command)?;
    match done.code {
        0 => Ok(()),
        code => Err(format!("{command:?} ended with {code}:\n{}", done.text())),
    }
}
