//! `exeunt check --watch`: checks again whenever a file is saved, until Ctrl-C.
//!
//! Each check is a process of its own, so that nothing of it stays. A file is looked at by its time and size,
//! five times a second: that works on every file system. Watched are the files that are named
//! and the sources and headers beside them and in the directories of `-I`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, SystemTime};

use crate::args::CheckArgs;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt;
use crate::output;

const LOOK: Duration = Duration::from_millis(200);
const TICK: Duration = Duration::from_millis(20);

/// Endings of files that a program can consist of.
const ENDINGS: [&str; 16] = [
    "c", "h", "cpp", "cc", "cxx", "C", "hpp", "hh", "hxx", "inc", "i", "ii", "ll", "bc", "pml",
    "prp",
];

type Seen = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

pub(crate) fn run(arguments: &CheckArgs) -> Result<u8, Failure> {
    interrupt::listen();
    let places = places(arguments);
    loop {
        let before = look(&places);
        let mut child = start()?;
        let changed = wait(&mut child, &places, &before);
        let _ = child.kill();
        let _ = child.wait();
        match changed {
            Some(file) => output::print(&format!("\n--- {} has changed\n", file.display())),
            None => return Ok(INTERRUPTED),
        }
    }
}

/// The same command without `--watch`.
fn start() -> Result<Child, Failure> {
    let binary = std::env::current_exe()
        .map_err(|why| Failure::bad(format!("the path of exeunt is unknown: {why}")))?;
    let arguments = std::env::args_os().skip(1).filter(|argument| argument != "--watch");
    let started = Command::new(&binary).args(arguments).spawn();
    started.map_err(|why| Failure::file("start", &binary, &why))
}

/// The file that changed; `None` if the user wants to end.
fn wait(child: &mut Child, places: &[PathBuf], before: &Seen) -> Option<PathBuf> {
    let mut ticks = 0u32;
    let mut runs = true;
    loop {
        if interrupt::requested() {
            return None;
        }
        if runs && child.try_wait().is_ok_and(|ended| ended.is_some()) {
            runs = false;
            output::print("--- waiting for a file to change; Ctrl-C ends\n");
        }
        std::thread::sleep(TICK);
        ticks += 1;
        if ticks.is_multiple_of(LOOK.as_millis() as u32 / TICK.as_millis() as u32)
            && let Some(file) = changed(before, &look(places))
        {
            return Some(file);
        }
    }
}

fn changed(before: &Seen, now: &Seen) -> Option<PathBuf> {
    now.iter().find(|(file, seen)| before.get(*file) != Some(seen)).map(|(file, _)| file.clone())
}

/// Files, and directories whose sources count.
fn places(arguments: &CheckArgs) -> Vec<PathBuf> {
    let mut places = arguments.files.clone();
    let parents = arguments.files.iter().filter_map(|file| file.parent());
    places.extend(parents.map(|parent| match parent.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => parent.to_path_buf(),
    }));
    places.extend(
        arguments
            .compiling
            .arguments()
            .iter()
            .filter_map(|flag| flag.strip_prefix("-I").map(PathBuf::from)),
    );
    places.extend(arguments.property_file.clone());
    places.sort();
    places.dedup();
    places
}

fn look(places: &[PathBuf]) -> Seen {
    let mut seen = Seen::new();
    for place in places {
        if !place.is_dir() {
            note(&mut seen, place.clone());
            continue;
        }
        let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
        for file in entries.map(|entry| entry.path()).filter(|file| is_source(file)) {
            note(&mut seen, file);
        }
    }
    seen
}

fn is_source(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

/// A file that is not there for a moment, because an editor replaces it, has not changed.
fn note(seen: &mut Seen, file: PathBuf) {
    if let Ok(data) = std::fs::metadata(&file) {
        seen.insert(file, (data.modified().ok(), data.len()));
    }
}
