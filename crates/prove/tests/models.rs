//! Every model in `tests/prove`: the verdict, what grows, the certificate by
//! the independent checker, and the run itself on our Promela machine.

mod support;

use exeunt_certify::{Certificate, Name};
use exeunt_model::Verdict;
use exeunt_prove::Options;
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

/// Every kind of cycle is listed once, each with a certificate of its own.
#[test]
fn all_cycles_are_listed_once() {
    let (_folder, path) = support::several_cycles();
    let model = load(&path);
    let one = prove(&model, &Default::default());
    assert!(one.others.is_empty() && certificate(&one).is_some());
    let all = Options { all: true, max_states: 3_000, ..Options::default() };
    let answer = prove(&model, &all);
    let certificates: Vec<&Certificate> =
        certificate(&answer).into_iter().chain(&answer.others).collect();
    let mut grown = Vec::new();
    for certificate in &certificates {
        let checked = exeunt_certify::check(model.program(), certificate);
        assert!(checked.is_ok(), "{checked:?}");
        assert_eq!(replay(&path, certificate, rounds(certificate)), Ok(()));
        let mut names: Vec<String> =
            certificate.growth.iter().map(|growth| growth.text.clone()).collect();
        names.sort();
        grown.push(names.join(" and "));
    }
    println!("{grown:#?}");
    let alone = |name: &str| {
        grown.iter().filter(|names| names.contains(name) && !names.contains(" and ")).count()
    };
    assert!(["`c`", "`d`", "`e`"].iter().all(|name| alone(name) == 1), "{grown:#?}");
    assert!(certificates.len() <= 4, "{grown:#?}");
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
        Name::Length(channel) => {
            let growing = certificate.channels.iter().map(|own| (own.channel, &own.name));
            let bags = certificate.bags.iter().map(|own| (own.channel, &own.name));
            growing.chain(bags).any(|(number, own)| number == *channel && own == name)
        }
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
    let growing = certificate.channels.iter().map(|own| (own.length, own.takes, own.adds));
    let bags = certificate.bags.iter().map(|own| (own.length, own.takes, own.adds));
    let fit = |(length, takes, adds): (usize, usize, usize)| (250 - length - adds) / (adds - takes);
    growing.chain(bags).map(fit).min().unwrap_or(300).min(300)
}
