//! Our models against SPIN: the same tables, the same counts, the same
//! verdict. Known differences stand in `tests/promela/DIFFERENCES.md`.

mod support;

use std::path::PathBuf;

use exeunt_promela::PromelaOptions;
use support::{explore, load_file, replay, spin};

fn models() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/promela/models");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of models")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pml"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn models_agree_with_spin() {
    let paths = models();
    assert!(paths.len() >= 40, "only {} models", paths.len());
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let options = PromelaOptions { past_assertions: true, ..Default::default() };
        let model = load_file(&path, &options);
        let own = explore(&model, 1_000_000);
        let theirs = match spin::run(&path) {
            Ok(run) => run,
            Err(why) => {
                wrong.push(format!("{name}: {why}"));
                continue;
            }
        };
        wrong.extend(
            spin::disagreement(&model, &own, &theirs).map(|text| format!("{name}: {text}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where SPIN is wrong we are right. If it is repaired, this fails, and the
/// model belongs with the others.
#[test]
fn spin_is_still_wrong() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/promela/spin-is-wrong");
    for name in ["receive_truncates", "set_priority_of_nobody", "trace_stands_first"] {
        let path = PathBuf::from(folder).join(format!("{name}.pml"));
        let own = explore(&load_file(&path, &PromelaOptions::default()), 1000);
        assert!(own.faults.is_empty(), "{name}: {:?}", own.faults);
        let theirs = spin::run(&path).expect("spin takes the model");
        let differs = (own.states, own.transitions) != (theirs.states, theirs.transitions);
        assert!(theirs.assertion || differs, "{name}: {theirs:?}");
    }
}

#[test]
fn every_way_to_a_violation_replays() {
    let mut replayed = 0;
    for path in models() {
        let model = load_file(&path, &PromelaOptions::default());
        let found = explore(&model, 1_000_000);
        for way in found.ways.iter().take(20) {
            let (_, fault) = replay(&model, way);
            let expected = found.faults.iter().any(|known| Some(known) == fault.as_ref());
            assert!(expected || fault.is_none(), "{}: {way}", path.display());
            assert!(fault.is_some() || found.deadlocks > 0, "{}: {way}", path.display());
            replayed += 1;
        }
    }
    assert!(replayed > 20, "only {replayed} violations");
}
