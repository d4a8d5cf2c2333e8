//! The same program in C with pthreads and in C++ with `std::thread`: what the library costs in
//! states and bytes.
//!
//! Of small programs the bytes of states say little: most of them are the values of components, which are
//! stored once each. So each pair is measured with a few hundred states and with many, and beside the
//! bytes of states there is the memory of the whole process.

use crate::Result;
use crate::check::{Checked, Program, START_UP};
use crate::options::Options;
use crate::table::{Table, progress, remark};

/// `pairs/NAME.c` and `pairs/NAME.cpp`, and sizes.
const PAIRS: [(&str, &str, &[&str]); 10] = [
    ("pairs/counter.c", "pairs/counter.cpp", &["ROUNDS=2"]),
    ("pairs/counter.c", "pairs/counter.cpp", &["ROUNDS=20"]),
    ("pairs/buffer.c", "pairs/buffer.cpp", &["PRODUCERS=1", "ITEMS=20"]),
    ("pairs/buffer.c", "pairs/buffer.cpp", &["PRODUCERS=3", "ITEMS=5"]),
    ("pairs/philosophers.c", "pairs/philosophers.cpp", &["SEATS=4"]),
    ("pairs/philosophers.c", "pairs/philosophers.cpp", &["SEATS=7"]),
    ("pairs/readers.c", "pairs/readers.cpp", &["ROUNDS=2"]),
    ("pairs/readers.c", "pairs/readers.cpp", &["ROUNDS=16"]),
    ("pairs/flag.c", "pairs/flag.cpp", &["ROUNDS=100"]),
    ("pairs/flag.c", "pairs/flag.cpp", &["ROUNDS=5000"]),
];

const MOST_STATES: f64 = 1.5;
const MOST_BYTES: f64 = 2.0;

/// A program in C and in C++.
struct Row {
    name: String,
    c: Checked,
    cxx: Checked,
}

impl Row {
    fn states(&self) -> f64 {
        self.cxx.states / self.c.states
    }

    fn bytes(&self) -> f64 {
        self.cxx.store_bytes() / self.c.store_bytes()
    }

    fn memory(&self) -> f64 {
        self.cxx.peak_bytes / self.c.peak_bytes
    }
}

pub fn measure(options: &Options) -> Result<()> {
    let mut table = Table::new(&[
        "pair",
        "states, C",
        "states, C++",
        "states",
        "bytes/state, C",
        "bytes/state, C++",
        "bytes of states",
        "process, C, MiB",
        "process, C++, MiB",
        "memory",
        "start-up, C",
        "start-up, C++",
    ]);
    let mut rows = Vec::new();
    for (c, cxx, sizes) in PAIRS {
        let name = Program { file: c, sizes }.name().replace(".c ", " ");
        if !options.wants_row(&name) {
            continue;
        }
        progress(&name);
        let [start_c, c] = checked(Program { file: c, sizes }, options)?;
        let [start_cxx, cxx] = checked(Program { file: cxx, sizes }, options)?;
        let row = Row { name, c, cxx };
        let mebibytes = |checked: &Checked| format!("{:.1}", checked.peak_bytes / 1048576.0);
        table.row(vec![
            row.name.clone(),
            row.c.states.to_string(),
            row.cxx.states.to_string(),
            format!("{:.2}x", row.states()),
            format!("{:.0}", row.c.bytes_per_state),
            format!("{:.0}", row.cxx.bytes_per_state),
            format!("{:.2}x", row.bytes()),
            mebibytes(&row.c),
            mebibytes(&row.cxx),
            format!("{:.2}x", row.memory()),
            format!("{:.2} s", start_c.seconds),
            format!("{:.2} s", start_cxx.seconds),
        ]);
        rows.push(row);
    }
    table.print("Pairs: C++ against C", options);
    goal("states", MOST_STATES, &rows, Row::states);
    goal("memory of the process", MOST_BYTES, &rows, Row::memory);
    goal("bytes of states", MOST_BYTES, &rows, Row::bytes);
    Ok(())
}

/// Says which pairs miss a goal.
fn goal(what: &str, most: f64, rows: &[Row], ratio: fn(&Row) -> f64) {
    let missed: Vec<&str> =
        rows.iter().filter(|row| ratio(row) > most).map(|row| &*row.name).collect();
    remark(&match missed.is_empty() {
        true => format!("At most {most}x {what}: on all of them."),
        false => format!("At most {most}x {what}: missed on {}.", missed.join(", ")),
    });
}

/// What start-up takes, and the search.
fn checked(program: Program, options: &Options) -> Result<[Checked; 2]> {
    let all = program.check(options, [START_UP, &[]])?;
    program.expect("holds", &all[1])?;
    Ok(all)
}
