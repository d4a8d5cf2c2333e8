//! Promela models beside SPIN's verifiers: with the reductions of both off, where
//! the same states are visited, and with those of both on.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Result;
use crate::check;
use crate::options::Options;
use crate::pan::{Pan, Run};
use crate::process;
use crate::table::{Table, progress, remark};

const MODELS: &[(&str, &[&str])] = &[
    ("bakery", &["N=3", "MAX=5"]),
    ("cache", &["N=5"]),
    ("elevator", &["FLOORS=6"]),
    ("exchange", &["N=2"]),
    ("leader", &["N=5"]),
    ("mobile", &["N=4"]),
    ("peterson", &["N=3"]),
    ("peterson", &["N=4"]),
    ("philosophers", &["N=6"]),
    ("pipeline", &["N=5", "ITEMS=3"]),
    ("pouring", &["N=5"]),
    ("readers", &["R=6", "WR=3"]),
    ("ring", &["N=6"]),
    ("salesman", &["N=9"]),
    ("sort", &["N=5", "RANGE=2"]),
    ("transfer", &["BLOCKS=10", "CAP=3"]),
    ("window", &["W=3", "LAST=16"]),
];

/// Seconds; what took less is not told apart.
const LEAST: f64 = 0.001;
/// A model is not measured again if it took longer than this.
const LONG: Duration = Duration::from_secs(12);

/// Everything that was measured of one model; of each run the quickest.
struct Measured {
    name: String,
    full: Side,
    reduced: Side,
    /// Seconds on the clock with one job and with two.
    clock: (f64, f64),
    /// Seconds on the clock until the first state.
    first: (f64, f64),
}

/// Ours, and SPIN's compiled with -O2 and -O3.
struct Side {
    ours: Run,
    o2: Run,
    o3: Run,
}

pub fn measure(options: &Options) -> Result<()> {
    let mut all = Vec::new();
    for (file, sizes) in MODELS {
        let small: Vec<String> = sizes.iter().map(|size| size.to_lowercase()).collect();
        let name = [&[file.to_string()], small.as_slice()].concat().join(" ");
        if options.wants_row(&name) {
            progress(&name);
            all.push(measure_one(options, file, sizes, name)?);
        }
    }
    print_full(&all, options);
    print_reduced(&all, options);
    Ok(())
}

fn measure_one(options: &Options, file: &str, sizes: &[&str], name: String) -> Result<Measured> {
    let model = options.root.join("models").join(format!("{file}.pml"));
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let pan = |level: &str, reduces: bool| Pan::build(folder.path(), &model, sizes, level, reduces);
    // The first is built alone: how long that takes is one of the figures.
    let mut pans = vec![pan("-O2", false)?];
    pans.extend(all_at_once([("-O3", false), ("-O2", true), ("-O3", true)], pan)?);
    let (full, reduced) = pans.split_at_mut(2);
    Pan::fit(full)?;
    Pan::fit(reduced)?;
    let ours = Ours { options, model: &model, sizes };
    // Like them, ours gets a table of the size that it turns out to need.
    let expected = |run: Run| format!("--expect-states={}", run.states.max(1.0));
    let in_full = expected(ours.run(&["--reduction", "none", "--jobs", "1"])?.0);
    let in_reduced = expected(ours.run(&[])?.0);
    let mut best: [Option<Run>; 6] = Default::default();
    let mut clock = (f64::INFINITY, f64::INFINITY);
    let (mut first, mut start_up) = (f64::INFINITY, f64::INFINITY);
    let start = Instant::now();
    for round in 0..options.repeat {
        if round > 0 && start.elapsed() > LONG {
            break;
        }
        let (full, one) = ours.run(&["--reduction", "none", "--jobs", "1", &in_full])?;
        let (_, two) = ours.run(&["--reduction", "none", "--jobs", "2", &in_full])?;
        let (reduced, _) = ours.run(&[&in_reduced])?;
        clock = (clock.0.min(one), clock.1.min(two));
        let (one, cpu) = ours.first_state()?;
        (first, start_up) = (first.min(one), start_up.min(cpu));
        let theirs: Result<Vec<Run>> = pans.iter().map(Pan::run).collect();
        let runs = [full, reduced].into_iter().chain(theirs?);
        for (best, next) in best.iter_mut().zip(runs) {
            if best.as_ref().is_none_or(|best| next.cpu < best.cpu) {
                *best = Some(next);
            }
        }
    }
    let [mut full, mut reduced, f2, f3, r2, r3] = best.map(|run| run.expect("run at least once"));
    // What the verifiers need for that, the compiler, is not counted either.
    for run in [&mut full, &mut reduced] {
        run.cpu = (run.cpu - start_up).max(LEAST);
    }
    if (full.states, full.transitions + 1.0) != (f2.states, f2.transitions) {
        return Err(format!("{name}: {full:?}, but SPIN has {f2:?}"));
    }
    let first = (first, pans[0].built_in);
    Ok(Measured {
        name,
        full: Side { ours: full, o2: f2, o3: f3 },
        reduced: Side { ours: reduced, o2: r2, o3: r3 },
        clock,
        first,
    })
}

fn all_at_once<T: Send, const N: usize>(
    wanted: [(&str, bool); N],
    make: impl Fn(&str, bool) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    std::thread::scope(|scope| {
        let make = &make;
        let hands = wanted.map(|(level, reduces)| scope.spawn(move || make(level, reduces)));
        hands.into_iter().map(|hand| hand.join().expect("no panic")).collect()
    })
}

/// Our runs of one model.
struct Ours<'o> {
    options: &'o Options,
    model: &'o PathBuf,
    sizes: &'o [&'o str],
}

impl Ours<'_> {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.options.exeunt);
        command.arg("check").arg(self.model).args(["--format", "json"]).args(arguments);
        command.arg("--").args(self.sizes.iter().map(|size| format!("-D{size}")));
        command
    }

    /// What was counted, and the seconds on the clock.
    fn run(&self, arguments: &[&str]) -> Result<(Run, f64)> {
        let mut command = self.command(arguments);
        let start = Instant::now();
        let done = process::run(&mut command)?;
        let clock = start.elapsed().as_secs_f64();
        let report: Value = serde_json::from_slice(&done.stdout)
            .map_err(|error| format!("{command:?}: {error}"))?;
        if report["verdict"] != "holds" {
            return Err(format!("{command:?}: {}", report["reason"]));
        }
        let number = |key: &str| report["statistics"][key].as_f64().unwrap_or(f64::NAN);
        let run = Run {
            states: number("states"),
            transitions: number("transitions"),
            bytes_per_state: number("bytes_per_state"),
            cpu: done.seconds + done.system_seconds,
        };
        Ok((run, clock))
    }

    /// Until a search has begun, and ended at once: seconds on the clock, and
    /// of processor time.
    fn first_state(&self) -> Result<(f64, f64)> {
        let start = Instant::now();
        let done = process::run(&mut self.command(check::START_UP))?;
        Ok((start.elapsed().as_secs_f64(), done.seconds + done.system_seconds))
    }
}

fn speed(run: &Run) -> f64 {
    run.transitions / run.cpu
}

fn print_full(all: &[Measured], options: &Options) {
    let mut table = Table::new(&[
        "model",
        "states",
        "transitions",
        "transitions/CPU s",
        "pan -O2",
        "pan -O3",
        "ours/-O2",
        "ours/-O3",
        "bytes/state",
        "pan's",
        "two jobs",
        "first state",
        "pan's",
    ]);
    for one in all {
        let Side { ours, o2, o3 } = &one.full;
        table.row(vec![
            one.name.clone(),
            ours.states.to_string(),
            ours.transitions.to_string(),
            format!("{:.0}", speed(ours)),
            format!("{:.0}", speed(o2)),
            format!("{:.0}", speed(o3)),
            format!("{:.2}", speed(ours) / speed(o2)),
            format!("{:.2}", speed(ours) / speed(o3)),
            format!("{:.1}", ours.bytes_per_state),
            format!("{:.1}", o2.bytes_per_state),
            format!("{:.2}", one.clock.0 / one.clock.1),
            format!("{:.0} ms", one.first.0 * 1e3),
            format!("{:.0} ms", one.first.1 * 1e3),
        ]);
    }
    table.print("Promela without reductions: `--reduction none` and `-DNOREDUCE`", options);
    let mean = |ratio: fn(&Measured) -> f64| geometric(all.iter().map(ratio));
    remark(&format!(
        "Geometric means: {:.2} times pan -O2, {:.2} times pan -O3; two jobs {:.2} times one; \
         {:.1} bytes a state against {:.1}.",
        mean(|one| speed(&one.full.ours) / speed(&one.full.o2)),
        mean(|one| speed(&one.full.ours) / speed(&one.full.o3)),
        mean(|one| one.clock.0 / one.clock.1),
        mean(|one| one.full.ours.bytes_per_state),
        mean(|one| one.full.o2.bytes_per_state),
    ));
}

fn print_reduced(all: &[Measured], options: &Options) {
    let mut table = Table::new(&[
        "model",
        "all states",
        "ours",
        "pan's",
        "ours/pan's",
        "transitions/CPU s",
        "pan -O2",
        "CPU s",
        "pan -O2",
        "pan -O3",
        "bytes/state",
    ]);
    for one in all {
        let Side { ours, o2, o3 } = &one.reduced;
        table.row(vec![
            one.name.clone(),
            one.full.ours.states.to_string(),
            ours.states.to_string(),
            o2.states.to_string(),
            format!("{:.2}", ours.states / o2.states),
            format!("{:.0}", speed(ours)),
            format!("{:.0}", speed(o2)),
            format!("{:.2}", ours.cpu),
            format!("{:.2}", o2.cpu),
            format!("{:.2}", o3.cpu),
            format!("{:.1}", ours.bytes_per_state),
        ]);
    }
    table.print("Promela with the reductions that each has by default, one job", options);
    let mean = |ratio: fn(&Measured) -> f64| geometric(all.iter().map(ratio));
    remark(&format!(
        "Geometric means: {:.2} times pan's states in {:.2} times its CPU time (-O2), with a \
         verifier that is already compiled.",
        mean(|one| one.reduced.ours.states / one.reduced.o2.states),
        mean(|one| one.reduced.ours.cpu / one.reduced.o2.cpu),
    ));
}

fn geometric(values: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = values.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp()
}
