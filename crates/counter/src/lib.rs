//! Threads of a program as counter automata: graphs whose edges read and write
//! integer variables.
//!
//! An edge touches shared variables in one step at most, so an environment may
//! act before every edge and nowhere else. Whatever the bytecode does is an
//! edge (never less); what is not modelled precisely is an edge with arbitrary
//! results and is listed in [`System::losses`]. So a proof about the automata is one about
//! the program. A run of the automata is one of the program only along edges
//! that are [`Edge::exact`].
//!
//! Counter automata as models of programs with lists: Bouajjani, Bozga,
//! Habermehl, Iosif, Moro, Vojnar, "Programs with lists are counter automata"
//! (2006). Threads with an agreement: Cook, Podelski, Rybalchenko, "Proving
//! thread termination" (2007).
//!
//! Must not know: how proofs are searched or checked.

#![forbid(unsafe_code)]

mod address;
mod automaton;
mod constants;
mod extract;
mod formats;
mod library;
mod lift;
mod lists;
mod pointers;
mod slim;
mod text;

pub use automaton::{
    Edge, Hold, Lock, LockId, Mode, Node, NodeId, Role, System, Thread, UNSET, VarKind, Variable,
    Wait,
};
pub use extract::{Integers, Request, Wish, system, thread_names};
pub use lift::lifted;
pub use slim::counting_threads;
