//! How time and memory grow with the number of states, over three orders of
//! magnitude: two C programs and a Promela model in growing sizes.

use crate::Result;
use crate::check::{Checked, Program, START_UP};
use crate::options::Options;
use crate::plot::{Axis, Line, Plot};
use crate::table::{Table, progress, remark};

/// Leaves many states.
const MANY: &[&str] = &["--reduction", "tau"];

/// Programs in sizes with about 10^4, 10^5, 10^6 and 10^7 states.
const SERIES: &[(&str, &str, &[&[&str]])] = &[
    (
        "peterson",
        "programs/peterson.c",
        &[&["ROUNDS=12"], &["ROUNDS=37"], &["ROUNDS=118"], &["ROUNDS=372"]],
    ),
    ("buffer", "programs/buffer.c", &[&["ITEMS=2"], &["ITEMS=5"], &["ITEMS=11"], &["ITEMS=24"]]),
    (
        "semaphores.pml",
        "spin/semaphores.pml",
        &[
            &["THREADS=4", "ROUNDS=3"],
            &["THREADS=5", "ROUNDS=2"],
            &["THREADS=5", "ROUNDS=5"],
            &["THREADS=5", "ROUNDS=9"],
        ],
    ),
];

/// One search: its states, and the seconds and bytes that the search alone took.
struct Point {
    states: f64,
    seconds: f64,
    bytes: f64,
}

pub fn measure(options: &Options) -> Result<()> {
    let mut table = Table::new(&[
        "program",
        "states",
        "CPU s",
        "CPU us/state",
        "memory, MiB",
        "memory, bytes/state",
        "store, bytes/state",
    ]);
    let mut all = Vec::new();
    for &(name, file, sizes) in SERIES {
        if !options.wants_row(name) {
            continue;
        }
        let mut points = Vec::new();
        for &sizes in sizes {
            let program = Program { file, sizes };
            progress(&program.name());
            let [start_up, checked] = program.check(options, [START_UP, MANY])?;
            program.expect("holds", &checked)?;
            let point = Point {
                states: checked.states,
                seconds: (checked.cpu - start_up.cpu).max(0.001),
                bytes: checked.search_bytes(&start_up),
            };
            table.row(cells(&program, &checked, &point));
            points.push(point);
        }
        all.push((name, points));
    }
    table.print("Growth: all sections on one core, with --reduction tau", options);
    for (name, points) in &all {
        remark(&fit(name, points));
    }
    let time = |point: &Point| point.seconds * 1e3;
    plot(options, "growth-time", "Time, in milliseconds of the processor", &all, time)?;
    plot(options, "growth-memory", "Memory, in KiB", &all, |point| point.bytes / 1024.0)
}

fn cells(program: &Program, checked: &Checked, point: &Point) -> Vec<String> {
    vec![
        program.name(),
        checked.states.to_string(),
        format!("{:.2}", point.seconds),
        format!("{:.2}", point.seconds / point.states * 1e6),
        format!("{:.1}", point.bytes / (1 << 20) as f64),
        format!("{:.1}", point.bytes / point.states),
        format!("{:.1}", checked.bytes_per_state),
    ]
}

/// Says how both grow: the exponents that fit all points best, 1 being linear.
fn fit(name: &str, points: &[Point]) -> String {
    let of = |value: fn(&Point) -> f64| {
        let logs: Vec<(f64, f64)> =
            points.iter().map(|point| (point.states.ln(), value(point).ln())).collect();
        slope(&logs)
    };
    format!(
        "{name}: time grows as the number of states to the power of {:.2}, memory to that of {:.2}.",
        of(|point| point.seconds),
        of(|point| point.bytes),
    )
}

/// The slope of the line through points with the least squares of errors.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let both: f64 = points.iter().map(|point| (point.0 - mean_x) * (point.1 - mean_y)).sum();
    both / points.iter().map(|point| (point.0 - mean_x).powi(2)).sum::<f64>()
}

fn plot(
    options: &Options,
    file: &str,
    title: &str,
    all: &[(&str, Vec<Point>)],
    value: fn(&Point) -> f64,
) -> Result<()> {
    let line = |(name, points): &(&str, Vec<Point>)| Line {
        name: name.to_string(),
        points: points.iter().map(|point| (point.states, value(point))).collect(),
    };
    let lines = all.iter().map(line).collect();
    let plot = Plot { title, across: "states", axis: Axis::Numbers, lines };
    plot.write(&options.root.join(format!("../docs/img/{file}.svg")))
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn the_slope_of_a_line_is_found() {
        let points: Vec<(f64, f64)> =
            [1.0, 2.0, 4.0, 9.0].iter().map(|&x| (x, 3.0 * x - 1.0)).collect();
        assert!((slope(&points) - 3.0).abs() < 1e-9);
        assert!((slope(&[(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 2.0)]) - 0.6).abs() < 1e-9);
    }
}
