//! Known sequential loops, for the ranking engine and the search for infinite runs alone.

use exeunt_counter::{Integers, Request, Wish, system};
use exeunt_model::Verdict;

use crate::{answer, compile, root};

/// `docs/agreements.md` says how many are solved.
const SOLVED: usize = 103;

#[test]
fn known_loops_are_ranked_and_none_wrongly() {
    let file = root().join("tests/prove-loops/loops.c");
    let text = std::fs::read_to_string(&file).expect("the loops");
    let program = compile(&file);
    let lines: Vec<&str> = text.lines().collect();
    let (mut solved, mut all) = (0, 0);
    let mut open = Vec::new();
    for pair in lines.windows(2) {
        let ends = match pair[0].strip_prefix("// ").and_then(|line| line.split_once(':')) {
            Some(("ends", _)) => true,
            Some(("runs", _)) => false,
            _ => continue,
        };
        let name = pair[1].trim_start_matches("void ").split('(').next().expect("a name");
        let wish = Wish { thread: name.to_string(), beside: Some(Vec::new()), ..Wish::default() };
        let integers = Integers::Mathematical;
        let request = Request { program: &program, wish: &wish, integers };
        let automata = system(&request).unwrap_or_else(|what| panic!("{name}: {what}"));
        let found = answer(&automata, &wish, integers);
        all += 1;
        match (found.report.verdict, ends) {
            (Verdict::Holds, true) | (Verdict::Violated, false) => solved += 1,
            (Verdict::Inconclusive, _) => open.push(name),
            (wrong, _) => panic!("{name}: {}", wrong.name()),
        }
    }
    assert!(all >= 100, "{all} loops");
    assert!(solved >= SOLVED, "{solved} of {all} are solved; open: {open:?}");
}
