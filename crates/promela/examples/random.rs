//! Prints the random model of a seed: `random 17`, `random 17 observing`.

#[path = "../tests/support/mod.rs"]
mod support;

fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).expect("a seed");
    let observing = std::env::args().nth(2).is_some_and(|kind| kind == "observing");
    let make = if observing { support::random::observing_model } else { support::random::model };
    print!("{}", make(seed));
}
