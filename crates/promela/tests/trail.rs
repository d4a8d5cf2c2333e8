//! SPIN's trails, read and written.

mod support;

use std::path::PathBuf;

use exeunt_promela::{PromelaModel, PromelaOptions, read_trail, write_trail};
use support::{MapPool, explore, load_file, replay, spin};

const VIOLATED: [&str; 8] = [
    "philosophers",
    "rendezvous_atomic",
    "dekker_broken",
    "lamport_clock",
    "labels_remote",
    "sorted_random",
    "truncation",
    "readers",
];

fn path(name: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/promela/models");
    PathBuf::from(folder).join(format!("{name}.pml"))
}

/// Whether a schedule ends in a fault or where nothing can move.
fn ends_badly(model: &PromelaModel, schedule: &exeunt_model::Schedule) -> bool {
    let (texts, fault) = replay(model, schedule);
    assert!(texts.len() >= schedule.moves.len());
    fault.is_some() || explore(model, 1_000_000).deadlocks > 0
}

#[test]
fn a_trail_of_spin_becomes_a_schedule_and_a_trail_again() {
    for name in VIOLATED {
        let model = load_file(&path(name), &PromelaOptions::default());
        let trail = spin::trail(&path(name), &["-o1", "-o2", "-o3"]).expect(name);
        let schedule = read_trail(&model, &MapPool::default(), &trail)
            .unwrap_or_else(|error| panic!("{name}: {error}\n{trail}"))
            .schedule;
        assert!(ends_badly(&model, &schedule), "{name}");
        let again = write_trail(&model, &MapPool::default(), &schedule, None).expect(name);
        assert_eq!(again.trim(), trail.trim(), "{name}");
    }
}

#[test]
fn a_trail_with_merged_statements_is_followed() {
    // The verifier that SPIN makes of `truncation` with its optimisations
    // crashes before it finds anything.
    for name in VIOLATED.into_iter().filter(|name| *name != "truncation") {
        let model = load_file(&path(name), &PromelaOptions::default());
        let trail = spin::trail(&path(name), &[]).expect(name);
        let schedule = read_trail(&model, &MapPool::default(), &trail)
            .unwrap_or_else(|error| panic!("{name}: {error}\n{trail}"))
            .schedule;
        assert!(ends_badly(&model, &schedule), "{name}");
    }
}

#[test]
fn spin_follows_our_trails() {
    for name in VIOLATED {
        let model = load_file(&path(name), &PromelaOptions::default());
        let found = explore(&model, 1_000_000);
        let trail = write_trail(&model, &MapPool::default(), &found.ways[0], None).expect(name);
        let said = spin::follow(&path(name), &trail);
        let steps = trail.lines().count();
        let expected = said.contains(&format!("trail ends after {steps} steps"))
            || said.contains("assertion violated");
        assert!(expected, "{name}: {said}");
    }
}

#[test]
fn a_trail_that_does_not_fit_is_refused() {
    let model = load_file(&path("stuck"), &PromelaOptions::default());
    let error = read_trail(&model, &MapPool::default(), "1:0:0\n").expect_err("it is stuck");
    assert_eq!(error.line, 1);
    assert!(read_trail(&model, &MapPool::default(), "1;2\n").is_err());
}
