//! What the section check costs: the check of all sections beside a pure safety check of
//! the same program, both with `--reduction tau`, which leaves enough states to measure. Correct programs show the cost of looking for stuck sections, broken
//! ones how much earlier than a full search it ends. The broken programs have no
//! error and no deadlock, so the safety check goes through all their states.

use crate::Result;
use crate::check::{Checked, Program, START_UP};
use crate::options::Options;
use crate::table::{Table, progress, remark};

const SECTIONS: &[&str] = &["--reduction", "tau"];
const SAFETY: &[&str] = &["--property", "safety", "--reduction", "tau"];

/// The same without components: the depth-first search keeps them in any case.
const BREADTH: &[&str] = &["--property", "safety", "--shortest", "--reduction", "tau"];

/// What Štill and Barnat give for DIVINE: constants, not measured here.
const PAPER: &str = "For comparison, not measured here: Štill and Barnat report for their own \
construction in DIVINE up to 59x time, 10x states and 3x memory over a safety check.";

const CORRECT: &[(&str, &[&str])] = &[
    ("philosophers", &["SEATS=7"]),
    ("buffer", &["PRODUCERS=3", "CONSUMERS=3", "ITEMS=2"]),
    ("peterson", &["ROUNDS=60"]),
    ("peterson_n", &["THREADS=3", "ROUNDS=5"]),
    ("ticket", &["THREADS=4", "ROUNDS=7"]),
    ("readers_writers", &["READERS=4", "WRITERS=2"]),
    ("queue", &["THREADS=3", "TAKES=2"]),
    ("barrier", &["THREADS=6", "ROUNDS=3"]),
    ("semaphores", &["THREADS=5", "ROUNDS=3"]),
    ("mcs", &["THREADS=3", "ROUNDS=3"]),
    ("pool", &["WORKERS=3", "JOBS=3"]),
    ("rwlock_by_hand", &["READERS=3", "WRITERS=2", "ROUNDS=2"]),
    ("trylock", &["THREADS=4", "ROUNDS=3"]),
    ("daemons", &["THREADS=3", "CHOICES=4"]),
    ("lottery", &["THREADS=4", "ROUNDS=2", "KINDS=3"]),
];

const BROKEN: &[(&str, &[&str])] = &[
    ("philosophers", &["BROKEN", "SEATS=6"]),
    ("buffer", &["BROKEN", "PRODUCERS=2", "CONSUMERS=2", "ITEMS=3", "ROOM=1"]),
    ("ticket", &["BROKEN", "THREADS=4", "ROUNDS=5"]),
    ("readers_writers", &["BROKEN", "READERS=3", "WRITERS=2"]),
    ("queue", &["BROKEN", "THREADS=4"]),
    ("barrier", &["BROKEN", "THREADS=6"]),
    ("semaphores", &["BROKEN", "THREADS=5", "ROUNDS=3"]),
    ("mcs", &["BROKEN", "THREADS=3", "ROUNDS=3"]),
    ("pool", &["BROKEN", "WORKERS=3"]),
    ("rwlock_by_hand", &["BROKEN", "READERS=3", "WRITERS=2"]),
    ("trylock", &["BROKEN", "THREADS=4", "ROUNDS=3"]),
];

pub fn measure(options: &Options) -> Result<()> {
    correct(options)?;
    remark(PAPER);
    broken(options)
}

fn correct(options: &Options) -> Result<()> {
    let mut table = Table::new(&[
        "correct program",
        "states",
        "extra states",
        "safety, CPU s",
        "sections, CPU s",
        "time",
        "time/breadth",
        "safety, MiB",
        "sections, MiB",
        "memory",
        "store",
    ]);
    let mut missed = Vec::new();
    for program in programs(CORRECT, options) {
        progress(&program.name());
        let arguments = [START_UP, BREADTH, SAFETY, SECTIONS];
        let [start_up, breadth, safety, full] = program.check(options, arguments)?;
        for checked in [&breadth, &safety, &full] {
            program.expect("holds", checked)?;
        }
        let cost = Cost::of(&breadth, &safety, &full, &start_up);
        if !cost.within_goals() {
            missed.push(program.file);
        }
        table.row(cost.cells(&program));
    }
    table.print("Sections: the check of all sections against --property safety", options);
    remark(&goals(&missed));
    Ok(())
}

/// The default check in units of the safety check.
struct Cost {
    states: f64,
    extra_states: f64,
    breadth_seconds: f64,
    seconds: [f64; 2],
    bytes: [f64; 2],
    store: f64,
}

impl Cost {
    fn of(breadth: &Checked, safety: &Checked, full: &Checked, start_up: &Checked) -> Cost {
        Cost {
            breadth_seconds: breadth.search_seconds(start_up),
            states: full.states,
            extra_states: full.states - safety.states,
            seconds: [safety, full].map(|checked| checked.search_seconds(start_up)),
            bytes: [safety, full].map(|checked| checked.search_bytes(start_up)),
            store: full.store_bytes() / safety.store_bytes(),
        }
    }

    fn time(&self) -> f64 {
        self.seconds[1] / self.seconds[0]
    }

    fn memory(&self) -> f64 {
        self.bytes[1] / self.bytes[0]
    }

    fn within_goals(&self) -> bool {
        self.extra_states <= 0.0 && self.time() <= 1.25 && self.memory() <= 1.3
    }

    fn cells(&self, program: &Program) -> Vec<String> {
        let mebibytes = self.bytes.map(|bytes| format!("{:.1}", bytes / 1048576.0));
        let seconds = self.seconds.map(|seconds| format!("{seconds:.2}"));
        let [safety_seconds, seconds] = seconds;
        let [safety_mebibytes, mebibytes] = mebibytes;
        vec![
            program.name(),
            self.states.to_string(),
            self.extra_states.to_string(),
            safety_seconds,
            seconds,
            format!("{:.2}x", self.time()),
            format!("{:.2}x", self.seconds[1] / self.breadth_seconds),
            safety_mebibytes,
            mebibytes,
            format!("{:.2}x", self.memory()),
            format!("{:.2}x", self.store),
        ]
    }
}

fn goals(missed: &[&str]) -> String {
    let goal = "No extra states, at most 1.25x time and 1.3x memory";
    match missed {
        [] => format!("{goal}: on all of them."),
        names => format!("{goal}: missed on {}.", names.join(", ")),
    }
}

fn broken(options: &Options) -> Result<()> {
    let mut table = Table::new(&[
        "broken program",
        "all states",
        "states seen",
        "full search, CPU s",
        "to the answer, CPU s",
        "time",
    ]);
    let mut ratios = Vec::new();
    for program in programs(BROKEN, options) {
        progress(&format!("{}, broken", program.name()));
        let [start_up, all, found] = program.check(options, [START_UP, SAFETY, SECTIONS])?;
        program.expect("holds", &all)?;
        program.expect("violated", &found)?;
        let seconds = [&all, &found].map(|checked| checked.search_seconds(&start_up));
        ratios.push(seconds[1] / seconds[0]);
        table.row(vec![
            program.name(),
            all.states.to_string(),
            found.states.to_string(),
            format!("{:.2}", seconds[0]),
            format!("{:.2}", seconds[1]),
            format!("{:.2}x", seconds[1] / seconds[0]),
        ]);
    }
    table.print("Sections: how early a stuck section is found", options);
    remark(&format!("Median {:.2}x; the goal is below 0.3x.", median(&mut ratios)));
    Ok(())
}

fn programs(list: &[(&'static str, &'static [&'static str])], options: &Options) -> Vec<Program> {
    let all = list.iter().map(|&(file, sizes)| Program { file, sizes });
    all.filter(|program| options.wants_row(&program.name())).collect()
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => values[count / 2],
        count => (values[count / 2 - 1] + values[count / 2]) / 2.0,
    }
}
