//! Prints the random model of a seed: `random 17`, `random 17 observing`.

use exeunt_random::promela;

fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).expect("a seed");
    let observing = std::env::args().nth(2).is_some_and(|kind| kind == "observing");
    let make = if observing { promela::observing_model } else { promela::model };
    print!("{}", make(seed));
}
