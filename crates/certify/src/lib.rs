//! Certificates of proofs, and their checker: that a model has a run that never
//! ends (below), and that a thread of a program ends (`thread/`).
//!
//! A certificate of nontermination names a model, a stem and a cycle in it, and an invariant.
//! The checker believes none of it: it plays the stem with an interpreter of
//! its own, plays the cycle once from *any* configuration that satisfies the
//! invariant, and asks a solver whether every step is possible there and the
//! invariant holds again behind it. It uses the front end to read the model,
//! and nothing of the prover.
//!
//! Invariant: [`check()`] answers `Ok` only if every obligation was proven; a
//! solver that gives up refutes a certificate.

#![forbid(unsafe_code)]

mod arithmetic;
mod check;
mod expression;
mod format;
mod heap;
mod moves;
mod names;
mod statement;
mod thread;
mod world;

pub use check::{Certified, Wrong, check};
pub use format::{
    Atom, Bag, Certificate, Class, FORMAT, Fact, Formula, GrowingChannel, Growth, Integers, KIND,
    ModelFile, Move, Name, Progression, Statement, Term,
};
pub use thread::{
    Bits, Counted, Head, Milestone, OtherHead, Promise, Rest, Side, Sum, THREAD_FORMAT,
    THREAD_KIND, ThreadCertificate, ThreadCertified, Width, check_milestone, check_thread,
};
