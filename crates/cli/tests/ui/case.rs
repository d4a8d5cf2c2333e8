//! One program: everything that is promised about it.

use std::path::Path;

use serde_json::Value;

use crate::directives::{self, Directives, States};
use crate::tool::{self, Ran, Scratch};
use crate::{bless, native, normalise};

const REDUCTIONS: [&str; 7] = ["none", "global", "tau", "superstep", "movers", "full", "stubborn"];
/// C++ takes seconds to compile, every time, and comes down to what C shows.
const REDUCTIONS_OF_CXX: [&str; 3] = ["none", "superstep", "stubborn"];
/// Flags that choose an order of the search, or whose bound depends on it.
const ORDERS: [&str; 9] = [
    "--shortest",
    "--minimal",
    "--context-bound",
    "--max-",
    "--time",
    "--jobs",
    "--bitstate",
    "--hash-compact",
    "--checkpoint",
];

pub(crate) fn run(path: &Path) -> Result<(), String> {
    if bless::wanted() {
        Case::read(path)?.pin()?;
    }
    let case = Case::read(path)?;
    for reduction in case.reductions() {
        case.check(&reduction).map_err(|why| format!("--reduction {reduction}: {why}"))?;
    }
    if case.has_other_order() {
        case.agrees(&["--shortest"], &[]).map_err(|why| format!("--shortest: {why}"))?;
    }
    if case.directives.optimised {
        case.agrees(&[], &["-O2"]).map_err(|why| format!("-O2: {why}"))?;
    }
    case.human()?;
    if case.directives.native {
        native::compare(case.directory, &case.files, &case.directives)?;
    }
    Ok(())
}

struct Case<'a> {
    path: &'a Path,
    directory: &'a Path,
    files: Vec<String>,
    directives: Directives,
}

impl<'a> Case<'a> {
    fn read(path: &'a Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|why| why.to_string())?;
        let directives = directives::read(&text)?;
        let name = path.file_name().ok_or("a program has a name")?.to_string_lossy().into_owned();
        let files = std::iter::once(name).chain(directives.files.iter().cloned()).collect();
        let directory = path.parent().ok_or("a program is in a directory")?;
        Ok(Case { path, directory, files, directives })
    }

    fn reductions(&self) -> Vec<String> {
        let has = |wanted: &[&str]| {
            let mut flags = self.directives.flags.iter();
            flags.any(|flag| wanted.iter().any(|wanted| flag.starts_with(wanted)))
        };
        // What movers are refused with.
        let asks = ["--fair", "--minimal", "--context-bound", "--checkpoint"];
        let once = has(&asks);
        let listed: &[&str] = match self.files[0].ends_with(".cpp") {
            true => &REDUCTIONS_OF_CXX,
            false => &REDUCTIONS,
        };
        let possible = listed.iter().filter(|name| match **name {
            // Its steps are those of `stubborn`; which threads may be left out is compared there.
            "movers" => !once && self.directory.ends_with("reduction"),
            "full" | "stubborn" => !once,
            _ => true,
        });
        let all = || possible.map(ToString::to_string).collect();
        let mut chosen = self.directives.reductions.clone().unwrap_or_else(all);
        // Whatever is true with movers is true with stubborn sets as well.
        if chosen.iter().any(|name| name == "movers") && !chosen.iter().any(|n| n == "stubborn") {
            chosen.push("stubborn".to_string());
        }
        // For a quick look at one of them.
        if let Ok(only) = std::env::var("EXEUNT_UI_REDUCTION") {
            chosen.retain(|name| *name == only);
        }
        chosen
    }

    /// Whether the program is to be searched breadth first as well: not if its
    /// flags choose an order or a bound that depends on the order.
    fn has_other_order(&self) -> bool {
        let mut flags = self.directives.flags.iter();
        !flags.any(|flag| ORDERS.iter().any(|order| flag.starts_with(order)))
            && self.directives.states != Some(States::Any)
            && self.directives.reductions.is_none()
    }

    /// `exeunt check` with the flags of the program and some more.
    fn exeunt(&self, more: &[&str]) -> Result<Ran, String> {
        self.exeunt_compiled(more, &[])
    }

    /// The same with more arguments for clang.
    fn exeunt_compiled(&self, more: &[&str], clang: &[&str]) -> Result<Ran, String> {
        let mut command = tool::exeunt();
        command.arg("check").args(&self.files).args(&self.directives.flags).args(more);
        if !(self.directives.clang_args.is_empty() && clang.is_empty()) {
            command.arg("--").args(&self.directives.clang_args).args(clang);
        }
        tool::run(command, self.directory)
    }

    /// Verdict and property are the same with other flags. Lines need not be:
    /// another order finds another violation first, an optimiser merges them.
    fn agrees(&self, more: &[&str], clang: &[&str]) -> Result<(), String> {
        let json = [&["--format", "json"], more].concat();
        let ran = self.exeunt_compiled(&json, clang)?;
        let report: Value = serde_json::from_slice(&ran.stdout).map_err(|_| ran.story())?;
        let wanted = &self.directives;
        let mut properties = report["violations"].as_array().into_iter().flatten();
        let other = properties.find(|violation| !wanted.has_property(violation));
        match other {
            _ if report["verdict"] != wanted.verdict.as_str() => {
                Err(format!("the verdict is {}", report["verdict"]))
            }
            Some(other) => Err(format!("the property is {}", other["property"])),
            None => Ok(()),
        }
        .map_err(|why| format!("{why}\n{}", brief(&ran, &report)))
    }

    /// Verdict, property, line and count under one reduction, and the replay.
    fn check(&self, reduction: &str) -> Result<(), String> {
        let scratch = Scratch::new()?;
        let trace = scratch.path("trace.json");
        let save = trace.to_string_lossy().into_owned();
        let ran = self.exeunt(&["--reduction", reduction, "--format", "json", "--save", &save])?;
        let report: Value = serde_json::from_slice(&ran.stdout).map_err(|_| ran.story())?;
        self.verdict(&ran, &report).map_err(|why| format!("{why}\n{}", brief(&ran, &report)))?;
        if reduction == "none" {
            self.states(&report)?;
        }
        match self.directives.verdict.as_str() {
            "violated" => self.replay(&trace),
            _ if trace.exists() => {
                Err("a trace was saved although nothing is violated".to_string())
            }
            _ => Ok(()),
        }
    }

    fn verdict(&self, ran: &Ran, report: &Value) -> Result<(), String> {
        let wanted = &self.directives;
        let code = match wanted.verdict.as_str() {
            "holds" => 0,
            "violated" => 1,
            _ => 3,
        };
        if report["verdict"] != wanted.verdict.as_str() {
            return Err(format!("the verdict is {}, not {}", report["verdict"], wanted.verdict));
        }
        if ran.code != Some(code) {
            return Err(format!("the exit code is {:?}, not {code}", ran.code));
        }
        self.violations(report["violations"].as_array().ok_or("there is no list of violations")?)
    }

    fn violations(&self, violations: &[Value]) -> Result<(), String> {
        let wanted = &self.directives;
        if wanted.verdict != "violated" {
            return if violations.is_empty() {
                Ok(())
            } else {
                Err("there are violations".to_string())
            };
        }
        if let Some(other) = violations.iter().find(|violation| !wanted.has_property(violation)) {
            return Err(format!("the property is {}, not {}", other["property"], wanted.property));
        }
        let found = |property: &str| violations.iter().any(|v| v["property"] == property);
        if let Some(missing) = wanted.properties().find(|property| !found(property)) {
            return Err(format!("there is no violation of {missing}"));
        }
        let mut lines: Vec<u64> = violations.iter().filter_map(|v| self.own_line(v)).collect();
        lines.sort_unstable();
        lines.dedup();
        let all = wanted.flags.iter().any(|flag| flag == "--all");
        let right = match (wanted.guilty.is_empty(), all) {
            (true, _) => lines.is_empty(),
            (false, true) => lines == wanted.guilty,
            (false, false) => lines.len() == 1 && wanted.guilty.contains(&lines[0]),
        };
        if right {
            Ok(())
        } else {
            Err(format!("guilty are lines {lines:?}, marked are {:?}", wanted.guilty))
        }
    }

    /// The line of a violation, if it is in this file.
    fn own_line(&self, violation: &Value) -> Option<u64> {
        let location = &violation["location"];
        let file = location["file"].as_str()?;
        let name = file.rsplit('/').next()?;
        (name == self.files[0])
            .then(|| location["line"].as_u64())
            .flatten()
            .filter(|line| *line > 0)
    }

    /// Writes the unreduced state count into the program, if its verdict is right.
    fn pin(&self) -> Result<(), String> {
        if self.directives.states == Some(States::Any)
            || !self.reductions().iter().any(|r| r == "none")
        {
            return Ok(());
        }
        let ran = self.exeunt(&["--reduction", "none", "--format", "json"])?;
        let report: Value = serde_json::from_slice(&ran.stdout).map_err(|_| ran.story())?;
        self.verdict(&ran, &report).map_err(|why| format!("{why}\n{}", brief(&ran, &report)))?;
        let found =
            report["statistics"]["states"].as_u64().ok_or("there is no number of states")?;
        bless::pin_states(self.path, found)
    }

    fn states(&self, report: &Value) -> Result<(), String> {
        let found =
            report["statistics"]["states"].as_u64().ok_or("there is no number of states")?;
        match self.directives.states {
            Some(States::Any) => Ok(()),
            Some(States::Pinned(pinned)) if pinned == found => Ok(()),
            Some(States::Pinned(pinned)) => {
                Err(format!("{found} states, pinned are {pinned} (`./x bless` accepts it)"))
            }
            None => Err(format!("{found} states are not pinned (`./x bless` does it)")),
        }
    }

    /// The saved schedule must end in the same violation.
    fn replay(&self, trace: &Path) -> Result<(), String> {
        let mut command = tool::exeunt();
        command.arg("replay").arg(trace).args(["--format", "json"]);
        let ran = tool::run(command, self.directory)?;
        if ran.code == Some(1) {
            Ok(())
        } else {
            Err(format!("the replay went wrong\n{}", ran.story()))
        }
    }

    fn human(&self) -> Result<(), String> {
        let ran = self.exeunt(&[])?;
        let warning = &self.directives.warning;
        if warning.is_empty() && !ran.stderr.is_empty() || !ran.stderr.contains(warning) {
            return Err(format!("stderr is not what it should be\n{}", ran.story()));
        }
        bless::compare(self.path, &normalise::normalise(&ran.text()))
    }
}

/// A report without its traces, for a failure message.
fn brief(ran: &Ran, report: &Value) -> String {
    let mut report = report.clone();
    for violation in report["violations"].as_array_mut().into_iter().flatten() {
        violation["trace"] = Value::Null;
    }
    format!("$ {}\n{report:#}\n{}", ran.line, ran.stderr)
}
