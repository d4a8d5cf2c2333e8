//! Runs Debian's `spin` on a model and reads what its verifier says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use exeunt_model::Property;
use exeunt_promela::{PromelaModel, print};

use super::Found;

/// The result of `pan -c0` without any reduction.
#[derive(Debug)]
pub struct SpinRun {
    pub states: u64,
    pub transitions: u64,
    pub errors: u64,
    pub deadlock: bool,
    pub assertion: bool,
    /// By process type and state: target and marks of each transition.
    pub tables: Tables,
    pub output: String,
}

impl SpinRun {
    pub fn is_violated(&self) -> bool {
        self.errors > 0
    }
}

pub type Tables = BTreeMap<String, BTreeMap<u32, Vec<(u32, String)>>>;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Generates, compiles and runs the verifier. `Err` says why that failed.
pub fn run(model: &Path) -> Result<SpinRun, String> {
    run_with(model, &[], &[])
}

/// The same with further options for SPIN and for the verifier.
pub fn run_with(model: &Path, spin: &[&str], pan: &[&str]) -> Result<SpinRun, String> {
    in_folder(|folder| run_in(folder, model, spin, pan))
}

/// The trail of the first error pan finds, if there is one.
pub fn trail(model: &Path, options: &[&str]) -> Option<String> {
    in_folder(|folder| {
        std::fs::copy(model, folder.join("m.pml")).expect("copying the model");
        tool(folder, "spin", &[options, &["-a", "m.pml"]].concat());
        let gcc = ["-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-o", "pan", "pan.c"];
        tool(folder, "gcc", &gcc);
        let pan = folder.join("pan").display().to_string();
        tool(folder, &pan, &["-n", "-m1000000", "-w18"]);
        std::fs::read_to_string(folder.join("m.pml.trail")).ok()
    })
}

/// What `spin -t` says when it follows a trail.
pub fn follow(model: &Path, trail: &str) -> String {
    in_folder(|folder| {
        std::fs::copy(model, folder.join("m.pml")).expect("copying the model");
        std::fs::write(folder.join("m.pml.trail"), trail).expect("writing the trail");
        text(&tool(folder, "spin", &["-t", "-p", "m.pml"]))
    })
}

fn in_folder<T>(work: impl FnOnce(&PathBuf) -> T) -> T {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("exeunt-spin-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder for spin");
    let result = work(&folder);
    std::fs::remove_dir_all(&folder).expect("removing the folder again");
    result
}

fn run_in(
    folder: &PathBuf,
    model: &Path,
    options: &[&str],
    pan_options: &[&str],
) -> Result<SpinRun, String> {
    std::fs::copy(model, folder.join("m.pml")).expect("copying the model");
    let spin = tool(folder, "spin", &[options, &["-o1", "-o2", "-o3", "-a", "m.pml"]].concat());
    let said = text(&spin);
    // The remark about `else` and channels is a warning in spite of its name.
    let wrong = said.lines().find(|line| line.contains("Error:") && !line.contains("dubious"));
    if let Some(line) = wrong {
        return Err(format!("spin refuses the model: {line}"));
    }
    let gcc = tool(
        folder,
        "gcc",
        &["-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DNOFAIR", "-o", "pan", "pan.c"],
    );
    if !gcc.status.success() {
        return Err(format!("gcc fails on pan.c: {}", text(&gcc)));
    }
    let pan = folder.join("pan").display().to_string();
    let search = [pan_options, &["-c0", "-n", "-m1000000", "-w18"]].concat();
    let output = text(&tool(folder, &pan, &search));
    let tables = text(&tool(folder, &pan, &["-d"]));
    parse(output, &tables)
}

fn tool(folder: &PathBuf, program: &str, args: &[&str]) -> Output {
    Command::new(program).args(args).current_dir(folder).output().unwrap_or_else(|error| {
        panic!("`{program}` could not be run ({error}); `./x test` installs spin and gcc")
    })
}

fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

fn parse(output: String, tables: &str) -> Result<SpinRun, String> {
    let number = |what: &str| -> Option<u64> {
        let line = output.lines().find(|line| line.contains(what))?;
        line.split_whitespace().next()?.parse::<f64>().ok().map(|value| value as u64)
    };
    let errors = output
        .lines()
        .find_map(|line| line.split("errors: ").nth(1))
        .and_then(|count| count.trim().parse().ok());
    let (Some(states), Some(transitions), Some(errors)) =
        (number("states, stored"), number("transitions (="), errors)
    else {
        return Err(format!("pan stopped early: {output}"));
    };
    Ok(SpinRun {
        states,
        transitions,
        errors,
        deadlock: output.contains("invalid end state ("),
        assertion: output.contains("assertion violated "),
        tables: spin_tables(tables),
        output,
    })
}

/// `state 15 -(tr 15)-> state 2 [id 0 tp 3] [A---G] m.pml:7 => …`
fn spin_tables(text: &str) -> Tables {
    let mut tables = Tables::new();
    let mut name = String::new();
    for line in text.lines() {
        if let Some(proctype) = line.strip_prefix("proctype ") {
            name = proctype.to_string();
        } else if line.trim() == "init" {
            name = "init".into();
        } else if line.ends_with(" assertion") {
            // SPIN calls both kinds by the same word.
            name = "trace".into();
        }
        let Some(rest) = line.trim_start().strip_prefix("state") else { continue };
        let parts: Vec<&str> = rest.split_whitespace().collect();
        let numbers: Vec<u32> = rest
            .split(|c: char| !c.is_ascii_digit())
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().expect("a number"))
            .collect();
        let marks = parts
            .iter()
            .find(|part| part.len() == 7 && part.starts_with('[') && part.ends_with(']'))
            .expect("a transition has marks");
        let marks: Vec<char> = marks[1..5].chars().collect();
        let marks: String = [
            if marks[0] == 'A' { 'A' } else { '-' },
            if marks[0] == 'D' { 'D' } else { '-' },
            marks[1],
            marks[2],
            marks[3],
        ]
        .iter()
        .collect();
        let states = tables.entry(name.clone()).or_default();
        states.entry(numbers[0]).or_default().push((numbers[2], marks));
    }
    tables
}

/// Our own printed tables in the same form.
fn own_tables(text: &str) -> Tables {
    let mut tables = Tables::new();
    let mut name = String::new();
    for line in text.lines() {
        if !line.starts_with(' ') {
            let own = line.split(',').next().expect("a name");
            name = if own == "notrace" { "trace" } else { own }.to_string();
            continue;
        }
        let parts: Vec<&str> = line.split_whitespace().collect();
        let (from, to) = (parts[0].parse().expect("a state"), parts[2].parse().expect("a state"));
        let marks = parts[3].trim_matches(['[', ']']).to_string();
        tables.entry(name.clone()).or_default().entry(from).or_default().push((to, marks));
    }
    tables
}

/// Models that are fine, but that SPIN does not take: a jump to a d_step is
/// for SPIN a jump into it, and a loop of `skip` alone makes pan stop.
pub fn is_whim(why: &str) -> bool {
    why.contains("jump into d_step") || why.contains("unconditional self-loop")
}

/// What SPIN says otherwise than we do: of tables, counts or the verdict.
pub fn disagreement(model: &PromelaModel, own: &Found, theirs: &SpinRun) -> Option<String> {
    if let Some(text) = difference(&own_tables(&print(model)), &theirs.tables) {
        return Some(text);
    }
    let (ours, spins) = ((own.states, own.transitions), (theirs.states, theirs.transitions));
    if ours != spins {
        return Some(format!("{ours:?} states and transitions, spin has {spins:?}"));
    }
    let broken = own.faults.iter().any(|fault| fault.property == Property::Assertion);
    let same = own.is_violated() == theirs.is_violated()
        && (own.deadlocks > 0) == theirs.deadlock
        && broken == theirs.assertion;
    (!same).then(|| format!("another verdict: {:?}, spin: {}", own.faults, theirs.output))
}

/// Where the two differ, if they do. SPIN also lists the first places of
/// escapes, which we reach only as parts of other places.
fn difference(own: &Tables, spin: &Tables) -> Option<String> {
    for (name, states) in own {
        let Some(theirs) = spin.get(name) else { return Some(format!("spin has no `{name}`")) };
        for (state, list) in states {
            let their = theirs.get(state).cloned().unwrap_or_default();
            // SPIN does not mark a d_step as one inside an atomic sequence.
            let same = |(own, their): (&(u32, String), &(u32, String))| {
                let from = if own.1.contains('D') { 2 } else { 0 };
                own.0 == their.0 && own.1[from..] == their.1[from..]
            };
            if list.len() != their.len() || !list.iter().zip(&their).all(same) {
                return Some(format!("`{name}` state {state}: {list:?}, spin has {their:?}"));
            }
        }
    }
    None
}
