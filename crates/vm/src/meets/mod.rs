//! Where threads meet: which operations can be moved.
//!
//! An operation on memory that no other thread ever touches, that no thread
//! ever writes, or that all threads touch only while they hold the same mutex, commutes
//! with whatever other threads do before it; so do the release of a lock on
//! which no thread calls `trylock`, the creation of a thread and its end. Such an operation
//! need not end a step (Lipton's movers; that locking can be relied upon while
//! it is still being checked is Stoller's observation). Why sections, deadlocks
//! and faults are kept is argued in docs/reductions.md.
//!
//! What "ever" means is learnt: a search assumes that threads meet at certain
//! cells of memory only (at first, nowhere), and all touches are written down.
//! Once they say that threads meet elsewhere too, the assumption is refuted, and the
//! next one assumes that as well.
//!
//! Invariant: the assumption of a worker never changes; what is known only grows.

mod blocks;
mod cells;
mod locks;
mod settled;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use exeunt_ir::Inst;
use exeunt_ir::address::{self, Space};
use exeunt_model::{Assumption, Basis, SectionKind};
use rustc_hash::FxHashMap;

use crate::builtin::{Kind, Object};
use crate::machine::Machine;
use crate::step::footprint::{Footprint, Range};
use blocks::Blocks;
pub use cells::Touch;
use cells::{Cells, Known, Meeting};
use locks::LockSets;
pub use settled::{Circumstances, Settled};

/// Bytes of a cell; an object with more than so many is one cell.
const CELL: u64 = 4;
const LARGE: u64 = 4096;
/// Cells that are told apart (as a power of two).
const MOST_CELLS: u32 = 17;
/// After so many searches every operation ends a step.
const MOST_ROUNDS: u32 = 20;
/// So many meetings in one object, and it is one as a whole.
const MOST_IN_OBJECT: usize = 6;

/// The life of an object, as a cell of it.
const LIFE: u64 = 0xffff_ffff;
/// The table of threads: who creates one gets its next number.
const THREADS: u64 = LIFE;

/// Where threads are assumed to meet. Sorted.
type Meetings = Vec<(u64, u8)>;

const DATA: u8 = 1;
const OBSERVED: u8 = 2;
/// A block operation may be met there: it is done in pieces.
const BLOCK: u8 = 4;
const ANYHOW: u8 = DATA | OBSERVED | BLOCK;
/// Among meetings: threads may meet at any cell, and nothing is learnt.
const EVERYWHERE: (u64, u8) = (u64::MAX, ANYHOW);
/// Stands for the addresses of the heap, among meetings. No memory is there.
const HEAP: u64 = 1;
/// Stands for all cells of an object.
const WHOLE: u64 = 0xffff_fffe;

/// An assumption.
#[derive(Clone, Debug, Default)]
pub struct Assumed {
    everywhere: bool,
    /// Accesses to shared memory are written down for block operations.
    records: bool,
    /// What a thread frees may come again as what another one allocates.
    reuses: bool,
    cells: FxHashMap<u64, u8>,
}

impl Assumed {
    fn new(meetings: &Meetings) -> Assumed {
        let everywhere = meetings.iter().any(|&(cell, _)| cell == u64::MAX);
        let records = everywhere || meetings.iter().any(|&(_, how)| how & BLOCK != 0);
        let reuses = everywhere || meetings.iter().any(|&(cell, _)| cell == HEAP);
        Assumed { everywhere, records, reuses, cells: meetings.iter().copied().collect() }
    }

    /// Whether block operations may be executed in pieces.
    pub fn minds_blocks(&self) -> bool {
        self.records
    }

    /// Whether allocations are scheduling points.
    pub fn reuses(&self) -> bool {
        self.reuses
    }

    /// How threads meet at a cell, or at all of its object.
    fn at(&self, cell: u64) -> u8 {
        match self.cells.is_empty() && !self.everywhere {
            true => 0,
            false => self.exactly(cell) | self.exactly(whole(cell)),
        }
    }

    fn exactly(&self, cell: u64) -> u8 {
        if self.everywhere {
            return ANYHOW;
        }
        self.cells.get(&cell).copied().unwrap_or(0)
    }
}

fn whole(cell: u64) -> u64 {
    cell & !LIFE | WHOLE
}

/// Which way an operation can be moved past those of other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mobility {
    Fixed,
    /// Past what others do before it; what they do behind it may need it.
    Left,
    Both,
}

/// What has been learnt about a program so far.
pub struct Meets {
    cells: Cells,
    locks: LockSets,
    assumed: Assumed,
    /// The assumption is given and not to be doubted (a schedule is replayed).
    fixed: bool,
    /// States are kept for other searches.
    cautious: bool,
    full: AtomicBool,
    blocks: Blocks,
    reuse: AtomicBool,
    /// The assumption is wrong.
    pub refuted: Arc<AtomicBool>,
    rounds: u32,
}

impl Meets {
    /// `moves`: operations are moved.
    pub fn new(basis: Basis<'_>, moves: bool) -> Meets {
        let given = match basis {
            Basis::Learnt => None,
            Basis::Given(assumption) => Some(meetings(assumption)),
            Basis::Nothing | Basis::Together => Some(vec![EVERYWHERE]),
        };
        let assumed = given.as_ref().map_or_else(Assumed::default, Assumed::new);
        Meets {
            cells: Cells::new(if given.is_some() || !moves { 0 } else { MOST_CELLS }),
            locks: LockSets::new(),
            assumed,
            fixed: given.is_some(),
            cautious: matches!(basis, Basis::Nothing),
            full: AtomicBool::new(false),
            blocks: Blocks::default(),
            reuse: AtomicBool::new(false),
            refuted: Arc::default(),
            rounds: 0,
        }
    }

    pub fn assumed(&self) -> &Assumed {
        &self.assumed
    }

    /// Whether workers assume nothing that another search would not.
    pub fn relies_on_nothing(&self) -> bool {
        self.cautious
    }

    /// A thread has freed what something still points to while another runs.
    pub fn want_reuse(&self) {
        if !self.fixed && !self.reuse.swap(true, Ordering::AcqRel) {
            self.refute();
        }
    }

    fn refute(&self) {
        self.refuted.store(true, Ordering::Release);
    }

    /// Assumes what is known by now. `counts`: it was this assumption that was wrong.
    pub fn renew(&mut self, counts: bool) {
        self.rounds += counts as u32;
        let all = self.rounds >= MOST_ROUNDS || *self.full.get_mut();
        let meetings = if all { vec![EVERYWHERE] } else { self.known() };
        self.assumed = Assumed::new(&meetings);
        self.assumed.records |= self.minds_blocks();
        self.forget_torn();
        self.refuted.store(false, Ordering::Release);
    }

    /// Forgets what was learnt: of runs with another bound, where threads meet at other places.
    pub fn forget(&mut self) {
        if self.fixed {
            return;
        }
        self.cells = Cells::new(self.cells.bits());
        self.locks = LockSets::new();
        self.assumed = Assumed::default();
        self.full = AtomicBool::new(false);
        self.blocks = Blocks::default();
        self.reuse = AtomicBool::new(false);
        self.rounds = 0;
        self.refuted.store(false, Ordering::Release);
    }

    /// What the workers made now assume, for others to keep.
    pub fn assumption(&self) -> Assumption {
        let met = self.meetings().into_iter();
        Assumption::new(met.flat_map(|(cell, how)| [cell, how.into()]).collect())
    }

    fn meetings(&self) -> Meetings {
        let cells = self.assumed.cells.iter();
        let mut meetings: Meetings = cells.map(|(&cell, &how)| (cell, how)).collect();
        meetings.sort_unstable();
        meetings
    }

    /// Where threads meet as far as is known. A lock that is overwritten
    /// protects nothing, and what it seemed to protect is met at too.
    fn known(&self) -> Meetings {
        let mut before = self.meetings();
        if self.reuse.load(Ordering::Acquire) && !before.contains(&(HEAP, DATA)) {
            before.push((HEAP, DATA));
        }
        let moved = before.iter().map(|&(cell, how)| (cell, how & !BLOCK));
        let mut met: FxHashMap<u64, u8> = moved.filter(|(_, how)| *how != 0).collect();
        loop {
            let before = met.clone();
            for (cell, _, known) in self.cells.all() {
                let intact = |lock| is_intact(lock, |cell| met.get(&cell).copied().unwrap_or(0));
                let locked = self.locks.common(known.locks(), intact) != locks::NONE;
                let Meeting { data, observed } = known.meeting(locked);
                let how = (data as u8 * DATA) | (observed as u8 * OBSERVED);
                if how != 0 {
                    *met.entry(cell).or_insert(0) |= how;
                }
            }
            if met == before {
                break;
            }
        }
        join_within_objects(&mut met);
        let blocks = before.iter().filter(|(_, how)| how & BLOCK != 0).map(|&(cell, _)| cell);
        for cell in blocks.chain(self.block_cells()) {
            *met.entry(cell).or_insert(0) |= BLOCK;
        }
        let mut meetings: Meetings = met.into_iter().collect();
        meetings.sort_unstable();
        meetings
    }
}

/// What is kept in an assumption. Words that are none of ours are meetings at
/// places that there are not, and change nothing.
fn meetings(assumption: &Assumption) -> Meetings {
    assumption.words().chunks_exact(2).map(|pair| (pair[0], pair[1] as u8)).collect()
}

/// Arrays whose elements turn out to be met at one by one are met at as a whole.
fn join_within_objects(met: &mut FxHashMap<u64, u8>) {
    let mut counts: FxHashMap<u64, (usize, u8)> = FxHashMap::default();
    for (&cell, &how) in met.iter() {
        let (count, all) = counts.entry(whole(cell)).or_default();
        *count += 1;
        *all |= how;
    }
    counts.retain(|_, (count, _)| *count >= MOST_IN_OBJECT);
    met.extend(counts.into_iter().map(|(cell, (_, how))| (cell, how)));
}

/// Whether nobody writes over a lock, given how threads meet at a cell.
fn is_intact(lock: u64, how: impl Fn(u64) -> u8) -> bool {
    let mut cells =
        (cell_of(lock)..lock.saturating_add(Object::Mutex.size())).step_by(CELL as usize);
    cells.all(|cell| how(cell) & DATA == 0)
}

/// Whether who is in such a section keeps others out of it.
fn holds(kind: SectionKind) -> bool {
    matches!(kind, SectionKind::Critical | SectionKind::SpinHeld)
}

/// The cell that an address is in.
fn cell_of(address: u64) -> u64 {
    address & !(CELL - 1)
}

impl Machine<'_> {
    /// What the next operation touches, and where it can be moved to as far
    /// as is assumed. That it comes is written down.
    pub fn operation(&mut self, inst: &Inst) -> (Footprint, Mobility) {
        let mut footprint = self.footprint(inst);
        if self.vm.watch.active && self.is_watched(inst, &footprint) {
            footprint.be_noticed();
        }
        let mobility = match self.moves(&footprint) {
            false => Mobility::Fixed,
            true if footprint.kind == Kind::Release || footprint.threads => Mobility::Left,
            true => Mobility::Both,
        };
        // Which number a new thread gets depends on all others, or on none.
        let creates = footprint.threads && footprint.kind == Kind::Data;
        footprint.everything |= creates && mobility == Mobility::Fixed && !self.superstep.asked;
        (footprint, mobility)
    }

    fn moves(&mut self, footprint: &Footprint) -> bool {
        if !self.vm.moves {
            return false;
        }
        let assumed = self.assumed.clone();
        let mut moves = !footprint.everything && footprint.kind != Kind::Sync;
        for range in &footprint.ranges {
            moves &= match range.sync {
                true => self.meets_nobody_in(range, footprint.kind, &assumed),
                false => self.meets_nobody_at(range, &assumed),
            };
        }
        if footprint.threads {
            moves &= self.touch(THREADS, Touch::Write, &assumed);
        }
        moves
    }

    /// An access to data.
    fn meets_nobody_at(&mut self, range: &Range, assumed: &Assumed) -> bool {
        let id = address::object(range.start);
        let life = (id.0 as u64) << 32 | LIFE;
        let touch = if range.write { Touch::Write } else { Touch::Read };
        let mut alone = true;
        if id.space() != Some(Space::Global) {
            let ends = if range.is_whole() { Touch::Write } else { Touch::Read };
            alone &= self.touch(life, ends, assumed);
        }
        // Outside of an object there is a fault, which is a step of its own.
        let Some(size) = self.mem.header(id).map(|header| header.size as u64) else {
            return false;
        };
        let (first, last) = (id.at(0), id.at(size as i64));
        let whole = range.is_whole();
        if !whole && (range.start < first || range.end > last) {
            return false;
        }
        if size > LARGE {
            return self.touch(first, touch, assumed) && alone;
        }
        let (start, end) = if whole { (first, last) } else { (range.start, range.end) };
        for cell in (cell_of(start)..end).step_by(CELL as usize) {
            alone &= self.touch(cell, touch, assumed);
        }
        alone
    }

    /// An operation on a lock or alike, or on the life of a thread.
    fn meets_nobody_in(&mut self, range: &Range, kind: Kind, assumed: &Assumed) -> bool {
        let touch = if kind == Kind::Observe { Touch::Observe } else { Touch::Sync };
        let id = address::object(range.start);
        // What is no thread or far too long is no lock either: a fault.
        if id.space() == Some(Space::Thread) || range.is_whole() {
            let life = (id.0 as u64) << 32 | LIFE;
            return self.touch(life, touch, assumed) && kind == Kind::Release;
        }
        let mut alone = kind == Kind::Release && self.mem.header(id).is_some();
        for cell in (cell_of(range.start)..range.end).step_by(CELL as usize) {
            alone &= self.touch(cell, touch, assumed);
        }
        alone
    }

    /// Whether no other thread meets this one at a cell.
    fn touch(&mut self, cell: u64, touch: Touch, assumed: &Assumed) -> bool {
        let data = matches!(touch, Touch::Read | Touch::Write);
        let met = if data { assumed.at(cell) & DATA } else { assumed.exactly(cell) & !BLOCK };
        // Where everything is assumed there is nothing left to learn.
        let meets = &self.session.meets;
        if meets.fixed || assumed.everywhere {
            return met == 0;
        }
        if data && met != 0 {
            return false;
        }
        let Some(word) = meets.cells.of(cell) else {
            meets.full.store(true, Ordering::Release);
            meets.refute();
            return met == 0;
        };
        let known = Cells::update(word, |known| {
            let locks = if data { self.locks_with(known) } else { known.locks() };
            known.touched(self.thread.me, touch).with_locks(locks)
        });
        let Meeting { data: raced, observed } = known.meeting(known.locks() != locks::NONE);
        if raced && met & DATA == 0 || observed && met & OBSERVED == 0 && !data {
            meets.refute();
        }
        met == 0
    }

    /// The locks that all touches of a cell were made under, this one included.
    fn locks_with(&self, known: Known) -> u32 {
        let (sections, assumed) = (&self.thread.head.sections, &self.assumed);
        let held = |lock: u64| {
            is_intact(lock, |cell| assumed.exactly(cell))
                && sections.iter().any(|s| s.resource == lock && holds(s.kind))
        };
        let locks = &self.session.meets.locks;
        match known.locks() {
            locks::ANY => {
                let mine = sections.iter().map(|s| s.resource);
                locks.number(mine.filter(|&lock| held(lock)).collect())
            }
            before => locks.common(before, held),
        }
    }
}
