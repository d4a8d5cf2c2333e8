//! Prints the random model of a seed: `random 17`.

#[path = "../tests/support/mod.rs"]
mod support;

fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).expect("a seed");
    print!("{}", support::random::model(seed));
}
