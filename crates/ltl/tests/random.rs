//! The automaton of a formula accepts a word exactly if the formula holds of
//! it, for thousands of random formulas and words from a fixed seed.

use std::sync::Arc;

use exeunt_ltl::{Automaton, Binary, Buchi, Formula, Lasso, Unary, parse};
use exeunt_random::Random;

const FORMULAS: usize = 4000;
const WORDS: usize = 40;

#[test]
fn automata_accept_what_formulas_say() {
    let mut random = Random::new(0x5eed);
    for round in 0..FORMULAS {
        let size = 1 + round % 14;
        check(&random_formula(&mut random, size), &mut random);
    }
}

#[test]
fn printed_formulas_parse_to_the_same() {
    let mut random = Random::new(7);
    for _ in 0..FORMULAS {
        let formula = random_formula(&mut random, 20);
        assert_eq!(parse(&formula.to_string()), Ok(formula));
    }
}

/// Words that tell fairness apart are rare among random ones.
#[test]
fn products_of_fairness() {
    let mut random = Random::new(99);
    for text in [
        "GF a && GF b && GF c",
        "(GF a && GF b) -> GF c",
        "(GF a -> GF b) && (GF b -> GF c)",
        "FG a || FG b || GF c",
        "G (a -> F (b && F c))",
        "(a U b) U (b U c)",
        "GF (a && X X b)",
        "G (a <-> X b)",
        "(a ~> b) && (b ~> c)",
        "!((a M b) W c)",
        "(a R b) R (b R c)",
        "F (a && X (b U c)) && G (b || F a)",
    ] {
        let formula = parse(text).expect(text);
        for _ in 0..20 {
            check(&formula, &mut random);
        }
    }
}

fn check(formula: &Formula, random: &mut Random) {
    let names: Vec<Arc<str>> = formula.propositions();
    let yes = Automaton::of(formula).expect("small");
    let no = Automaton::of(&formula.negated()).expect("small");
    let (yes_states, no_states) = (Buchi::degeneralised(&yes), Buchi::degeneralised(&no));
    for _ in 0..WORDS {
        let word = lasso(random);
        let holds = word.satisfies(formula, &names);
        assert_eq!(word.accepted_by(&yes), holds, "{formula} on {word:?}");
        assert_eq!(word.accepted_by(&no), !holds, "!({formula}) on {word:?}");
        assert_eq!(word.accepted_by_buchi(&yes_states), holds, "{formula} on {word:?}");
        assert_eq!(word.accepted_by_buchi(&no_states), !holds, "!({formula}) on {word:?}");
    }
}

fn random_formula(random: &mut Random, size: usize) -> Formula {
    if size <= 1 {
        return match random.below(20) {
            0 => Formula::True,
            1 => Formula::False,
            at => Formula::proposition(["a", "b", "c"][at % 3]),
        };
    }
    if random.below(5) < 2 || size == 2 {
        let ops = [Unary::Not, Unary::Next, Unary::Always, Unary::Eventually];
        return Formula::unary(random.one_of(&ops), random_formula(random, size - 1));
    }
    let left = 1 + random.below(size - 2);
    let ops = [
        Binary::And,
        Binary::Or,
        Binary::Until,
        Binary::Release,
        Binary::WeakUntil,
        Binary::StrongRelease,
        Binary::Implies,
        Binary::Equivalent,
        Binary::LeadsTo,
    ];
    // Equivalences double a formula: they are drawn less often.
    let kinds = if random.below(3) == 0 { 9 } else { 7 };
    let op = random.one_of(&ops[..kinds]);
    let (a, b) = (random_formula(random, left), random_formula(random, size - 1 - left));
    Formula::binary(op, a, b)
}

fn lasso(random: &mut Random) -> Lasso {
    let (stem, cycle) = (random.below(4), 1 + random.below(4));
    let mut letters = |count: usize| (0..count).map(|_| random.below(8u64)).collect();
    let (stem, cycle): (Vec<u64>, Vec<u64>) = (letters(stem), letters(cycle));
    Lasso::new(&stem, &cycle)
}
