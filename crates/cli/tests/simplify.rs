//! Simpler schedules (`--simplify`): what is claimed about switches agrees with searches under a bound, and
//! the schedule can be replayed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn exeunt(arguments: &[&str]) -> Output {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.args(arguments).current_dir(root).output().expect("exeunt runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Programs, and the switches that their violations need.
const PROGRAMS: [(&str, u32); 6] = [
    ("examples/01_deadly_embrace.c", 1),
    ("examples/04_lost_wakeup.c", 1),
    ("examples/03_use_after_free.c", 1),
    ("examples/06_philosophers.c", 1),
    ("tests/ui/c/search/four_switches.c", 4),
    ("tests/promela/models/philosophers.pml", 1),
];

#[test]
fn claims_about_switches_are_true() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.json");
    let trace = trace.to_string_lossy();
    for (file, switches) in PROGRAMS {
        let simple = exeunt(&["check", file, "--simplify=60s", "--save", &trace]);
        assert_eq!(simple.status.code(), Some(1), "{file}: {}", text(&simple));
        let noun = if switches == 1 { "switch" } else { "switches" };
        let claim = format!(
            "this schedule has {switches} preemptive context {noun}; no fewer are possible"
        );
        assert!(text(&simple).contains(&claim), "{file}: {}", text(&simple));
        let fewer = (switches - 1).to_string();
        let bounded = exeunt(&["check", file, "--context-bound", &fewer]);
        assert_eq!(bounded.status.code(), Some(3), "{file}: {}", text(&bounded));
        let again = exeunt(&["replay", &trace]);
        assert_eq!(again.status.code(), Some(1), "{file}: {}", text(&again));
    }
}

#[test]
fn nothing_is_claimed_about_sections_and_without_an_end() {
    let section = exeunt(&["check", "examples/11_partial_deadlock.c", "--simplify=60s"]);
    assert!(text(&section).contains("none with fewer was found"), "{}", text(&section));
    // All that hang are named, as without it.
    for wait in ["thread 2 waits for mutex `journal`", "thread 3 waits for mutex `accounts`"] {
        assert!(text(&section).contains(wait), "{}", text(&section));
    }
    let large = exeunt(&["check", "examples/13_million.c", "--simplify=200ms"]);
    assert!(text(&large).contains("no simpler schedule was found in 0.2 s"), "{}", text(&large));
}
