//! How soon something wrong is found: broken programs, checked as by default, and by a plain search
//! in depth, which never stops to look broadly.

use crate::Result;
use crate::check::{Checked, Program, START_UP};
use crate::options::Options;
use crate::table::{Table, progress, remark};

const SEEDED: &[(&str, &[&[&str]])] = &[
    ("broken/accounts.c", &[&["BUG=1"], &["BUG=2"], &["BUG=3"]]),
    ("broken/channel.c", &[&["BUG=1"], &["BUG=2"], &["BUG=3"], &["BUG=4"]]),
    ("broken/cache.c", &[&["BUG=1"], &["BUG=2"], &["BUG=3"]]),
    ("broken/references.c", &[&["BUG=1"], &["BUG=2"], &["BUG=3"]]),
    ("broken/rendezvous.c", &[&["BUG=1"], &["BUG=2"], &["BUG=3"]]),
    ("broken/ring.c", &[&["BUG=1"], &["BUG=2"], &["BUG=3"], &["BUG=4"]]),
    ("broken/semaphore.c", &[&["BUG=1"], &["BUG=2"], &["BUG=3"]]),
    ("broken/workers.c", &[&["BUG=1"], &["BUG=2"], &["BUG=3"], &["BUG=4"]]),
    ("broken/stack.c", &[&["BUG=1"], &["BUG=2"], &["BUG=3"]]),
    ("broken/once.c", &[&["BUG=1"], &["BUG=2"], &["BUG=3"]]),
    ("broken/dekker.c", &[&["BUG=1"], &["BUG=2"], &["BUG=3"]]),
    ("philosophers", &[&["BROKEN", "SEATS=9"]]),
    ("buffer", &[&["BROKEN", "PRODUCERS=3", "CONSUMERS=3", "ITEMS=3", "ROOM=1"]]),
    ("ticket", &[&["BROKEN", "THREADS=5", "ROUNDS=5"]]),
    ("readers_writers", &[&["BROKEN", "READERS=4", "WRITERS=3"]]),
    ("queue", &[&["BROKEN", "THREADS=4"]]),
    ("barrier", &[&["BROKEN", "THREADS=7"]]),
    ("semaphores", &[&["BROKEN", "THREADS=6", "ROUNDS=3"]]),
    ("mcs", &[&["BROKEN", "THREADS=4", "ROUNDS=3"]]),
    ("pool", &[&["BROKEN", "WORKERS=4"]]),
    ("rwlock_by_hand", &[&["BROKEN", "READERS=4", "WRITERS=2"]]),
    ("trylock", &[&["BROKEN", "THREADS=5", "ROUNDS=3"]]),
];

const PATIENCE: f64 = 20.0;
const DEFAULT: &[&str] = &["--time", "20s"];
/// A limit on states keeps a search from anything else.
const PLAIN: &[&str] = &["--time", "20s", "--max-states", "4000000000"];

pub fn measure(options: &Options) -> Result<()> {
    let head = ["program", "plain: states", "CPU s", "default: states", "CPU s"];
    let mut table = Table::new(&head);
    let (mut plain, mut default) = (Series::default(), Series::default());
    for &(file, variants) in SEEDED {
        for &sizes in variants {
            let program = Program { file, sizes };
            if !options.wants_row(&program.name()) {
                continue;
            }
            progress(&program.name());
            let start_up = program.check_once(options, START_UP)?;
            let mut cells = vec![program.name()];
            for (arguments, series) in [(PLAIN, &mut plain), (DEFAULT, &mut default)] {
                let checked = program.check_once(options, arguments)?;
                if checked.verdict == "holds" {
                    return Err(format!("{} is broken, and was said to hold", program.name()));
                }
                cells.extend(series.add(&checked, &start_up));
            }
            table.row(cells);
        }
    }
    table.print("Broken programs: what is seen until something is found", options);
    remark(&format!(
        "Of {} programs the plain search finds {} within {PATIENCE} s, the default {}. Median: {} and {} states, \
         {:.2} and {:.2} s; sum: {:.1} and {:.1} s.",
        plain.seconds.len(),
        plain.found,
        default.found,
        plain.median_states(),
        default.median_states(),
        median(&plain.seconds),
        median(&default.seconds),
        plain.seconds.iter().sum::<f64>(),
        default.seconds.iter().sum::<f64>(),
    ));
    Ok(())
}

/// One way to search, over all programs.
#[derive(Default)]
struct Series {
    states: Vec<f64>,
    seconds: Vec<f64>,
    found: u32,
}

impl Series {
    fn add(&mut self, checked: &Checked, start_up: &Checked) -> [String; 2] {
        let seconds = checked.search_seconds(start_up);
        let found = checked.verdict == "violated";
        self.found += u32::from(found);
        self.seconds.push(seconds);
        self.states.push(if found { checked.states } else { f64::INFINITY });
        let states = if found { "" } else { "> " };
        [format!("{states}{}", checked.states), format!("{seconds:.2}")]
    }

    fn median_states(&self) -> String {
        match median(&self.states) {
            states if states.is_finite() => format!("{states:.0}"),
            _ => "more than were seen".to_string(),
        }
    }
}

fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
