//! Explicit-state search over any [`exeunt_model::Model`], in a
//! [session](exeunt_model::Session) of it.
//!
//! One exploration of the plain state graph answers all questions
//! (docs/theory.md): faults and deadlocks while it runs, sections that cannot end
//! from the bottom components, and with environment choices from the largest
//! stuck sets.
//!
//! Must not know: what a state means, any front end, any output format.

#![deny(unsafe_code)]

mod abstraction;
mod bound;
mod chance;
mod check;
mod draw;
mod endless;
mod explore;
mod follow;
mod join;
mod limits;
mod minimal;
mod options;
mod outcomes;
mod outlook;
mod replay;
mod run;
mod snapshot;
mod spread;
mod stateless;
mod store;
mod story;
mod stuck;
mod temporal;
mod walk;

pub use abstraction::{Abstraction, check_abstraction};
pub use bound::{
    ContextBound, Engine, GuidedWalk, Plan, Rule, Simplest, TurnBounds, Turns, check_context_bound,
    simplest,
};
pub use check::check;
pub use draw::draw;
pub use endless::{Moving, moving, tell_endless};
pub use follow::{Course, Endless, follow, replays};
pub use join::joined;
pub use minimal::check_minimal;
pub use options::{
    Checkpoints, ContextLimit, Limits, Memory, Options, Order, Progress, SectionFilter,
};
pub use outcomes::{End, Outcome, Outcomes, outcomes};
pub use replay::replay;
pub use run::{Ending, run};
pub use snapshot::Keeper;
pub use spread::{Post, Spread, Turn, check_spread};
pub use stateless::{
    Claim, Explorer, Guarantee, Known, RunEnd, RunEvent, Standings, Strategy, check_stateless,
};
pub use store::{ComponentPool, StateId, StateStore};
pub use temporal::{Ask, AskError, AskKind, Temporal, check_temporal, confirm};
pub use walk::{CanEnd, Found, Leads, Successor, Walk, states_along, walk};
