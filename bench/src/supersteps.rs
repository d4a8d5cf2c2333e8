//! The experiments of Zaks and Joshi, *Verifying Multi-threaded C Programs with
//! SPIN*: states under the reductions, by context bound and with an abstraction.

use crate::Result;
use crate::check::Program;
use crate::options::Options;
use crate::plot::{Axis, Line, Plot};
use crate::table::{Table, progress, remark};

/// Beyond so many states a search is given up.
const MOST: &str = "500000";

pub fn measure(options: &Options) -> Result<()> {
    for experiment in EXPERIMENTS {
        if options.wants_row(experiment.name) {
            experiment.measure(options)?;
        }
    }
    remark(&format!("`-`: more than {MOST} states."));
    Ok(())
}

/// One program in several sizes, searched in several ways.
struct Experiment {
    name: &'static str,
    title: &'static str,
    across: &'static str,
    file: &'static str,
    /// What all sizes are compiled with.
    always: &'static [&'static str],
    verdict: &'static str,
    sizes: &'static [Size],
    ways: &'static [(&'static str, &'static [&'static str])],
}

/// A position on the axis: its label, what it is compiled and searched with.
struct Size {
    label: &'static str,
    defines: &'static [&'static str],
    arguments: &'static [&'static str],
}

const fn bound(label: &'static str, arguments: &'static [&'static str]) -> Size {
    Size { label, defines: &[], arguments }
}

const fn sized(label: &'static str, defines: &'static [&'static str]) -> Size {
    Size { label, defines, arguments: &[] }
}

const BOUNDS: &[Size] = &[
    bound("0", &["--context-bound", "0"]),
    bound("1", &["--context-bound", "1"]),
    bound("2", &["--context-bound", "2"]),
    bound("3", &["--context-bound", "3"]),
    bound("4", &["--context-bound", "4"]),
    bound("6", &["--context-bound", "6"]),
    bound("8", &["--context-bound", "8"]),
    bound("10", &["--context-bound", "10"]),
    bound("none", &[]),
];

const ABSTRACTED: &[(&str, &[&str])] = &[
    ("global", &["--reduction", "global"]),
    ("superstep", &["--reduction", "superstep"]),
    ("global, abstract", &["--reduction", "global", "--abstract", "protocol"]),
    ("superstep, abstract", &["--reduction", "superstep", "--abstract", "protocol"]),
];

const REDUCTIONS: &[(&str, &[&str])] = &[
    ("global", &["--reduction", "global"]),
    ("tau", &["--reduction", "tau"]),
    ("superstep", &["--reduction", "superstep"]),
];

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "peterson-broken",
        title: "Peterson without volatile (-O1): states until the error",
        across: "context bound",
        file: "pa_peterson",
        always: &["-O1", "-DBROKEN"],
        verdict: "violated",
        sizes: BOUNDS,
        ways: ABSTRACTED,
    },
    Experiment {
        name: "peterson",
        title: "Peterson (-O1): states",
        across: "context bound",
        file: "pa_peterson",
        always: &["-O1"],
        verdict: "holds",
        sizes: BOUNDS,
        ways: ABSTRACTED,
    },
    Experiment {
        name: "robots",
        title: "Robots: states",
        across: "rows and columns of the board",
        file: "robots",
        always: &[],
        verdict: "holds",
        sizes: &[
            sized("2", &["-DBOARD=2"]),
            sized("3", &["-DBOARD=3"]),
            sized("4", &["-DBOARD=4"]),
            sized("5", &["-DBOARD=5"]),
            sized("6", &["-DBOARD=6"]),
            sized("8", &["-DBOARD=8"]),
        ],
        ways: REDUCTIONS,
    },
    Experiment {
        name: "ipc-1",
        title: "IPC, one sender: states",
        across: "messages, and room in the queues",
        file: "ipc",
        always: &[],
        verdict: "holds",
        sizes: &[
            sized("1", &["-DMESSAGES=1", "-DCAPACITY=1"]),
            sized("2", &["-DMESSAGES=2", "-DCAPACITY=2"]),
            sized("3", &["-DMESSAGES=3", "-DCAPACITY=3"]),
            sized("4", &["-DMESSAGES=4", "-DCAPACITY=4"]),
            sized("6", &["-DMESSAGES=6", "-DCAPACITY=6"]),
        ],
        ways: REDUCTIONS,
    },
    Experiment {
        name: "ipc-2",
        title: "IPC, two senders: states",
        across: "messages of each sender",
        file: "ipc",
        always: &["-DSENDERS=2"],
        verdict: "holds",
        sizes: &[sized("1", &["-DMESSAGES=1"]), sized("2", &["-DMESSAGES=2"])],
        ways: REDUCTIONS,
    },
];

impl Experiment {
    fn measure(&self, options: &Options) -> Result<()> {
        let mut lines: Vec<Line> = self
            .ways
            .iter()
            .map(|(name, _)| Line { name: name.to_string(), points: Vec::new() })
            .collect();
        let mut head = vec![self.across];
        head.extend(self.ways.iter().map(|(name, _)| *name));
        let mut table = Table::new(&head);
        for (at, size) in self.sizes.iter().enumerate() {
            progress(&format!("{} {}", self.name, size.label));
            let mut cells = vec![size.label.to_string()];
            for ((_, way), line) in self.ways.iter().zip(&mut lines) {
                let states = self.states(options, size, way)?;
                line.points.extend(states.map(|states| (at as f64, states)));
                cells.push(states.map_or("-".to_string(), |states| states.to_string()));
            }
            table.row(cells);
        }
        table.print(self.title, options);
        let names = self.sizes.iter().map(|size| size.label.to_string()).collect();
        let plot = Plot { title: self.title, across: self.across, axis: Axis::Names(names), lines };
        plot.write(&options.root.join(format!("../docs/img/supersteps-{}.svg", self.name)))
    }

    /// The states of one search, if it came to its end. A search under a bound
    /// may see less than there is; one without has to give the verdict.
    fn states(&self, options: &Options, size: &Size, way: &[&str]) -> Result<Option<f64>> {
        let sizes: Vec<&'static str> = self.always.iter().chain(size.defines).copied().collect();
        let program = Program { file: self.file, sizes: sizes.leak() };
        let arguments: Vec<&str> =
            ["--max-states", MOST].iter().chain(way).chain(size.arguments).copied().collect();
        let checked = program.check_once(options, &arguments)?;
        let given_up = checked.states > MOST.parse::<f64>().unwrap_or(f64::MAX);
        if given_up {
            return Ok(None);
        }
        if size.arguments.is_empty() || checked.verdict != "inconclusive" {
            program.expect(self.verdict, &checked)?;
        }
        Ok(Some(checked.states))
    }
}
