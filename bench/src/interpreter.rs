//! How fast one schedule of a program is run: `exeunt run` beside LLVM's own
//! interpreter, on the same bitcode. Both must print the same.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::options::Options;
use crate::process;
use crate::table::{Table, progress, remark};

/// Each is a file in `bench/kernels`.
const KERNELS: &[&str] = &[
    "xorshift",
    "sieve",
    "matrix_int",
    "matrix_double",
    "list",
    "words",
    "fib",
    "quicksort",
    "structs",
];

const GOAL: f64 = 5.0;

pub fn measure(options: &Options) -> Result<()> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut table = Table::new(&["kernel", "lli, CPU s", "exeunt, CPU s", "times faster"]);
    let mut ratios = Vec::new();
    for kernel in KERNELS.iter().filter(|kernel| options.wants_row(kernel)) {
        progress(kernel);
        let bitcode = compile(options, kernel, scratch.path())?;
        let (lli, ours) = compare(options, kernel, &bitcode)?;
        ratios.push(lli / ours);
        let cells = [format!("{lli:.2}"), format!("{ours:.2}"), format!("{:.1}", lli / ours)];
        table.row([kernel.to_string()].into_iter().chain(cells).collect());
    }
    table.print("Interpreter: one run, against lli-22 --force-interpreter", options);
    let reached = ratios.iter().filter(|ratio| **ratio >= GOAL).count();
    remark(&format!("At least {GOAL} times faster on {reached} of {} kernels.", ratios.len()));
    Ok(())
}

/// Bitcode as both get it. lli knows no fused multiply-add.
fn compile(options: &Options, kernel: &str, scratch: &Path) -> Result<PathBuf> {
    let source = options.root.join("kernels").join(kernel).with_extension("c");
    let bitcode = scratch.join(kernel).with_extension("bc");
    let mut clang = Command::new("clang-22");
    clang.args(["-O1", "-ffp-contract=off", "-emit-llvm", "-c", "-o"]).arg(&bitcode).arg(&source);
    match process::run(&mut clang)?.code {
        0 => Ok(bitcode),
        code => Err(format!("clang-22 ended with {code} on {}", source.display())),
    }
}

/// The least times of lli and of exeunt, run in turn.
fn compare(options: &Options, kernel: &str, bitcode: &Path) -> Result<(f64, f64)> {
    let mut lli = Command::new("lli-22");
    lli.arg("--force-interpreter").arg(bitcode);
    let mut exeunt = Command::new(&options.exeunt);
    exeunt.arg("run").arg(bitcode);
    let mut least = (f64::INFINITY, f64::INFINITY);
    for _ in 0..options.repeat {
        let (theirs, ours) = (process::run(&mut lli)?, process::run(&mut exeunt)?);
        if theirs.code != ours.code || theirs.stdout != ours.stdout {
            return Err(format!(
                "{kernel}: lli printed `{}`, exeunt `{}`",
                theirs.text().trim(),
                ours.text().trim()
            ));
        }
        least = (least.0.min(theirs.seconds), least.1.min(ours.seconds));
    }
    Ok(least)
}
