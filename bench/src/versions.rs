//! This version beside an earlier one, on the same programs in the same run: nothing
//! should have become slower, and states should be the same where nothing was meant to change.

use crate::Result;
use crate::check::{Checked, Program};
use crate::options::Options;
use crate::table::{Table, progress, remark};

const PROGRAMS: &[(&str, &[&str])] = &[
    ("philosophers", &["SEATS=5"]),
    ("buffer", &["PRODUCERS=2", "CONSUMERS=2", "ITEMS=5"]),
    ("peterson", &["ROUNDS=60"]),
    ("peterson_n", &["THREADS=3", "ROUNDS=4"]),
    ("ticket", &["THREADS=4", "ROUNDS=4"]),
    ("treiber", &["THREADS=4"]),
    ("readers_writers", &["READERS=4", "WRITERS=2"]),
    ("pool", &["WORKERS=3", "JOBS=3"]),
    ("mcs", &[]),
    ("queue", &[]),
    ("semaphores", &[]),
    ("barrier", &[]),
    ("models/bakery.pml", &[]),
    ("models/leader.pml", &[]),
    ("models/philosophers.pml", &[]),
    ("models/sort.pml", &[]),
];

pub fn measure(options: &Options) -> Result<()> {
    let Some(earlier) = options.earlier() else {
        if options.names_it("versions") {
            return Err("which version is the other one? give --before REVISION".to_string());
        }
        return Ok(());
    };
    let head = ["program", "states before", "states", "CPU s before", "CPU s", "ratio"];
    let mut table = Table::new(&head);
    let mut logarithms = Vec::new();
    for &(file, sizes) in PROGRAMS {
        let program = Program { file, sizes };
        if !options.wants_row(&program.name()) {
            continue;
        }
        progress(&program.name());
        let (old, new) = alternately(&program, &earlier, options)?;
        if old.verdict != new.verdict {
            let name = program.name();
            return Err(format!("{name}: `{}` before, `{}` now", old.verdict, new.verdict));
        }
        let ratio = new.seconds / old.seconds;
        logarithms.push(ratio.ln());
        table.row(vec![
            program.name(),
            old.states.to_string(),
            new.states.to_string(),
            format!("{:.2}", old.seconds),
            format!("{:.2}", new.seconds),
            format!("{ratio:.2}"),
        ]);
    }
    table.print("Versions: processor time of this one and of an earlier one", options);
    let mean = (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp();
    remark(&format!("Geometric mean of the ratios: {mean:.2} (below 1 this version is faster)."));
    Ok(())
}

/// The least times of both, measured in turns so that what disturbs the machine
/// disturbs both.
fn alternately(program: &Program, old: &Options, new: &Options) -> Result<(Checked, Checked)> {
    let mut best: [Option<Checked>; 2] = [None, None];
    for _ in 0..new.repeat {
        for (best, options) in best.iter_mut().zip([old, new]) {
            let next = program.check_once(options, &[])?;
            if best.as_ref().is_none_or(|best| next.seconds < best.seconds) {
                *best = Some(next);
            }
        }
    }
    let [old, new] = best.map(|checked| checked.expect("checked at least once"));
    Ok((old, new))
}
