//! Each construct of C becomes the bytecode it should.

mod atomics;
mod control;
mod memory;
mod numbers;
#[path = "../support/mod.rs"]
mod support;
mod units;
mod vectors;

/// Levels of optimisation, as a user gives them.
const LEVELS: [&[&str]; 4] = [&[], &["-O0"], &["-O1"], &["-O2"]];
