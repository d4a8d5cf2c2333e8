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

fn compare(options: &Options, kernel: &str, bitcode: &Path) -> Result<(f64, f64)> {
    let mut lli = Command::new("lli-22");
    let lli = process::fastest(lli.arg("--force-interpreter").arg(bitcode), options.repeat)?;
    let mut exeunt = Command::new(&options.exeunt);
    let exeunt = process::fastest(exeunt.arg("run").arg(bitcode), options.repeat)?;
    if lli.code != exeunt.code || lli.stdout != exeunt.stdout {
        let text = |output: &[u8]| String::from_utf8_lossy(output).trim().to_string();
        let (theirs, ours) = (text(&lli.stdout), text(&exeunt.stdout));
        return Err(format!("{kernel}: lli printed `{theirs}`, exeunt `{ours}`"));
    }
    Ok((lli.seconds, exeunt.seconds))
}
