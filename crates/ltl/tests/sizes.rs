//! How large our automata are, beside those of `spin -f`, for the negations
//! of formulas that people check. `cargo test -p exeunt-ltl --test sizes --
//! --nocapture` prints the table.
//!
//! SPIN's sizes are written down here; where `spin` is installed they are
//! measured again and must be the same.

use std::process::Command;

use exeunt_ltl::{Automaton, Buchi, parse};

struct Size {
    formula: &'static str,
    /// States and transitions of SPIN's never claim for the negation.
    spin: (usize, usize),
}

const fn size(formula: &'static str, states: usize, transitions: usize) -> Size {
    Size { formula, spin: (states, transitions) }
}

const FORMULAS: &[Size] = &[
    size("[] p", 2, 3),
    size("<> p", 1, 1),
    size("p U q", 2, 3),
    size("p V q", 2, 3),
    size("[] <> p", 2, 3),
    size("<> [] p", 2, 3),
    size("[] (p -> <> q)", 2, 3),
    size("[] (p -> (q U r))", 3, 6),
    size("<> p -> (!p U q)", 5, 11),
    size("[] (q -> [] !p)", 3, 6),
    size("[] ((q && !r && <> r) -> (!p U r))", 4, 8),
    size("[] (q && !r -> (!r U (p && !r)))", 3, 5),
    size("<> q -> (!q U (q && <> p))", 7, 18),
    size("(!p U (s || [] !p))", 5, 12),
    size("<> r -> (!p U (s || r))", 4, 9),
    size("[] ((q && <> r) -> (!p U (s || r)))", 5, 14),
    size("[] <> p -> [] <> q", 3, 6),
    size("([] <> p && [] <> q) -> [] <> r", 4, 10),
    size("([] <> p -> [] <> q) && ([] <> r -> [] <> s)", 7, 18),
    size("[] (p -> <> (q && <> r))", 4, 8),
    size("<> p -> (p U (q && <> r))", 10, 27),
    size("(p U q) U r", 3, 6),
    size("p U (q U r)", 3, 6),
    size("(p U (q U r)) || (q U (r U p)) || (r U (p U q))", 27, 216),
    size("(<> p && <> q) -> <> (p && <> q)", 6, 13),
    size("[] (p -> (<> q && <> r && <> s))", 4, 7),
    size("!([] <> p && [] <> q && [] <> r)", 4, 10),
    size("!(<> p && <> q && <> r && <> s)", 16, 81),
    size("<> [] p || <> [] q || [] <> r", 4, 10),
    size("[] ((p && !q) -> <> q)", 2, 3),
    size("[] (p || q || r) && ! <> (p && q)", 2, 3),
    size("(!p U (q U (r && [] s)))", 13, 66),
    size("[] p || <> q", 2, 3),
    size("[] (p -> [] (q -> <> r))", 3, 6),
    size("([] (p || [] <> r)) && ([] (q || [] <> !r))", 5, 11),
];

#[test]
fn no_larger_than_spin_in_total() {
    let (mut ours, mut spins) = ((0, 0), (0, 0));
    println!("{:56} {:>9} {:>9} {:>12}", "negated", "exeunt", "spin", "generalised");
    for Size { formula, spin } in FORMULAS {
        let negated = parse(&format!("!({formula})")).expect(formula);
        let general = Automaton::of(&negated).expect(formula);
        let buchi = Buchi::degeneralised(&general);
        let our = (buchi.states.len(), buchi.transitions());
        let edges: usize = general.states.iter().map(Vec::len).sum();
        let general = format!("{}/{} ({})", general.states.len(), edges, general.marks);
        println!("{formula:56} {:>9} {:>9} {general:>12}", show(our), show(*spin));
        ours = (ours.0 + our.0, ours.1 + our.1);
        spins = (spins.0 + spin.0, spins.1 + spin.1);
        assert!(our.0 <= spin.0, "{formula}: {} states, SPIN has {}", our.0, spin.0);
    }
    println!("{:56} {:>9} {:>9}", "total", show(ours), show(spins));
    assert!(ours.0 <= spins.0 && ours.1 <= spins.1, "ours {ours:?}, SPIN's {spins:?}");
}

#[test]
fn the_sizes_of_spin_are_the_ones_written_down() {
    for Size { formula, spin } in FORMULAS {
        // Without SPIN there is nothing to compare with.
        let Some(measured) = measure(&format!("!({formula})")) else { return };
        assert_eq!(measured, *spin, "`spin -f '!({formula})'`");
    }
}

fn show((states, transitions): (usize, usize)) -> String {
    format!("{states}/{transitions}")
}

/// Counts the states of a never claim (several labels may stand before one)
/// and its transitions; `skip` stays where it is.
fn measure(formula: &str) -> Option<(usize, usize)> {
    let output = Command::new("spin").args(["-f", formula]).output().ok()?;
    assert!(output.status.success(), "spin refuses {formula}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (mut states, mut transitions) = (0, 0);
    let mut after_label = false;
    for line in text.lines().skip(1).map(str::trim) {
        let label = line.ends_with(':') && !line.starts_with("::");
        states += usize::from(label && !after_label);
        transitions += usize::from(line.starts_with("::") || line == "skip" || line == "false;");
        after_label = label;
    }
    Some((states, transitions))
}
