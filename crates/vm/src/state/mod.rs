//! States: how one is loaded, what a step made of it, and its canonical form.
//!
//! Only this room knows which components are loaded and which have changed;
//! others ask the machine for threads and memory.

pub mod directory;
mod loading;
mod others;
mod start;
pub mod system;

use exeunt_model::CompId;

use crate::thread::Head;
use system::System;

/// The state that was loaded last, and what this step looked at or changed of
/// its threads.
pub struct Loaded {
    state: Vec<CompId>,
    /// Its memory is not loaded yet.
    unloaded: bool,
    system_comp: CompId,
    system: System,
    /// Numbers of dynamic objects that have a place.
    places: Vec<u64>,
    /// The first component that says so.
    places_of: Option<CompId>,
    /// `places` are those of a committed successor.
    places_changed: bool,
    thread_comps: Vec<CompId>,
    others: Vec<Option<Other>>,
    /// For encoding.
    words: Vec<u64>,
}

/// A thread other than the running one, as far as this step looked at it.
struct Other {
    head: Head,
    changed: bool,
    /// Frames of a thread made in this step; others keep their stored ones.
    frames: Option<Vec<u64>>,
}

impl Loaded {
    pub fn nothing() -> Loaded {
        Loaded {
            state: Vec::new(),
            unloaded: false,
            system_comp: CompId(u32::MAX),
            system: System::default(),
            places: Vec::new(),
            places_of: None,
            places_changed: false,
            thread_comps: Vec::new(),
            others: Vec::new(),
            words: Vec::new(),
        }
    }
}
