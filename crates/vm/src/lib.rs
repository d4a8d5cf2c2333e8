//! Executes bytecode under every schedule: implements [`exeunt_model::Model`].
//!
//! A state is the vector
//! `[system, thread 0…, variable global 0…, dynamic object 0…]`
//! of interned components, with the history of accesses behind it if races are
//! looked for (`race`). A `Machine` loads a state, runs one thread from
//! its pending visible operation up to just before its next one, and commits
//! what changed.
//!
//! Must not know: searches, LLVM, output formats.

// Only the host's mathematics is foreign (libc/math/host.rs).
#![deny(unsafe_code)]

mod abstraction;
mod blocks;
mod builtin;
mod callers;
mod clock;
mod compiled;
mod cxx;
mod embedding;
mod explain;
mod libc;
mod machine;
mod meets;
mod memo;
mod ops;
mod options;
mod outside;
mod pointers;
mod pthread;
mod race;
mod reuse;
mod session;
mod sites;
mod state;
mod step;
mod stop;
mod stubborn;
mod thread;
mod undefined;
mod verifier;
mod vm;
mod watch;
mod whim;
mod worker;

pub use builtin::{KnownFunction, known_functions};
pub use embedding::{Asked, Embedding, Guest, Host, Outcome, Refusal};
pub use options::{Compile, Reduction, VmOptions, WeakFailures};
pub use sites::section_sites;
pub use undefined::undefined_calls;
pub use verifier::{ERROR_REACHED, GETS_INPUT};
pub use vm::Vm;
pub use watch::{Proposition, PropositionError};
