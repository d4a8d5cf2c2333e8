//! Accesses that need not be looked at any more.
//!
//! What is known of a cell only grows and what is assumed of it does not change, so an access that was written down
//! and did not end its step is settled: another one like it, by the same thread under the same locks, changes
//! nothing here. Compiled code makes such accesses to shared memory without asking.

use std::ops::Range;

use exeunt_ir::address::{self, Space};
use rustc_hash::FxHashMap;

use super::{CELL, DATA, LARGE, LIFE, Touch, cell_of, holds};
use crate::machine::Machine;

/// Stretches that are kept.
const MOST: usize = 1 << 16;

/// A thread and the locks that it holds, by number; or that there is one thread only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Circumstances {
    #[default]
    Alone,
    Among(u32),
}

/// What is settled, as far as somebody has asked. Belongs to one assumption.
#[derive(Default)]
pub struct Settled {
    circumstances: FxHashMap<(u32, Box<[u64]>), Circumstances>,
    /// By circumstances, the beginning of a stretch, and whether it is written.
    stretches: FxHashMap<(Circumstances, u64, bool), Range<u64>>,
}

impl Settled {
    fn number(&mut self, thread: u32, locks: Box<[u64]>) -> Circumstances {
        let next = Circumstances::Among(self.circumstances.len() as u32);
        *self.circumstances.entry((thread, locks)).or_insert(next)
    }
}

impl Machine<'_> {
    /// The circumstances in which the thread makes its accesses now.
    pub fn circumstances(&mut self) -> Circumstances {
        if self.alone() {
            return Circumstances::Alone;
        }
        let sections = self.thread.head.sections.iter();
        let mut locks: Vec<u64> = sections
            .filter(|section| holds(section.kind))
            .map(|section| section.resource)
            .collect();
        locks.sort_unstable();
        self.settled.number(self.thread.me, locks.into())
    }

    /// The bytes of a stretch of memory around an access that was made: others like it to these bytes neither end
    /// the step nor have to be written down.
    pub fn settled_around(
        &mut self,
        circumstances: Circumstances,
        access: Range<u64>,
        within: Range<u64>,
        write: bool,
    ) -> Option<Range<u64>> {
        if circumstances == Circumstances::Alone || !self.is_shared(access.start) {
            return Some(within);
        }
        let moves = self.vm.moves && !self.turn_runs() && !self.superstep.active;
        let inside = within.start <= access.start && access.end <= within.end;
        if !moves || !inside || self.assumed.minds_blocks() || self.assumed.everywhere {
            return None;
        }
        let key = (circumstances, within.start, write);
        if let Some(known) = self.settled.stretches.get(&key)
            && known.start <= access.start
            && access.end <= known.end
        {
            return Some(known.clone());
        }
        let found = self.look_around(access, within, write)?;
        if self.settled.stretches.len() >= MOST {
            self.settled.stretches.clear();
        }
        self.settled.stretches.insert(key, found.clone());
        Some(found)
    }

    fn look_around(
        &mut self,
        access: Range<u64>,
        within: Range<u64>,
        write: bool,
    ) -> Option<Range<u64>> {
        let id = address::object(access.start);
        let size = self.mem.header(id)?.size as u64;
        let life = (id.0 as u64) << 32 | LIFE;
        if id.space() != Some(Space::Global) && !self.is_settled(life, Touch::Read) {
            return None;
        }
        let touch = if write { Touch::Write } else { Touch::Read };
        if size > LARGE {
            return self.is_settled(id.at(0), touch).then_some(within);
        }
        let mut found = cell_of(access.start)..access.end.next_multiple_of(CELL);
        let mut cells = found.clone().step_by(CELL as usize);
        if !cells.all(|cell| self.is_settled(cell, touch)) {
            return None;
        }
        while found.start > within.start && self.is_settled(found.start - CELL, touch) {
            found.start -= CELL;
        }
        while found.end < within.end && self.is_settled(found.end, touch) {
            found.end += CELL;
        }
        Some(found)
    }

    /// Whether to touch a cell (`Machine::touch`) would neither end the step nor change what is known.
    fn is_settled(&self, cell: u64, touch: Touch) -> bool {
        if self.assumed.at(cell) & DATA != 0 {
            return false;
        }
        let meets = &self.session.meets;
        if meets.fixed {
            return true;
        }
        let known = meets.cells.known(cell);
        known.touched(self.thread.me, touch).with_locks(self.locks_with(known)) == known
    }
}
