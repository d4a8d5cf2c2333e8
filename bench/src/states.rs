//! How many states a second, and how many bytes each, under the reductions `tau`
//! (the default) and `global`.

use crate::Result;
use crate::check::{Checked, Program, START_UP};
use crate::options::Options;
use crate::table::{Table, progress, remark};

/// Constants, not measured here.
const DIVINE: &str = "For orientation, not measured here and on other programs: our issues quote \
for DIVINE about 470 states a second and 2 to 5 kB a state.";

const PROGRAMS: &[(&str, &[&str])] = &[
    ("philosophers", &["SEATS=3"]),
    ("philosophers", &["SEATS=4"]),
    ("philosophers", &["SEATS=5"]),
    ("philosophers", &["SEATS=6"]),
    ("buffer", &["PRODUCERS=2", "CONSUMERS=2", "ITEMS=5"]),
    ("peterson", &["ROUNDS=60"]),
    ("peterson_n", &["THREADS=3", "ROUNDS=4"]),
    ("ticket", &["THREADS=4", "ROUNDS=4"]),
    ("treiber", &["THREADS=4"]),
    ("readers_writers", &["READERS=4", "WRITERS=2"]),
    ("pool", &["WORKERS=3", "JOBS=3"]),
];

pub fn measure(options: &Options) -> Result<()> {
    let mut table = Table::new(&[
        "program",
        "reduction",
        "states",
        "transitions",
        "states/CPU s",
        "transitions/CPU s",
        "bytes/state",
    ]);
    for &(file, sizes) in PROGRAMS {
        let program = Program { file, sizes };
        if !options.wants_row(&program.name()) {
            continue;
        }
        progress(&program.name());
        let arguments = [START_UP, &["--reduction", "tau"], &["--reduction", "global"]];
        let [start_up, tau, global] = program.check(options, arguments)?;
        for (reduction, checked) in [("tau", tau), ("global", global)] {
            program.expect("holds", &checked)?;
            table.row(cells(&program, reduction, &checked, &start_up));
        }
    }
    table.print("States: the default check of correct programs", options);
    remark(DIVINE);
    Ok(())
}

fn cells(program: &Program, reduction: &str, checked: &Checked, start_up: &Checked) -> Vec<String> {
    let seconds = checked.search_seconds(start_up);
    // Too short to divide by.
    let per_second = |count: f64| match seconds {
        short if short < 0.05 => "-".to_string(),
        _ => format!("{:.0}", count / seconds),
    };
    vec![
        program.name(),
        reduction.to_string(),
        checked.states.to_string(),
        checked.transitions.to_string(),
        per_second(checked.states),
        per_second(checked.transitions),
        format!("{:.0}", checked.bytes_per_state),
    ]
}
