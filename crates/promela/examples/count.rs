//! Counts the states of a model as SPIN would: `count model.pml [-d]`.

#[path = "../tests/support/mod.rs"]
mod support;

use exeunt_promela::{PromelaOptions, print};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let options = PromelaOptions { past_assertions: true, ..Default::default() };
    let model = match exeunt_promela::load(args[0].as_ref(), &options) {
        Ok(model) => model,
        Err(errors) => {
            for error in errors {
                eprintln!("{error}");
            }
            std::process::exit(2);
        }
    };
    if args.get(1).is_some_and(|arg| arg == "-d") {
        print!("{}", print(&model));
    }
    let found = support::explore(&model, 50_000_000);
    println!(
        "states {} transitions {} deadlocks {} faults {}",
        found.states,
        found.transitions,
        found.deadlocks,
        found.faults.len()
    );
    for fault in &found.faults {
        println!("  {}", fault.message);
    }
    for way in found.ways.iter().take(1) {
        println!("{way}");
        for line in support::replay(&model, way).0 {
            println!("    {line}");
        }
    }
}
