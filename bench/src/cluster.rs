//! Several processes on one machine: states in a second, and the bytes that they exchange
//! for each state, on a model with more than ten million states. By the clock, and once: a run takes
//! minutes.

use std::process::Command;

use serde_json::Value;

use crate::Result;
use crate::options::Options;
use crate::process;
use crate::table::{Table, progress, remark};

const PROGRAM: &str = "philosophers.c";
const SIZE: &str = "-DSEATS=9";

pub fn measure(options: &Options) -> Result<()> {
    let mut table = Table::new(&[
        "processes",
        "states",
        "seconds",
        "states a second",
        "bytes exchanged a state",
        "bytes stored a state",
    ]);
    let mut expected = None;
    for processes in ["1", "2", "4"] {
        progress(&format!("{PROGRAM} {SIZE}, {processes} processes"));
        let mut command = Command::new(&options.exeunt);
        let program = options.root.join("programs").join(PROGRAM);
        command.arg("check").arg(program).args(["--format", "json", "--processes", processes]);
        command.args(["--", SIZE]);
        let finished = process::run(&mut command)?;
        let report: Value =
            serde_json::from_slice(&finished.stdout).map_err(|error| error.to_string())?;
        if report["verdict"] != "holds" {
            return Err(format!("{command:?}: {}", report["reason"]));
        }
        let number = |name: &str| report["statistics"][name].as_f64().unwrap_or(f64::NAN);
        let (states, seconds) = (number("states"), number("seconds"));
        if *expected.get_or_insert(states) != states {
            return Err(format!("{processes} processes count {states} states"));
        }
        table.row(vec![
            processes.to_string(),
            format!("{states}"),
            format!("{seconds:.1}"),
            format!("{:.0}", states / seconds),
            exchanged(&report).unwrap_or("0".to_string()),
            format!("{:.0}", number("bytes_per_state")),
        ]);
    }
    table.print("Several processes on one machine", options);
    remark("Times are by the clock: run it on a machine that does nothing else.");
    Ok(())
}

/// What the remark says: "2 processes exchanged 13.1 bytes for each state".
fn exchanged(report: &Value) -> Option<String> {
    let remarks = report["remarks"].as_array()?.iter().filter_map(Value::as_str);
    let told = remarks.filter_map(|remark| remark.split_once(" exchanged ")).next()?;
    told.1.split(' ').next().map(str::to_string)
}
