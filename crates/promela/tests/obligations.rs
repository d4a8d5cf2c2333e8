//! `P:from..to`: a process that comes to one label must get to the other.

mod support;

use exeunt_model::{Basis, Model, Property, Report, SectionKind, Verdict};
use exeunt_promela::PromelaOptions;
use exeunt_search::{Options, check};
use support::load_with;

fn checked(name: &str, text: &str, range: &str) -> Report {
    let [plain, reduced] = [false, true].map(|reduces| {
        let must_end = vec![range.to_string()];
        let options = PromelaOptions { must_end, merges: reduces, ..Default::default() };
        let model = load_with(&format!("{name}-{reduces}"), text, &options).expect("it is fine");
        check(
            &mut *model.open(Basis::Learnt),
            &Options { reduces, ..Default::default() },
            &mut |_| {},
        )
    });
    assert_eq!(plain.verdict, reduced.verdict, "{name}");
    reduced
}

fn refused(name: &str, text: &str, range: &str) -> String {
    let options = PromelaOptions { must_end: vec![range.to_string()], ..Default::default() };
    load_with(name, text, &options).expect_err("it is refused")[0].to_string()
}

#[test]
fn a_process_that_waits_inside_is_reported() {
    let text = "bool go; byte n;
        active proctype p() { n = 1; from: n = 2; go; to: n = 3 }
        active proctype q() { do :: n = 4 od }";
    let report = checked("waits", text, "p:from..to");
    assert_eq!(report.verdict, Verdict::Violated, "{}", report.reason);
    let violation = &report.violations[0];
    assert_eq!(violation.property, Property::Section);
    assert_eq!(violation.sections[0].kind, SectionKind::User);
    assert_eq!(violation.sections[0].name, "p:from..to");
    assert!(violation.message.contains("process 0"), "{}", violation.message);
}

#[test]
fn what_is_always_left_holds() {
    let text = "byte n;
        active proctype p() { do :: n = 0; from: n = 1; n = 2; to: n = 3 od }
        active proctype q() { do :: n = 4 od }";
    assert_eq!(checked("left", text, "p:from..to").verdict, Verdict::Holds);
}

#[test]
fn the_end_of_the_process_leaves_it_too() {
    let text = "byte n;
        active proctype p() { if :: goto from :: skip fi; to: n = 9; from: n = 1; n = 2 }";
    assert_eq!(checked("ends", text, "p:from..to").verdict, Verdict::Holds);
}

#[test]
fn what_the_environment_can_prevent_is_reported() {
    let text = "byte n; active proctype p() { from: do :: n = 1 :: break od; to: skip }";
    let report = checked("choice", text, "p:from..to");
    assert_eq!(report.verdict, Verdict::Violated, "{}", report.reason);
}

/// In every state it is inside, and on every step it was outside.
#[test]
fn leaving_and_entering_in_one_step_counts() {
    let text = "byte n; active proctype p() {
        from: n = 1; do :: atomic { n = 2; to: n = 3; goto from } od }";
    assert_eq!(checked("atomic", text, "p:from..to").verdict, Verdict::Holds);
}

#[test]
fn ranges_without_bounds_are_refused() {
    let text = "byte n; active proctype p() { if :: goto mid :: skip fi;
        from: n = 1; mid: n = 2; to: n = 3 }";
    assert!(refused("bounds", text, "p:from..to").contains("no clear bounds"));
    let first = "byte n; active proctype p() { do :: from: n = 1; to: n = 2 od }";
    assert!(refused("first", first, "p:from..to").contains("ever stands at `from`"));
    assert!(refused("label", text, "p:from..till").contains("no label `till`"));
    assert!(refused("form", text, "p:from").contains("no range of labels"));
    assert!(refused("same", text, "p:from..from").contains("no range of labels"));
    assert!(refused("proctype", text, "q:from..to").contains("no process type `q`"));
}
