//! The same program in C with pthreads and in C++ with `std::thread`: what the library costs in
//! states and bytes.

use crate::Result;
use crate::check::{Checked, Program, START_UP};
use crate::options::Options;
use crate::table::{Table, progress, remark};

/// `pairs/NAME.c` and `pairs/NAME.cpp`.
const PAIRS: [(&str, &str); 5] = [
    ("pairs/counter.c", "pairs/counter.cpp"),
    ("pairs/buffer.c", "pairs/buffer.cpp"),
    ("pairs/philosophers.c", "pairs/philosophers.cpp"),
    ("pairs/readers.c", "pairs/readers.cpp"),
    ("pairs/flag.c", "pairs/flag.cpp"),
];

const MOST_STATES: f64 = 1.5;
const MOST_BYTES: f64 = 2.0;

pub fn measure(options: &Options) -> Result<()> {
    let mut table = Table::new(&[
        "pair",
        "states, C",
        "states, C++",
        "states",
        "bytes, C",
        "bytes, C++",
        "bytes",
        "start-up, C",
        "start-up, C++",
    ]);
    let mut missed = Vec::new();
    for (c, cxx) in PAIRS {
        let name = c.trim_start_matches("pairs/").trim_end_matches(".c");
        if !options.wants_row(name) {
            continue;
        }
        progress(name);
        let [start_c, c] = checked(c, options)?;
        let [start_cxx, cxx] = checked(cxx, options)?;
        let states = cxx.states / c.states;
        let bytes = cxx.store_bytes() / c.store_bytes();
        if states > MOST_STATES || bytes > MOST_BYTES {
            missed.push(name);
        }
        table.row(vec![
            name.to_string(),
            c.states.to_string(),
            cxx.states.to_string(),
            format!("{states:.2}x"),
            format!("{:.0}", c.store_bytes()),
            format!("{:.0}", cxx.store_bytes()),
            format!("{bytes:.2}x"),
            format!("{:.2} s", start_c.seconds),
            format!("{:.2} s", start_cxx.seconds),
        ]);
    }
    table.print("Pairs: C++ against C", options);
    let goal = format!("At most {MOST_STATES}x states and {MOST_BYTES}x bytes");
    remark(&match &missed[..] {
        [] => format!("{goal}: on all of them."),
        names => format!("{goal}: missed on {}.", names.join(", ")),
    });
    Ok(())
}

fn checked(file: &'static str, options: &Options) -> Result<[Checked; 2]> {
    let program = Program { file, sizes: &[] };
    let all = program.check(options, [START_UP, &[]])?;
    program.expect("holds", &all[1])?;
    Ok(all)
}
