//! Proofs that a model with unbounded channels never ends.
//!
//! After *Extending Non-Termination Proof Techniques to Asynchronously
//! Communicating Concurrent Programs* (Kuntz, Leue, Scheben): look for lassos
//! in the control flow (`search`), run the cycle on terms (`symbolic`,
//! `summary`), find an invariant under which it runs for ever (`invariant`).
//! Two things are done otherwise. Channels need no encoding as numbers and no
//! theorem prover: which message meets which receive is settled by counting
//! (`words`). And the same interpreter (`run`) runs on numbers and on terms,
//! so that what is proven is what was run.

#![forbid(unsafe_code)]

mod answer;
mod certificate;
mod concrete;
mod config;
mod domain;
mod fading;
mod forced;
mod hunt;
mod invariant;
mod lasso;
mod layout;
mod names;
mod program;
mod progression;
mod proof;
mod run;
mod search;
mod stop;
mod story;
mod summary;
mod symbolic;
mod tell;
mod words;

pub use answer::{Answer, Grow, Options, prove};
