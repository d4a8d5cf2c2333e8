//! Where a thread can meet an operation on more than one word.
//!
//! Every access to shared memory is written down as it happens, by the words it
//! touches and the locks its thread holds. A word that a block operation
//! touches, that another thread touches as well, that one of them writes, and
//! that no common lock protects, may be seen half done: there block operations
//! are executed in pieces (`blocks/`). Whether a thread really comes in between
//! is seen only then.
//!
//! Nothing is written down before the first block operation on shared memory;
//! the search then begins again.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use exeunt_ir::LocId;
use exeunt_ir::address;

use super::cells::{Cells, Touch};
use super::{BLOCK, CELL, LARGE, MOST_CELLS, Meets};
use crate::machine::Machine;

/// Cells of one object at most.
const MOST_OF_OBJECT: u64 = 1024;

#[derive(Default)]
pub struct Blocks {
    /// There are block operations on shared memory.
    wanted: AtomicBool,
    cells: OnceLock<Cells>,
    /// Block operations that were interrupted.
    torn: Mutex<BTreeSet<LocId>>,
}

impl Blocks {
    fn cells(&self) -> &Cells {
        self.cells.get_or_init(|| Cells::new(MOST_CELLS))
    }
}

impl Meets {
    /// A block operation on shared memory was seen while nobody minded them.
    pub fn want_blocks(&self) {
        if !self.fixed && !self.blocks.wanted.swap(true, Ordering::AcqRel) {
            self.refute();
        }
    }

    pub(super) fn minds_blocks(&self) -> bool {
        self.blocks.wanted.load(Ordering::Acquire)
    }

    /// A block operation was interrupted by another thread.
    pub fn note_torn(&self, site: LocId) {
        self.blocks.torn.lock().expect("nobody panics while holding it").insert(site);
    }

    /// The block operations that were interrupted, by their places.
    pub fn torn(&self) -> Vec<LocId> {
        let torn = self.blocks.torn.lock().expect("nobody panics while holding it");
        torn.iter().copied().collect()
    }

    pub(super) fn forget_torn(&self) {
        self.blocks.torn.lock().expect("nobody panics while holding it").clear();
    }

    /// The cells at which block operations may be met, as far as is known.
    pub(super) fn block_cells(&self) -> Vec<u64> {
        let Some(cells) = self.blocks.cells.get() else { return Vec::new() };
        let met = |(cell, _, known): (u64, _, super::cells::Known)| {
            let locked = known.locks() != super::locks::NONE;
            known.is_torn(locked).then_some(cell)
        };
        cells.all().filter_map(met).collect()
    }
}

/// How many bytes are told apart in an object.
fn grain(size: u64) -> u64 {
    if size <= LARGE { CELL } else { (size / MOST_OF_OBJECT).next_power_of_two() }
}

impl Machine<'_> {
    /// The cells that a range is in.
    fn cells_of(&mut self, addr: u64, len: u64) -> impl Iterator<Item = u64> + use<> {
        let size = self.mem.header(address::object(addr)).map_or(0, |header| header.size as u64);
        let grain = grain(size);
        (addr & !(grain - 1)..addr.saturating_add(len)).step_by(grain as usize)
    }

    /// Whether a block operation may be met at these bytes. Depends on the
    /// address and on what is assumed, and on nothing that another thread
    /// could change.
    pub fn may_meet(&mut self, addr: u64, len: u64) -> bool {
        if self.assumed.everywhere {
            return self.is_shared(addr);
        }
        let assumed = self.assumed.clone();
        self.cells_of(addr, len).any(|cell| assumed.exactly(cell) & BLOCK != 0)
    }

    /// Writes an access to memory down, as it happens. `block`: it is part of
    /// an operation on several words that is executed in one step.
    pub fn note_touch(&mut self, addr: u64, len: u64, write: bool, block: bool) {
        if !self.assumed.minds_blocks() || self.observation.is_running() || self.matching.is_some()
        {
            return;
        }
        if !self.system.blocks.is_empty() {
            self.note_interrupted(addr, len, write);
        }
        let meets = &self.session.meets;
        if meets.fixed || self.alone() || len == 0 || !self.is_shared(addr) {
            return;
        }
        let touch = if write { Touch::Write } else { Touch::Read };
        let assumed = self.assumed.clone();
        for cell in self.cells_of(addr, len) {
            let Some(word) = meets.blocks.cells().of(cell) else {
                meets.full.store(true, Ordering::Release);
                meets.refute();
                return;
            };
            let known = Cells::update(word, |known| {
                let known = known.touched(self.thread.me, touch).with_locks(self.locks_with(known));
                if block { known.in_block() } else { known }
            });
            let locked = known.locks() != super::locks::NONE;
            if known.is_torn(locked) && assumed.exactly(cell) & BLOCK == 0 {
                meets.refute();
            }
        }
    }
}
