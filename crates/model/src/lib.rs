//! The waist between machines (virtual machine, Promela, native code) and
//! engines (searches, proofs).
//!
//! A machine implements [`Model`], which opens a [`Session`] for a search, and
//! [`Worker`], which explores; an engine only ever sees
//! states as vectors of interned components ([`CompId`]) and edges as plain
//! data. What an engine concludes is a [`Report`], also plain data, and that
//! is all the renderers ever see.
//!
//! This crate knows no other crate of the project.

#![forbid(unsafe_code)]

mod edge;
mod location;
mod picture;
mod report;
mod run;
mod schedule;
mod section;
mod session;
mod touch;
mod trace;
mod view;
mod watch;
pub mod words;
mod worker;

pub use edge::{
    ActorId, BlockId, Choice, ChoiceKind, Edge, Event, Leash, Noun, Stream, Target, Turn,
};
pub use location::Location;
pub use picture::{Chart, ChartEvent, ChartKind, Picture, PictureEdge, PictureState};
pub use report::{
    Answer, Fault, Label, LoopRow, Proof, Property, Report, SectionReport, Statistics, Trace,
    TraceStep, Unsupported, Verdict, Violation,
};
pub use run::{
    Access, Action, Arrival, Director, End, MOST_ACCESSES, MemoryOrder, MutexKind, ObjectId,
    Operation, Reply, Run, Standing, Step,
};
pub use schedule::{Move, ParseScheduleError, Schedule};
pub use section::{Nature, OpenSection, SectionKind};
pub use session::{Assumption, Basis, Facts, FixedModel, LeftOut, Model, Session, SessionAround};
pub use touch::{Next, Span, Touched};
pub use trace::deeds;
pub use view::{
    ActorState, Channel, FrameState, Lock, Object, SectionState, StateView, Variable, Wait,
};
pub use watch::{ClaimMove, Watcher};
pub use worker::{
    Account, ActorView, Around, Change, CompId, Describe, Detail, OfActors, Only, Pool, Reduce,
    SearchWorker, SectionView, Sink, StateStatus, Worker, carry_plain, series_of_names,
};
