//! C programs beside SPIN's verifiers of models of them, written at the grain of
//! our steps (`bench/spin`). Without reductions both must see the same states.

use std::time::Instant;

use crate::Result;
use crate::check::{Checked, Program, START_UP};
use crate::options::Options;
use crate::pan::{Pan, Run};
use crate::table::{Table, progress, remark};

const PROGRAMS: &[(&str, &[&str])] = &[
    ("peterson", &["ROUNDS=120"]),
    ("philosophers", &["SEATS=7"]),
    ("ticket", &["THREADS=4", "ROUNDS=6"]),
    ("buffer", &["ITEMS=12"]),
    ("semaphores", &["THREADS=5", "ROUNDS=4"]),
    ("readers_writers", &["READERS=4", "WRITERS=2", "ROUNDS=3"]),
    ("trylock", &["THREADS=4", "ROUNDS=5"]),
    ("treiber", &["THREADS=4"]),
];

/// States that the two may differ by: how a program starts and ends is told in
/// slightly different steps.
const SLACK: f64 = 200.0;

/// A search by supersteps that takes longer is not the quickest anyway.
const PATIENCE: &str = "10s";

/// Of each run the quickest.
struct Measured {
    program: Program,
    start_up: Checked,
    full: Checked,
    pan: Run,
    /// Seconds by the clock, from the sources to the answer.
    ours: f64,
    supersteps: Option<f64>,
    pan_built: f64,
    pan_answered: f64,
    reduced: Run,
}

pub fn measure(options: &Options) -> Result<()> {
    let mut all = Vec::new();
    for &(file, sizes) in PROGRAMS {
        let program = Program { file, sizes };
        if options.wants_row(&program.name()) {
            progress(&program.name());
            all.push(measure_one(options, program)?);
        }
    }
    print_speed(&all, options);
    print_answers(&all, options);
    Ok(())
}

fn measure_one(options: &Options, program: Program) -> Result<Measured> {
    let model = options.root.join("spin").join(program.file).with_extension("pml");
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let build = |reduces| Pan::build(folder.path(), &model, program.sizes, "-O3", reduces);
    let (plain, reducing) = (build(false)?, build(true)?);
    let jobs = std::thread::available_parallelism().map_or(1, |cores| cores.get()).to_string();
    // Once: it is the one that may take long.
    let way = ["--reduction", "superstep", "--jobs", &jobs, "--time", PATIENCE];
    let supersteps = program.check_once(options, &way)?;
    let supersteps = (supersteps.verdict == "holds").then_some(supersteps.elapsed);
    let mut best: Option<Measured> = None;
    for _ in 0..options.repeat {
        let start_up = program.check_once(options, START_UP)?;
        let full = program.check_once(options, &["--reduction", "tau"])?;
        let pan = plain.run()?;
        let ours = program.check_once(options, &["--jobs", &jobs])?;
        let start = Instant::now();
        let reduced = reducing.run()?;
        let answered = start.elapsed().as_secs_f64();
        program.expect("holds", &full)?;
        program.expect("holds", &ours)?;
        same_states(&program, &full, &pan)?;
        let next = Measured {
            program,
            start_up,
            full,
            pan,
            ours: ours.elapsed,
            supersteps,
            pan_built: reducing.built_in,
            pan_answered: answered,
            reduced,
        };
        best = Some(match best {
            None => next,
            Some(best) => best.quicker(next),
        });
    }
    Ok(best.expect("run at least once"))
}

/// What makes the comparison one: no reduction on either side, and the same states.
fn same_states(program: &Program, full: &Checked, pan: &Run) -> Result<()> {
    let apart = (full.states - pan.states).abs().max((full.transitions - pan.transitions).abs());
    match apart <= SLACK {
        true => Ok(()),
        false => Err(format!("{}: {full:?}, but SPIN has {pan:?}", program.name())),
    }
}

impl Measured {
    /// Of each figure the better one.
    fn quicker(self, other: Measured) -> Measured {
        let checked = |a: Checked, b: Checked| if b.cpu < a.cpu { b } else { a };
        let run = |a: Run, b: Run| if b.cpu < a.cpu { b } else { a };
        Measured {
            program: self.program,
            start_up: checked(self.start_up, other.start_up),
            full: checked(self.full, other.full),
            pan: run(self.pan, other.pan),
            ours: self.ours.min(other.ours),
            supersteps: self.supersteps,
            pan_built: self.pan_built,
            pan_answered: self.pan_answered.min(other.pan_answered),
            reduced: run(self.reduced, other.reduced),
        }
    }

    fn speed(&self) -> f64 {
        self.full.states / (self.full.cpu - self.start_up.cpu).max(0.001)
    }

    fn pan_speed(&self) -> f64 {
        self.pan.states / self.pan.cpu
    }

    /// Our time to the answer, by the quickest reduction that may be trusted.
    fn answered(&self) -> f64 {
        self.supersteps.map_or(self.ours, |supersteps| supersteps.min(self.ours))
    }
}

fn print_speed(all: &[Measured], options: &Options) {
    let mut table = Table::new(&[
        "program",
        "states",
        "pan's",
        "transitions",
        "states/CPU s",
        "pan -O3",
        "ours/pan's",
        "bytes/state",
        "pan's",
    ]);
    for one in all {
        table.row(vec![
            one.program.name(),
            one.full.states.to_string(),
            one.pan.states.to_string(),
            one.full.transitions.to_string(),
            format!("{:.0}", one.speed()),
            format!("{:.0}", one.pan_speed()),
            format!("{:.2}", one.speed() / one.pan_speed()),
            format!("{:.1}", one.full.bytes_per_state),
            format!("{:.1}", one.pan.bytes_per_state),
        ]);
    }
    table.print("C programs beside SPIN, without reductions, on one core", options);
    let reached = all.iter().filter(|one| one.speed() >= one.pan_speed() / 2.0).count();
    remark(&format!("At least half of pan's states a second: {reached} of {}.", all.len()));
}

fn print_answers(all: &[Measured], options: &Options) {
    let mut table = Table::new(&[
        "program",
        "exeunt, s",
        "superstep, s",
        "pan: compiling, s",
        "pan: searching, s",
        "pan's states",
        "sooner",
    ]);
    for one in all {
        table.row(vec![
            one.program.name(),
            format!("{:.2}", one.ours),
            one.supersteps.map_or("-".to_string(), |seconds| format!("{seconds:.2}")),
            format!("{:.2}", one.pan_built),
            format!("{:.2}", one.pan_answered),
            one.reduced.states.to_string(),
            format!("{:.1}x", (one.pan_built + one.pan_answered) / one.answered()),
        ]);
    }
    table.print("C programs beside SPIN: from the sources to the answer, by the clock", options);
    let sooner = all.iter().filter(|one| one.answered() < one.pan_built + one.pan_answered);
    remark(&format!(
        "All cores and reductions on both sides; a dash: supersteps gave no verdict of their own. \
         Sooner than SPIN: {} of {}.",
        sooner.count(),
        all.len()
    ));
}
