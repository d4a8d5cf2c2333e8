//! What a second core gives: a check with `--reduction tau`, which leaves many states,
//! with one job and with two, by the clock,
//! because processor time would not show it.

use crate::Result;
use crate::check::{Program, START_UP};
use crate::options::Options;
use crate::table::{Table, progress, remark};

const PROGRAMS: &[(&str, &[&str])] = &[
    ("philosophers", &["SEATS=8"]),
    ("ticket", &["THREADS=4", "ROUNDS=7"]),
    ("semaphores", &["THREADS=5", "ROUNDS=5"]),
    ("trylock", &["THREADS=4", "ROUNDS=6"]),
    ("lottery", &["THREADS=4", "ROUNDS=3", "KINDS=3"]),
];

pub fn measure(options: &Options) -> Result<()> {
    let mut table =
        Table::new(&["program", "states", "one job, s", "two jobs, s", "faster", "CPU"]);
    for &(file, sizes) in PROGRAMS {
        let program = Program { file, sizes };
        if !options.wants_row(&program.name()) {
            continue;
        }
        progress(&program.name());
        let [one, two] = ["1", "2"].map(|jobs| ["--reduction", "tau", "--jobs", jobs]);
        let arguments = [START_UP, &one, &two];
        let [start_up, one, two] = program.check_by_the_clock(options, arguments)?;
        program.expect("holds", &one)?;
        program.expect("holds", &two)?;
        if one.states != two.states {
            return Err(format!("{}: the numbers of states differ", program.name()));
        }
        let by_clock = |elapsed: f64| (elapsed - start_up.elapsed).max(0.001);
        table.row(vec![
            program.name(),
            one.states.to_string(),
            format!("{:.2}", by_clock(one.elapsed)),
            format!("{:.2}", by_clock(two.elapsed)),
            format!("{:.2}x", by_clock(one.elapsed) / by_clock(two.elapsed)),
            format!("{:.2}x", two.search_seconds(&start_up) / one.search_seconds(&start_up)),
        ]);
    }
    table.print("Cores: one job and two, with --reduction tau", options);
    remark("Times are by the clock: run it on a machine that does nothing else.");
    Ok(())
}
