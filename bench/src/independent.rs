//! Threads that have little to do with each other: how the number of states grows with
//! the number of threads, if all threads are looked at in every state (`movers`) and if
//! not (`stubborn`).

use crate::Result;
use crate::check::{Program, START_UP};
use crate::options::Options;
use crate::plot::{Axis, Line, Plot};
use crate::table::{Table, progress, remark};

/// Programs in which no two threads meet, or only from a certain number of threads on.
const SERIES: &[(&str, &str)] = &[
    ("cells", "independent/cells.c"),
    ("locks", "independent/locks.c"),
    ("nodes", "independent/nodes.c"),
    ("buckets", "independent/buckets.c"),
    ("indexer", "independent/indexer.c"),
    ("filesystem", "independent/filesystem.c"),
];
const SIZES: &[(f64, &[&str])] = &[
    (2.0, &["THREADS=2"]),
    (4.0, &["THREADS=4"]),
    (8.0, &["THREADS=8"]),
    (12.0, &["THREADS=12"]),
    (16.0, &["THREADS=16"]),
    (20.0, &["THREADS=20"]),
    (64.0, &["THREADS=64"]),
];
/// These meet more and more.
const MEET: [&str; 2] = ["indexer", "filesystem"];
const MOST_THAT_MEET: f64 = 20.0;

/// Programs whose threads have much to do with each other.
const OTHERS: &[(&str, &[&str])] = &[
    ("philosophers", &["SEATS=6"]),
    ("philosophers", &["SEATS=10"]),
    ("readers_writers", &[]),
    ("pool", &[]),
    ("mcs", &[]),
    ("ticket", &["THREADS=4", "ROUNDS=3"]),
    ("treiber", &[]),
    ("trylock", &["THREADS=4", "ROUNDS=3"]),
    ("buffer", &["ITEMS=5"]),
    ("daemons", &[]),
    ("semaphores", &["THREADS=4", "ROUNDS=3"]),
    ("peterson_n", &[]),
];

const PATIENCE: &str = "5s";
const MOVERS: &[&str] = &["--reduction", "movers", "--time", PATIENCE];
const STUBBORN: &[&str] = &["--reduction", "stubborn", "--time", PATIENCE];

pub fn measure(options: &Options) -> Result<()> {
    grow(options)?;
    compare(options)
}

fn grow(options: &Options) -> Result<()> {
    let mut table = Table::new(&["program", "movers", "CPU s", "stubborn", "CPU s"]);
    let mut lines = Vec::new();
    for &(name, file) in SERIES {
        if !options.wants_row(name) {
            continue;
        }
        let mut points = Vec::new();
        for &(threads, sizes) in SIZES {
            if MEET.contains(&name) && threads > MOST_THAT_MEET {
                continue;
            }
            let program = Program { file, sizes };
            progress(&program.name());
            let all = program.check_once(options, MOVERS)?;
            let [start_up, some] = program.check(options, [START_UP, STUBBORN])?;
            program.expect("holds", &some)?;
            let complete = all.verdict == "holds";
            table.row(vec![
                program.name(),
                if complete { all.states.to_string() } else { format!("> {}", all.states) },
                if complete { format!("{:.2}", all.search_seconds(&start_up)) } else { "-".into() },
                some.states.to_string(),
                format!("{:.2}", some.search_seconds(&start_up)),
            ]);
            points.push((threads, some.states));
        }
        lines.push(Line { name: name.to_string(), points });
    }
    table.print("Threads that do not meet, or hardly: states", options);
    remark(&format!("A search without an answer after {PATIENCE} was ended."));
    let title = "States, if threads that cannot interfere are left out";
    let plot = Plot { title, across: "threads", axis: Axis::Numbers, lines };
    plot.write(&options.root.join("../docs/img/independent.svg"))
}

fn compare(options: &Options) -> Result<()> {
    let mut table = Table::new(&["program", "movers", "CPU s", "stubborn", "CPU s", "time"]);
    for &(file, sizes) in OTHERS {
        let program = Program { file, sizes };
        if !options.wants_row(&program.name()) {
            continue;
        }
        progress(&program.name());
        let [start_up, all, some] = program.check(options, [START_UP, MOVERS, STUBBORN])?;
        let seconds = [&all, &some].map(|checked| checked.search_seconds(&start_up));
        table.row(vec![
            program.name(),
            all.states.to_string(),
            format!("{:.2}", seconds[0]),
            some.states.to_string(),
            format!("{:.2}", seconds[1]),
            format!("{:.2}x", seconds[1] / seconds[0]),
        ]);
    }
    table.print("Threads that meet: states", options);
    Ok(())
}
