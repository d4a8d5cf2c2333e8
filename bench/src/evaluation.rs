//! The evaluation of Štill and Barnat (Local Nontermination Detection for Parallel C++ Programs, 2019),
//! repeated: 59 tests, of which 35 are about synchronised structures of Boost.Thread, 8 are classic
//! and 16 small, in three modes: safety, sections (their local nontermination) and termination
//! (their global one). Their programs are not published with the paper; ours are of the same kinds and numbers.

use crate::Result;
use crate::check::{Checked, Program, START_UP};
use crate::options::Options;
use crate::scatter::{Mark, Scatter};
use crate::table::{Table, progress, remark};

const SAFETY: &[&str] = &["--property", "safety", "--reduction", "tau", "--no-spurious"];
const SECTIONS: &[&str] = &["--reduction", "tau", "--no-spurious"];
const TERMINATION: &[&str] = &["--property", "termination", "--reduction", "tau", "--no-spurious"];

/// Headers whose macros choose a case.
const BOOST: &str = "evaluation/boost.cpp";
const CASES: [&[&str]; 35] = [
    &["-DCASE=0"],
    &["-DCASE=1"],
    &["-DCASE=2"],
    &["-DCASE=3"],
    &["-DCASE=4"],
    &["-DCASE=5"],
    &["-DCASE=6"],
    &["-DCASE=7"],
    &["-DCASE=8"],
    &["-DCASE=9"],
    &["-DCASE=10"],
    &["-DCASE=11"],
    &["-DCASE=12"],
    &["-DCASE=13"],
    &["-DCASE=14"],
    &["-DCASE=15"],
    &["-DCASE=16"],
    &["-DCASE=17"],
    &["-DCASE=18"],
    &["-DCASE=19"],
    &["-DCASE=20"],
    &["-DCASE=21"],
    &["-DCASE=22"],
    &["-DCASE=23"],
    &["-DCASE=24"],
    &["-DCASE=25"],
    &["-DCASE=26"],
    &["-DCASE=27"],
    &["-DCASE=28"],
    &["-DCASE=29"],
    &["-DCASE=30"],
    &["-DCASE=31"],
    &["-DCASE=32"],
    &["-DCASE=33"],
    &["-DCASE=34"],
];

const CLASSIC: [(&str, &[&str]); 8] = [
    ("philosophers", &["SEATS=5"]),
    ("philosophers", &["BROKEN", "SEATS=4"]),
    ("buffer", &["PRODUCERS=2", "CONSUMERS=2", "ITEMS=2"]),
    ("peterson", &["ROUNDS=12"]),
    ("readers_writers", &["READERS=3", "WRITERS=2"]),
    ("queue", &["THREADS=3", "TAKES=2"]),
    ("pool", &["BROKEN", "WORKERS=2"]),
    ("daemons", &["THREADS=2", "CHOICES=3"]),
];

const SMALL: [&str; 16] = [
    "../tests/ui/cpp/sections/call_once.cpp",
    "../tests/ui/cpp/sections/condition.cpp",
    "../tests/ui/cpp/sections/fig1_flag_inverted.cpp",
    "../tests/ui/cpp/sections/fig2_endless_critical.cpp",
    "../tests/ui/cpp/sections/fig3_moved_inside.cpp",
    "../tests/ui/cpp/sections/lock_order.cpp",
    "../tests/ui/cpp/sections/pool.cpp",
    "../tests/ui/cpp/sections/pool_notify_one.cpp",
    "../tests/ui/cpp/sections/recursive_mutex.cpp",
    "../tests/ui/cpp/sections/scoped_lock.cpp",
    "../tests/ui/cpp/sections/static_local.cpp",
    "../tests/ui/cpp/exceptions/lock_kept.cpp",
    "../tests/ui/cpp/exceptions/lock_released.cpp",
    "../tests/ui/cpp/library/channel.cpp",
    "../tests/ui/cpp/library/channel_never_closed.cpp",
    "../tests/ui/cpp/library/actor.cpp",
];

/// A test in all modes.
struct Row {
    name: String,
    safety: Checked,
    sections: Checked,
    termination: Checked,
    start_up: Checked,
}

pub fn measure(options: &Options) -> Result<()> {
    let boost = CASES.iter().map(|sizes| Program { file: BOOST, sizes });
    let classic = CLASSIC.iter().map(|&(file, sizes)| Program { file, sizes });
    let small = SMALL.iter().map(|&file| Program { file, sizes: &[] });
    let mut rows = Vec::new();
    for program in boost.chain(classic).chain(small) {
        let broken = program.sizes.contains(&"BROKEN");
        let name = program.name().replace("boost.cpp -dcase=", "boost ").replace(".cpp", "");
        let name = if broken { format!("{name}, broken") } else { name };
        if !options.wants_row(&name) {
            continue;
        }
        progress(&name);
        let modes = [START_UP, SAFETY, SECTIONS, TERMINATION];
        let [start_up, safety, sections, termination] = program.check_compiled(options, modes)?;
        rows.push(Row { name, safety, sections, termination, start_up });
    }
    print(&rows, options);
    plot(&rows, options)
}

fn print(rows: &[Row], options: &Options) {
    let mut table = Table::new(&[
        "test",
        "safety",
        "sections",
        "termination",
        "states (safety)",
        "states (sections)",
        "safety, CPU s",
        "sections, CPU s",
        "termination, CPU s",
        "safety, MiB",
        "sections, MiB",
    ]);
    for row in rows {
        let seconds = |checked: &Checked| format!("{:.3}", checked.search_seconds(&row.start_up));
        let mebibytes = |checked: &Checked| format!("{:.1}", checked.peak_bytes / 1048576.0);
        table.row(vec![
            row.name.clone(),
            row.safety.verdict.clone(),
            row.sections.verdict.clone(),
            row.termination.verdict.clone(),
            row.safety.states.to_string(),
            row.sections.states.to_string(),
            seconds(&row.safety),
            seconds(&row.sections),
            seconds(&row.termination),
            mebibytes(&row.safety),
            mebibytes(&row.sections),
        ]);
    }
    table.print("Evaluation: safety, sections and termination", options);
    let held = || rows.iter().filter(|row| row.sections.verdict == "holds");
    let most = |ratio: &dyn Fn(&Row) -> f64| held().map(ratio).fold(0.0, f64::max);
    // Shorter runs than this say nothing about time.
    let timed = |row: &&Row| row.safety.search_seconds(&row.start_up) >= 0.05;
    let time = held().filter(timed).map(|row| {
        row.sections.search_seconds(&row.start_up) / row.safety.search_seconds(&row.start_up)
    });
    remark(&format!(
        "Of tests that hold, sections over safety: at most {:.2}x states (goal 1.0x), {:.2}x memory of the \
         process (goal 1.3x), {:.2}x time where safety takes at least 0.05 s (goal 1.25x; {} tests). Štill \
         and Barnat report up to 10x, 3x and 59x.",
        most(&|row| row.sections.states / row.safety.states),
        most(&|row| row.sections.peak_bytes / row.safety.peak_bytes),
        time.fold(0.0, f64::max),
        held().filter(timed).count(),
    ));
}

fn mark(across: &Checked, up: &Checked) -> Mark {
    match (across.verdict.as_str(), up.verdict.as_str()) {
        ("violated", "violated") => Mark::Wrong,
        (_, "violated") => Mark::OnlyUp,
        _ => Mark::Fine,
    }
}

/// The pictures of their Figures 6 to 8.
fn plot(rows: &[Row], options: &Options) -> Result<()> {
    let points = |modes: fn(&Row) -> (&Checked, &Checked), value: fn(&Checked, &Row) -> f64| {
        let point = |row: &Row| {
            let (across, up) = modes(row);
            (value(across, row), value(up, row), mark(across, up))
        };
        rows.iter().map(point).collect::<Vec<_>>()
    };
    let seconds = |checked: &Checked, row: &Row| 1000.0 * checked.search_seconds(&row.start_up);
    let mebibytes = |checked: &Checked, _: &Row| checked.peak_bytes / 1048576.0;
    let states = |checked: &Checked, _: &Row| checked.states;
    let time: &[(f64, &str)] = &[(59.0, "59x (theirs)"), (1.25, "1.25x")];
    let plots = [
        (
            "evaluation-time.svg",
            Scatter {
                title: "CPU time of the search, ms (their Figure 6, left)",
                across: "safety",
                up: "sections",
                bounds: time,
                points: points(|row| (&row.safety, &row.sections), seconds),
            },
        ),
        (
            "evaluation-memory.svg",
            Scatter {
                title: "memory, MiB (their Figure 6, right)",
                across: "safety",
                up: "sections",
                bounds: &[(3.0, "3x (theirs)"), (1.3, "1.3x")],
                points: points(|row| (&row.safety, &row.sections), mebibytes),
            },
        ),
        (
            "evaluation-states.svg",
            Scatter {
                title: "states (their Figure 7)",
                across: "safety",
                up: "sections",
                bounds: &[(10.0, "10x (theirs)")],
                points: points(|row| (&row.safety, &row.sections), states),
            },
        ),
        (
            "evaluation-termination.svg",
            Scatter {
                title: "CPU time of the search, ms (their Figure 8, left)",
                across: "sections",
                up: "termination",
                bounds: &[],
                points: points(|row| (&row.sections, &row.termination), seconds),
            },
        ),
        (
            "evaluation-safety.svg",
            Scatter {
                title: "CPU time of the search, ms (their Figure 8, right)",
                across: "safety",
                up: "termination",
                bounds: &[],
                points: points(|row| (&row.safety, &row.termination), seconds),
            },
        ),
    ];
    for (file, plot) in plots {
        plot.write(&options.root.join("../docs/img").join(file))?;
    }
    remark("The pictures are in docs/img/evaluation-*.svg.");
    Ok(())
}
