//! What is noted of a step for people: events, and sections that open and close.

use std::collections::{HashMap, HashSet};

use exeunt_ir::Pc;
use exeunt_model::{Detail, Event, Location};

use crate::thread::Section;

/// What the step that runs has told. Its fields belong to this room.
#[derive(Default)]
pub struct Tale {
    /// Whether events are collected.
    pub(super) story: bool,
    /// Whether output is collected in any case.
    output: bool,
    pub(super) events: Vec<Event>,
    /// Nothing is told for a while but sections and output.
    hushed: bool,
    /// Sections closed in this step, to see whether one is opened again.
    pub(super) closed: Vec<Section>,
    pub(super) reopens: bool,
    /// Where the thread was when its frames were dropped in this step.
    left_at: Option<Location>,
    /// Section instances opened since the machine was made, and where.
    pub(super) opened: u64,
    pub(super) sites: HashSet<(u32, Pc)>,
    /// How many must arrive at an object, as its constructor said last.
    counts: HashMap<u64, i64>,
}

impl Tale {
    /// A fresh step.
    pub fn begin(&mut self) {
        self.events.clear();
        self.closed.clear();
        self.reopens = false;
        self.left_at = None;
    }

    /// How much is told from here on.
    pub fn listen(&mut self, detail: Detail) {
        self.story = detail == Detail::Story;
        self.output = detail != Detail::Targets;
        self.hushed = false;
    }

    /// How much is told.
    pub fn detail(&self) -> Detail {
        match (self.tells_sections(), self.output) {
            (true, _) => Detail::Story,
            (false, true) => Detail::Output,
            (false, false) => Detail::Targets,
        }
    }

    /// What is told is left out from here on, but for sections and output.
    pub fn hush(&mut self) {
        self.hushed |= std::mem::take(&mut self.story);
    }

    /// All is told again.
    pub fn speak_up(&mut self) {
        self.story |= std::mem::take(&mut self.hushed);
    }

    pub(super) fn note_counted(&mut self, object: u64, count: i64) {
        self.counts.insert(object, count);
    }

    pub(super) fn counted(&self, object: u64) -> Option<i64> {
        self.counts.get(&object).copied()
    }

    pub fn tells_sections(&self) -> bool {
        self.story || self.hushed
    }

    pub fn is_told(&self) -> bool {
        self.story
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Takes events back: all but the first so many.
    pub fn back_to(&mut self, events: usize) {
        self.events.truncate(events);
    }

    pub fn tell_again(&mut self, events: Vec<Event>) {
        self.events.extend(events);
    }

    /// Whether a section was closed in this step and is open again.
    pub fn reopens(&self) -> bool {
        self.reopens
    }

    pub fn has_closed(&self, section: Section) -> bool {
        self.closed.contains(&section)
    }

    /// How many sections were opened so far.
    pub fn opened(&self) -> u64 {
        self.opened
    }

    /// Counts sections that were opened in steps which were not executed again.
    pub fn count_opened(&mut self, more: u64) {
        self.opened += more;
    }

    /// Forgets what was opened since there were so many: it was only tried.
    pub fn uncount_opened(&mut self, opened: u64) {
        self.opened = opened;
    }

    /// Where sections were opened: function and instruction.
    pub fn sites(&self) -> impl Iterator<Item = (u32, Pc)> + '_ {
        self.sites.iter().copied()
    }

    /// The thread drops its frames here.
    pub fn leave(&mut self, location: Location) {
        self.left_at = Some(location);
    }

    pub fn left_at(&self) -> Option<&Location> {
        self.left_at.as_ref()
    }
}
