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

/// Compiled against interpreted.
const GOAL: f64 = 5.0;

pub fn measure(options: &Options) -> Result<()> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let columns = [
        "kernel",
        "lli, CPU s",
        "interpreted, CPU s",
        "compiled, CPU s",
        "lli/compiled",
        "times faster",
    ];
    let mut table = Table::new(&columns);
    let mut ratios = Vec::new();
    let start = start_up(options, scratch.path())?;
    for kernel in KERNELS.iter().filter(|kernel| options.wants_row(kernel)) {
        progress(kernel);
        let bitcode = compile(&options.root.join("kernels").join(kernel), scratch.path())?;
        let Least { lli, interpreted, compiled } = compare(options, kernel, &bitcode)?;
        let ratio = (interpreted - start) / (compiled - start).max(0.001);
        ratios.push(ratio);
        let seconds = [lli, interpreted, compiled].map(|seconds| format!("{seconds:.2}"));
        let cells = [format!("{:.1}", lli / compiled), format!("{ratio:.1}")];
        let name = [kernel.to_string()];
        table.row(name.into_iter().chain(seconds).chain(cells).collect());
    }
    table.print(
        "One run: lli-22 --force-interpreter, interpreted, compiled where it is hot",
        options,
    );
    let reached = ratios.iter().filter(|ratio| **ratio >= GOAL).count();
    remark(&format!(
        "At least {GOAL} times as fast as interpreted on {reached} of {} kernels, without the {start:.2} s of \
         start-up.",
        ratios.len()
    ));
    Ok(())
}

/// What a program that does nothing takes.
fn start_up(options: &Options, scratch: &Path) -> Result<f64> {
    let source = scratch.join("nothing.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").map_err(|error| error.to_string())?;
    let bitcode = compile(&scratch.join("nothing"), scratch)?;
    Ok(compare(options, "nothing", &bitcode)?.compiled)
}

/// Bitcode as all get it. lli knows no fused multiply-add.
fn compile(program: &Path, scratch: &Path) -> Result<PathBuf> {
    let source = program.with_extension("c");
    let name = program.file_name().ok_or("a program has a name")?;
    let bitcode = scratch.join(name).with_extension("bc");
    let mut clang = Command::new("clang-22");
    clang.args(["-O1", "-ffp-contract=off", "-emit-llvm", "-c", "-o"]).arg(&bitcode).arg(&source);
    match process::run(&mut clang)?.code {
        0 => Ok(bitcode),
        code => Err(format!("clang-22 ended with {code} on {}", source.display())),
    }
}

/// The least times.
struct Least {
    lli: f64,
    interpreted: f64,
    compiled: f64,
}

/// The three, run in turn.
fn compare(options: &Options, kernel: &str, bitcode: &Path) -> Result<Least> {
    let mut lli = Command::new("lli-22");
    lli.arg("--force-interpreter").arg(bitcode);
    let ours = |compile: &str| {
        let mut exeunt = Command::new(&options.exeunt);
        exeunt.args(["run", "--compile", compile]).arg(bitcode);
        exeunt
    };
    let (mut interpreted, mut compiled) = (ours("never"), ours("hot"));
    let mut least = [f64::INFINITY; 3];
    for _ in 0..options.repeat {
        let theirs = process::run(&mut lli)?;
        let ours = [process::run(&mut interpreted)?, process::run(&mut compiled)?];
        for ours in &ours {
            if theirs.code != ours.code || theirs.stdout != ours.stdout {
                return Err(format!(
                    "{kernel}: lli printed `{}`, exeunt `{}`",
                    theirs.text().trim(),
                    ours.text().trim()
                ));
            }
        }
        let seconds = [theirs.seconds, ours[0].seconds, ours[1].seconds];
        least.iter_mut().zip(seconds).for_each(|(least, now)| *least = least.min(now));
    }
    let [lli, interpreted, compiled] = least;
    Ok(Least { lli, interpreted, compiled })
}
