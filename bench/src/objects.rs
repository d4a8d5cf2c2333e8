//! Large and many objects: what the same few writes cost in a small table and in one of a mebibyte,
//! behind a short list and a long one, on a shallow stack and a deep one.

use crate::Result;
use crate::check::{Program, START_UP};
use crate::options::Options;
use crate::table::{Table, progress, remark};

/// A program, with its small and its large size.
const PAIRS: &[(&str, &[&str], &[&str])] = &[
    ("objects/table.c", &["CELLS=16"], &["CELLS=262144"]),
    ("objects/heap.c", &["CELLS=16"], &["CELLS=262144"]),
    ("objects/list.c", &["NODES=8"], &["NODES=1000"]),
    ("objects/stack.c", &["DEPTH=2"], &["DEPTH=400"]),
];

/// Enough states to measure, the same for both sizes.
const ALL: &[&str] = &["--reduction", "tau", "--time", "60s"];
const GOAL: f64 = 2.0;

pub fn measure(options: &Options) -> Result<()> {
    let mut table = Table::new(&[
        "program",
        "states",
        "states/CPU s, small",
        "large",
        "slower",
        "bytes/state, small",
        "large",
        "more",
    ]);
    let mut missed = Vec::new();
    for &(file, small, large) in PAIRS {
        let [small, large] = [small, large].map(|sizes| Program { file, sizes });
        if !options.wants_row(&small.name()) {
            continue;
        }
        progress(&large.name());
        let of = |program: &Program| -> Result<(f64, f64, f64)> {
            let [start_up, checked] = program.check(options, [START_UP, ALL])?;
            let speed = checked.states / checked.search_seconds(&start_up);
            Ok((checked.states, speed, checked.bytes_per_state))
        };
        let (few, many) = (of(&small)?, of(&large)?);
        let (slower, more) = (few.1 / many.1, many.2 / few.2);
        if slower > GOAL || more > GOAL {
            missed.push(large.name());
        }
        table.row(vec![
            large.name(),
            many.0.to_string(),
            format!("{:.0}", few.1),
            format!("{:.0}", many.1),
            format!("{slower:.2}x"),
            format!("{:.1}", few.2),
            format!("{:.1}", many.2),
            format!("{more:.2}x"),
        ]);
    }
    table.print("Large objects, against the same program with small ones", options);
    remark(&match missed.is_empty() {
        true => format!("The goal, at most {GOAL}x of both, is reached on all of them."),
        false => format!("The goal, at most {GOAL}x of both, is missed by {}.", missed.join(", ")),
    });
    Ok(())
}
