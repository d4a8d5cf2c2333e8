//! Data races as C11 defines them: two conflicting accesses of different
//! threads, not both atomic, of which neither happens before the other.
//!
//! With `--races` a state has one more component, the `History` of accesses that
//! may still race. Every access goes through [`Machine::note_access`], which `read`
//! and `write` call, so no instruction and no library function can be forgotten.
//! What orders accesses is in `sync.rs`. docs/races.md says what is deliberately
//! more or less than the standard.
//!
//! Invariant: a history is a function of what happened before, and threads learn only by
//! their own operations or in ones that wake or create them. So what is invisible to
//! others stays so, and the reductions that end steps at shared memory need no change.

mod history;
mod sync;

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{Access, LocId, Order, Pc, Program, Touch};
use exeunt_model::{CompId, Fault, Location, Property};
use rustc_hash::FxHashMap;

use crate::libc::library;
use crate::machine::Machine;
use crate::stop::Stop;
use crate::thread::Status;
use history::{History, How, Knower, Record, Stack};

/// So many calls around an access are remembered.
const MOST_CALLS: usize = 3;
/// Marks the number of a function where a position should be.
const FUNCTION: u64 = 1 << 32;

/// As what memory is accessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    #[default]
    Data,
    /// By an atomic operation of the program.
    Atomic,
    /// By the library, as the inside of a lock, a semaphore…
    Sync,
}

/// What looking for races needs beside the rest of a machine.
pub struct Races {
    /// The component of the loaded state, and what it says.
    component: CompId,
    loaded: History,
    now: History,
    /// `now` may differ from `loaded`.
    changed: bool,
    /// Whether the program has fences that acquire, and such that release.
    fences: (bool, bool),
    /// It has relaxed atomic operations.
    relaxed: bool,
    /// Positions of instructions, by function.
    places: FxHashMap<(u32, Pc), u64>,
}

impl Races {
    pub fn new(program: &Program) -> Races {
        let (mut fences, mut relaxed) = ((false, false), false);
        for inst in program.functions.iter().flat_map(|function| &function.code) {
            inst.touches(|touch| match touch {
                Touch::Orders { order } => {
                    fences = (fences.0 || order.acquires(), fences.1 || order.releases());
                }
                Touch::Reads { access, .. } | Touch::Writes { access, .. } => {
                    relaxed |= access == Access::Atomic(Order::Relaxed);
                }
                Touch::Updates { order, .. } => relaxed |= order == Order::Relaxed,
                Touch::Lives { .. }
                | Touch::Allocates { .. }
                | Touch::Unwinds { .. }
                | Touch::Calls { .. } => {}
            });
        }
        Races {
            component: CompId(u32::MAX),
            loaded: History::default(),
            now: History::default(),
            changed: false,
            fences,
            relaxed,
            places: FxHashMap::default(),
        }
    }

    /// The history of a program that has done nothing yet.
    pub fn initial() -> Vec<u64> {
        let mut words = Vec::new();
        History::default().encode(&mut words);
        words
    }

    pub fn load(&mut self, component: CompId, words: &[u64]) {
        if self.component != component {
            self.component = component;
            self.loaded.decode(words);
            self.changed = true;
        }
        self.rollback();
    }

    pub fn rollback(&mut self) {
        if self.changed {
            self.now.clone_from(&self.loaded);
            self.changed = false;
        }
    }

    fn change(&mut self) -> &mut History {
        self.changed = true;
        &mut self.now
    }
}

impl Machine<'_> {
    /// The component of the history as it is now.
    pub fn commit_races(&mut self, out: &mut Vec<CompId>) {
        if self.races.as_ref().is_some_and(|races| races.changed) {
            let statuses: Vec<Status> = (0..self.known_threads()).map(|t| self.status(t)).collect();
            let gone = |status: &Status| matches!(status, Status::Ended { .. } | Status::Free);
            let living = (0..).zip(&statuses).filter(|(_, status)| !gone(status));
            let living: Vec<u32> = living.map(|(thread, _)| thread).collect();
            let exists = |t: u32| statuses.get(t as usize).is_some_and(|s| *s != Status::Free);
            let Some(races) = &mut self.races else { return };
            races.now.normalise(&living, exists);
            let mut words = Vec::new();
            races.now.encode(&mut words);
            out.push(self.pool.intern(&words));
        } else if let Some(races) = &self.races {
            out.push(races.component);
        }
    }

    /// The history, if races are looked for and somebody really runs.
    fn history(&mut self) -> Option<&mut Races> {
        if self.observation.is_running() || self.matching.is_some() {
            return None;
        }
        self.races.as_deref_mut()
    }

    /// Every access to memory comes here before it is made.
    #[inline]
    pub fn note_access(&mut self, addr: u64, len: u64, write: bool) -> Result<(), Stop> {
        self.note_touch(addr, len, write, false);
        if self.races.is_none() {
            return Ok(());
        }
        self.look_for_race(addr, len, write)
    }

    #[cold]
    fn look_for_race(&mut self, addr: u64, len: u64, write: bool) -> Result<(), Stop> {
        let id = address::object(addr);
        if len == 0 || self.mem.is_constant(id) || is_locked_inside(id) {
            return Ok(());
        }
        let (me, alone, manner) = (self.thread.me, self.system.alive == 1, self.manner);
        let how = How { write, atomic: manner != Manner::Data };
        let end = addr.saturating_add(len);
        let Some(races) = self.history() else { return Ok(()) };
        if let Some(other) = races.now.conflict(me, addr, end, how) {
            let other = other.clone();
            return Err(self.race_fault(addr, how.verb(), how, &other).into());
        }
        // A plain write makes an atomic variable or a lock a new one.
        if write && manner == Manner::Data && !races.now.is_empty() {
            races.change().forget_objects(addr, end);
        }
        if alone || manner == Manner::Sync {
            return Ok(());
        }
        let stack = self.stack();
        if let Some(races) = self.history() {
            races.change().record(me, addr, end, how, stack);
        }
        Ok(())
    }

    /// The end of an allocated object is a write of it (C17 7.22.3: these
    /// functions may visibly modify the storage they deallocate).
    pub fn note_freed(&mut self, id: ObjId) -> Result<(), Stop> {
        let (me, (start, end)) = (self.thread.me, bytes_of(id));
        let how = How { write: true, atomic: false };
        let Some(races) = self.history() else { return Ok(()) };
        match races.now.conflict(me, start, end, how).cloned() {
            Some(other) => {
                let addr = other.start;
                Err(self.race_fault(addr, "frees", how, &other).into())
            }
            None => {
                self.note_gone(id);
                Ok(())
            }
        }
    }

    /// The memory is gone, or begins a new life.
    pub fn note_gone(&mut self, id: ObjId) {
        let (start, end) = bytes_of(id);
        if let Some(races) = self.history()
            && !races.now.is_empty()
        {
            races.change().forget_memory(start, end);
        }
    }

    // ---- places ---------------------------------------------------------------

    /// Where the running thread is: the innermost position that has one, and
    /// those of some calls around it.
    fn stack(&mut self) -> Stack {
        let mut stack = Stack::new();
        for (func, pc) in self.call_stack() {
            let place = self.position(func, pc);
            if place & FUNCTION == 0 {
                stack.push(place);
            }
            if stack.len() > MOST_CALLS {
                break;
            }
        }
        if stack.is_empty() && !self.thread.frames.is_empty() {
            stack.push(FUNCTION | u64::from(self.top().func));
        }
        stack
    }

    fn position(&mut self, func: u32, pc: Pc) -> u64 {
        let known = self.races.as_ref().and_then(|races| races.places.get(&(func, pc)).copied());
        known.unwrap_or_else(|| {
            let loc = self.loc_at(func, pc);
            let is_known = self.vm.program.location(loc).is_some();
            let place = if is_known { u64::from(loc.0) } else { FUNCTION | u64::from(func) };
            if let Some(races) = &mut self.races {
                races.places.insert((func, pc), place);
            }
            place
        })
    }

    fn location_of(&self, place: u64) -> Option<Location> {
        if place & FUNCTION == 0 {
            return self.vm.program.location(LocId(place as u32));
        }
        let function = self.vm.program.functions.get(place as u32 as usize)?;
        Some(Location::in_function(&exeunt_ir::readable(&function.name)))
    }

    fn race_fault(&mut self, addr: u64, verb: &str, how: How, other: &Record) -> Fault {
        let place = self.name_place(addr.max(other.start));
        self.tell(|_| format!("{verb} {}", place.trim_matches('`')));
        let (me, them) = (self.thread.me + 1, other.thread + 1);
        let message = format!(
            "data race on {place}: thread {me} {verb} it, thread {them} {} it before, \
             and nothing orders the two",
            past(other.how)
        );
        let mut fault = Fault::new(Property::Race, message);
        let mut places = other.stack.iter().filter_map(|&place| self.location_of(place));
        if let Some(location) = places.next() {
            fault = fault.label(location, format!("thread {them} {} it here", past(other.how)));
        }
        for location in places {
            fault = fault.label(location, format!("in this call of thread {them}"));
        }
        let mine = self.stack();
        for location in mine.iter().skip(1).filter_map(|&place| self.location_of(place)) {
            fault = fault.label(location, format!("in this call of thread {me}"));
        }
        fault.help = self.what_would_order(how, other);
        self.located(fault)
    }
}

fn past(how: How) -> &'static str {
    match (how.write, how.atomic) {
        (true, true) => "atomically wrote",
        (true, false) => "wrote",
        (false, true) => "atomically read",
        (false, false) => "read",
    }
}

/// All addresses of an object.
fn bytes_of(id: ObjId) -> (u64, u64) {
    let start = u64::from(id.0) << 32;
    (start, start.saturating_add(1 << 32))
}

/// What the library keeps for itself is protected by the library, except where
/// the standard says that calls race (`strtok`, `localtime`, `setenv`…).
fn is_locked_inside(id: ObjId) -> bool {
    const OPEN: [u16; 4] =
        [library::STRTOK, library::RAND48, library::BROKEN_DOWN_TIME, library::TIME_TEXT];
    let slot = id.slot();
    id.space() == Some(Space::ThreadLocal)
        && id.arena() == library::PROCESS
        && !OPEN.contains(&slot)
        && slot < library::ENVIRONMENT
}
