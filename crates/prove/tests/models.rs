//! Every model in `tests/prove`: the verdict, what grows, the certificate by
//! the independent checker, and the run itself on our Promela machine.

mod support;

use exeunt_certify::{Certificate, Name};
use exeunt_model::Verdict;
use support::{Expectation, certificate, expectations, load, models, prove, replay};

const SECONDS: f64 = 1.0;
const TRIES: usize = 5;

#[test]
fn every_model_is_answered_as_expected() {
    let mut wrong = Vec::new();
    for path in models() {
        let model = load(&path);
        for expected in expectations(&path) {
            let answer = prove(&model, &expected.options);
            let got = certificate(&answer);
            let verdict = answer.report.verdict;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().to_string();
            if verdict != expected.verdict || !grows(&expected, got) {
                let growth = got.map(|got| got.growth.clone());
                let reason = &answer.report.reason;
                wrong.push(format!("{name}: {}\n  {reason}\n  {growth:?}", expected.line));
            }
            assert_eq!(got.is_some(), verdict == Verdict::Violated, "{name}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_certificate_is_right_and_every_run_can_be_replayed() {
    let mut count = 0;
    for path in models() {
        let model = load(&path);
        for expected in expectations(&path) {
            let answer = prove(&model, &expected.options);
            let Some(certificate) = certificate(&answer) else { continue };
            let checked = exeunt_certify::check(model.program(), certificate);
            assert!(checked.is_ok(), "{}: {}: {checked:?}", path.display(), expected.line);
            let rounds = rounds(certificate);
            let replayed = replay(&path, certificate, rounds);
            assert_eq!(replayed, Ok(()), "{}: {rounds} rounds", path.display());
            count += 1;
        }
    }
    assert!(count > 30, "only {count} certificates");
}

/// The paper's case studies: each in a second, at the best of a few times
/// because others may use the machine.
#[test]
fn case_studies_are_quick() {
    for path in models().iter().filter(|path| path.to_string_lossy().contains("figure_")) {
        let model = load(path);
        let mut tries =
            (0..TRIES).map(|_| prove(&model, &Default::default()).report.statistics.seconds);
        assert!(tries.any(|seconds| seconds < SECONDS), "{}", path.display());
    }
}

#[test]
fn some_invariants_are_found_only_by_refinement() {
    let path = models().into_iter().find(|path| path.ends_with("refined.pml"));
    let path = path.expect("the model");
    let answer = prove(&load(&path), &expectations(&path)[0].options);
    assert_eq!(answer.report.proof.expect("a proof").refinements, 1);
}

fn grows(expected: &Expectation, got: Option<&Certificate>) -> bool {
    let Some((name, by)) = &expected.grows else { return true };
    let Some(got) = got else { return false };
    if name == "nothing" {
        return got.growth.is_empty();
    }
    got.growth.iter().any(|growth| {
        let by = by == "any" || growth.by.to_string() == *by;
        by && (name == "any" || called(got, &growth.name, name))
    })
}

fn called(certificate: &Certificate, own: &Name, name: &str) -> bool {
    match own {
        Name::Length(channel) => certificate
            .channels
            .iter()
            .any(|growing| growing.channel == *channel && growing.name == name),
        Name::Global(own) => own == name,
        Name::Local(pid, own) => {
            let all = certificate.stem.iter().chain(&certificate.cycle).map(|step| &step.by);
            let mut mine = all.filter(|by| by.process == *pid);
            mine.next().is_some_and(|by| name == format!("{}:{own}", by.proctype))
        }
        Name::Message(..) | Name::Field(_) => false,
    }
}

/// As many rounds as fit into the longest channels that our machine has.
fn rounds(certificate: &Certificate) -> usize {
    let fit = |growing: &exeunt_certify::GrowingChannel| {
        (250 - growing.length - growing.adds) / (growing.adds - growing.takes)
    };
    certificate.channels.iter().map(fit).min().unwrap_or(300).min(300)
}
