//! Which processes are enough to look at in a state: strong stubborn sets at
//! the grain of processes (Valmari; Overman's futures decide who conflicts).
//!
//! A set of processes is closed if for each of them
//! - whatever an enabled step of it touches, no process outside may ever touch
//!   in a conflicting way, from where that process is now on, and
//! - for each step that is not enabled, every process that could enable it is
//!   inside.
//!
//! Then the processes outside can neither disable, change nor enable a step of
//! those inside, whatever they do and whomever they start. Numbers of processes
//! are shared state too, unless nobody can see them (`numbers.rs`): a process that starts depends on
//! who is alive.

mod facts;
mod foot;
mod future;
mod numbers;
mod seen;
mod step;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use exeunt_model::CompId;

use super::{Frame, Machine, Watched};
use crate::Marking;
use crate::code::{Action, Cell, Element, ProcId, Program, StateInfo};
use facts::{Atom, BIRTHS, DEATHS, Facts};
use foot::{Foot, Look, Sight};
use future::{FutureId, Futures};
use numbers::Numbers;
use seen::Seen;
use step::{Need, Step, Steps};

/// For each process type, the bits of its component that no statement writes.
pub(super) fn fixed_locals(program: &Program) -> Vec<Vec<u64>> {
    let facts = Facts::new(program);
    let procs = (0..program.procs.len()).map(|index| ProcId(index as u16));
    procs.map(|proc| facts.fixed_bits(proc).to_vec()).collect()
}

/// The word of a scalar in its component, and its bits there.
pub(super) fn local_mask(cell: &Cell) -> (usize, u64) {
    let place = facts::place_of(cell);
    ((place / 64) as usize, facts::scalar_mask(place, cell.width.bits))
}

/// The same of all scalars that an element can be.
pub(super) fn local_places(element: &Element) -> Vec<(usize, u64)> {
    let places = facts::places(element, |_| None).into_iter();
    let mask = |place: u32| facts::scalar_mask(place, element.width.bits);
    places.map(|place| ((place / 64) as usize, mask(place))).collect()
}

/// Sets of processes are words.
const MOST_PROCESSES: u32 = 64;
const SLOTS: usize = 1 << 14;
/// Deeper slots would be found again too seldom.
const NO_KEY: u64 = u64::MAX;

pub(crate) struct Reduction<'a> {
    facts: Facts,
    futures: Futures,
    /// By process number and component.
    slots: Vec<Slot<'a>>,
    masks: Masks,
    /// For the state at hand, by process.
    places: Vec<usize>,
    enabled: u64,
    needs: Vec<u64>,
    /// Those with an enabled step that changes something watched.
    shows: u64,
    /// What propositions see; `None` if one depends on everything.
    seen: Option<Seen>,
}

/// A reduction may rely on few processes being there at a time.
pub(crate) struct Crowd {
    /// So many; the largest number as long as nothing relies on it.
    most: u32,
    /// Raised when there are more.
    refuted: Arc<AtomicBool>,
}

impl Crowd {
    pub fn new(refuted: Arc<AtomicBool>) -> Self {
        Crowd { most: u32::MAX, refuted }
    }

    fn look(&self, count: u32) {
        if count > self.most {
            self.refuted.store(true, Ordering::Release);
        }
    }
}

struct Slot<'a> {
    key: u64,
    future: FutureId,
    steps: Steps<'a>,
}

/// Who may still touch what.
struct Masks {
    readers: Vec<u64>,
    writers: Vec<u64>,
    /// Look at the places of others.
    lookers: u64,
    /// The end of a process concerns nobody.
    ends_quietly: bool,
    /// The future that is entered for each process.
    entered: Vec<Option<FutureId>>,
}

impl<'a> Machine<'a> {
    /// The processes that are enough in the loaded state, if fewer than all
    /// that can move. Unseen: their steps do not change what is watched.
    pub(super) fn enough_processes(&mut self, unseen: bool) -> Option<u64> {
        let count = self.memory.process_count();
        self.crowd.iter().for_each(|crowd| crowd.look(count));
        if !self.reducible || !(2..=MOST_PROCESSES).contains(&count) {
            return None;
        }
        if self.memory.holder().is_some() {
            return None;
        }
        let mut reduction = match self.reduction.take() {
            Some(reduction) => reduction,
            None => match self.prepare(unseen) {
                Some(reduction) => Box::new(reduction),
                None => {
                    self.reducible = false;
                    return None;
                }
            },
        };
        self.timeout = false;
        let chosen = (!unseen || reduction.seen.is_some()).then(|| {
            reduction.arrive(self, count);
            reduction.choose(self, count, unseen)
        });
        let chosen = chosen.flatten();
        self.reduction = Some(reduction);
        chosen
    }

    /// `None` if the model uses something that makes all steps depend on each
    /// other.
    fn prepare(&mut self, unseen: bool) -> Option<Reduction<'a>> {
        if !self.program.can_reduce() {
            return None;
        }
        let mut facts = Facts::new(self.program);
        facts.numbers_hidden = self.numbers_are_hidden(unseen);
        let seen = self.seen(&facts);
        Some(Reduction::new(facts, seen)).filter(|reduction| reduction.claims_are_fixed(self))
    }

    /// Whether nobody can see numbers, perhaps as long as there are few processes: if there are more, the
    /// search is called off. A search for formulas cannot begin again, so it relies on nothing.
    fn numbers_are_hidden(&mut self, unseen: bool) -> bool {
        let claimed = self.model.asked_claims().next().is_some();
        let mut watched = self.model.watched.iter();
        if !watched.all(|watched| numbers::are_hidden_from(self.program, watched))
            || claimed && self.model.has_accept_labels()
        {
            return false;
        }
        match Numbers::of(self.program) {
            Numbers::Seen => false,
            Numbers::Hidden => true,
            Numbers::HiddenUpTo(most) => match &mut self.crowd {
                Some(crowd) if !unseen => {
                    crowd.most = most;
                    true
                }
                Some(_) | None => false,
            },
        }
    }

    /// What the propositions see. `None` if one sees what every step changes.
    fn seen(&self, facts: &Facts) -> Option<Seen> {
        let frame = Frame { pid: u32::MAX, base: 0 };
        let (proc, sight, inner) = (ProcId(0), Sight::Model, false);
        let mut look =
            Look { machine: self, facts, proc, frame, sight, inner, foot: Foot::default() };
        let mut watched = self.model.watched.clone();
        for watched in &watched {
            if let Watched::Condition(condition) = watched {
                look.expr(&condition.expr);
            }
        }
        for claim in self.model.asked_claims() {
            let states = &self.program.procs[claim.0 as usize].states;
            for transition in states.iter().flat_map(|state| &state.transitions) {
                // Whatever else a claim does is refused.
                if let Action::Guard(expr) | Action::Assert(expr) = &transition.action {
                    look.expr(expr);
                }
            }
            if self.model.has_accept_labels() {
                watched.push(Watched::Marking(Marking::Accept));
            }
        }
        Seen::new(self.program, facts, &look.foot, &watched)
    }

    /// The states of each process type in which no statement concerns anybody
    /// else; none if somebody looks.
    ///
    /// Priorities change little of that. A process goes on with such a statement only if it may run there, so
    /// whoever else may run has the same priority, and where the statement comes later, it leads to the same state. Only
    /// where processes of higher priority run for ever it would not come at all, which an obligation to get somewhere
    /// could notice.
    pub(super) fn private_places(&self) -> Vec<Vec<bool>> {
        let no_conditions = self.program.procs.iter().all(|proc| proc.provided.is_none());
        let only_priorities =
            no_conditions && self.program.last.is_none() && self.model.must_end.is_empty();
        if !self.program.can_reduce() && !only_priorities {
            return Vec::new();
        }
        let facts = Facts::new(self.program);
        let mut looked_at = false;
        let mut is_private = |proc: usize, state: &StateInfo| {
            let mut look = Look {
                machine: self,
                facts: &facts,
                proc: ProcId(proc as u16),
                frame: Frame { pid: u32::MAX, base: 0 },
                sight: Sight::Model,
                inner: false,
                foot: Foot::default(),
            };
            state.transitions.iter().for_each(|transition| look.transition(state, transition));
            looked_at |= look.foot.looks;
            !state.transitions.is_empty() && look.foot.is_private()
        };
        let procs = self.program.procs.iter().enumerate();
        let places = procs
            .map(|(index, proc)| proc.states.iter().map(|s| is_private(index, s)).collect())
            .collect();
        if looked_at { Vec::new() } else { places }
    }

    fn process_component(&self, pid: u32) -> CompId {
        self.memory.component_of(pid)
    }
}

impl<'a> Reduction<'a> {
    fn new(facts: Facts, seen: Option<Seen>) -> Self {
        let (atoms, ends_quietly) = (facts.count as usize, facts.numbers_hidden);
        let empty =
            || Slot { key: NO_KEY, future: 0, steps: Steps { list: Vec::new(), private: false } };
        Reduction {
            facts,
            futures: Futures::default(),
            slots: std::iter::repeat_with(empty).take(SLOTS).collect(),
            masks: Masks {
                readers: vec![0; atoms],
                writers: vec![0; atoms],
                lookers: 0,
                ends_quietly,
                entered: Vec::new(),
            },
            places: Vec::new(),
            enabled: 0,
            needs: Vec::new(),
            shows: 0,
            seen,
        }
    }

    /// Whether the channels claimed with `xr` and `xs` are the same for life.
    fn claims_are_fixed(&self, machine: &Machine<'a>) -> bool {
        let nobody = Frame { pid: 0, base: 0 };
        machine.program.procs.iter().enumerate().all(|(index, proc)| {
            let proc_id = ProcId(index as u16);
            proc.exclusive.iter().all(|claim| {
                let look = Look {
                    machine,
                    facts: &self.facts,
                    proc: proc_id,
                    frame: nobody,
                    sight: Sight::Life,
                    inner: false,
                    foot: Foot::default(),
                };
                look.is_known(&claim.chan, Sight::Life)
            })
        })
    }

    /// Finds the steps and futures of all processes.
    fn arrive(&mut self, machine: &Machine<'a>, count: u32) {
        self.places.clear();
        for pid in 0..count {
            let component = machine.process_component(pid);
            let key = u64::from(component.0) << 8 | u64::from(pid);
            let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize & (SLOTS - 1);
            if self.slots[place].key != key || self.places.contains(&place) {
                // Two processes in one slot would push each other out: the
                // second one takes the next.
                let place = self.free(place);
                if self.slots[place].key != key {
                    let future = self.futures.of(machine, &self.facts, pid);
                    let steps = Steps::of(machine, &self.facts, pid);
                    self.slots[place] = Slot { key, future, steps };
                }
                self.places.push(place);
            } else {
                self.places.push(place);
            }
            let future = self.slots[self.places[pid as usize]].future;
            self.masks.enter(&self.futures, pid, Some(future));
        }
        for pid in count..self.masks.entered.len() as u32 {
            self.masks.enter(&self.futures, pid, None);
        }
    }

    fn free(&self, mut place: usize) -> usize {
        while self.places.contains(&place) {
            place = (place + 1) & (SLOTS - 1);
        }
        place
    }

    fn choose(&mut self, machine: &mut Machine<'a>, count: u32, unseen: bool) -> Option<u64> {
        if let Some(single) = self.private(machine, count, unseen) {
            return Some(single);
        }
        self.enabled = 0;
        self.needs.clear();
        self.shows = 0;
        for pid in 0..count {
            machine.collect(pid);
            self.shows |= u64::from(unseen && self.shows_something(machine, pid)) << pid;
            let needs = self.needs(machine, pid, count);
            self.needs.push(needs);
            self.enabled |= u64::from(!machine.entries.is_empty()) << pid;
            machine.forget_entries();
        }
        let mut best = self.enabled.count_ones();
        let mut chosen = None;
        // The youngest first: while it has not ended, no other process can.
        for pid in (0..count).rev().filter(|pid| self.enabled >> pid & 1 == 1) {
            let set = self.closure(pid);
            let size = (set & self.enabled).count_ones();
            if size < best && set & self.shows == 0 {
                best = size;
                chosen = Some(set & self.enabled);
            }
            if best == 1 {
                break;
            }
        }
        chosen
    }

    /// Whether an enabled step of a process, which were just collected,
    /// changes something that is watched.
    fn shows_something(&self, machine: &Machine<'a>, pid: u32) -> bool {
        let steps = &self.slots[self.places[pid as usize]].steps.list;
        let Some(seen) = &self.seen else { return true };
        let proc = machine.memory.process(pid).proc;
        let state = machine.memory.state_of(pid);
        machine.entries.iter().any(|entry| {
            let foot = &steps[entry.transition as usize].foot;
            seen.shows(proc, state, entry.transition, foot)
        })
    }

    /// A process whose next steps no other process observes.
    fn private(&mut self, machine: &mut Machine<'a>, count: u32, unseen: bool) -> Option<u64> {
        let mut others = false;
        let mut found = None;
        for pid in (0..count).rev() {
            let private = self.slots[self.places[pid as usize]].steps.private
                && self.masks.lookers & !(1 << pid) == 0;
            if !private || found.is_some() {
                others = true;
                continue;
            }
            machine.collect(pid);
            let shows = unseen && self.shows_something(machine, pid);
            others |= shows;
            if !machine.entries.is_empty() && !shows {
                found = Some(1 << pid);
            }
            machine.forget_entries();
        }
        found.filter(|_| others)
    }

    fn closure(&self, pid: u32) -> u64 {
        let mut set = 1 << pid;
        let mut new: u64 = set;
        while new != 0 {
            let next = new.trailing_zeros();
            new &= new - 1;
            let more = self.needs[next as usize] & !set;
            set |= more;
            new |= more;
        }
        set
    }

    /// The processes that must be looked at together with one, whose enabled
    /// steps have just been collected.
    fn needs(&self, machine: &Machine<'a>, pid: u32, count: u32) -> u64 {
        let steps = &self.slots[self.places[pid as usize]].steps;
        let mut needs = self.masks.lookers;
        let mut enabled = machine.entries.iter().map(|entry| entry.transition).peekable();
        for (index, step) in steps.list.iter().enumerate() {
            let mut is_enabled = false;
            while enabled.next_if(|&transition| transition as usize == index).is_some() {
                is_enabled = true;
            }
            needs |= match is_enabled {
                true => self.masks.conflicts(step),
                false => self.enablers(machine, step, pid, count),
            };
        }
        needs & (u64::MAX >> (64 - count)) & !(1 << pid)
    }

    /// The processes that could enable a step.
    fn enablers(&self, machine: &Machine<'a>, step: &Step<'a>, pid: u32, count: u32) -> u64 {
        let masks = &self.masks;
        match &step.need {
            Need::Nothing => 0,
            Need::Youngest => 1 << (count - 1),
            Need::Room { out } => masks.writers[*out as usize],
            Need::Change(foot) => masks.changers(foot),
            Need::Message { channel, random, into, out, reads } => {
                let blocked = machine.length(*channel) > 0 && !random;
                let end = if blocked { *out } else { *into };
                let reads = reads.iter().map(|atom| masks.writers[*atom as usize]);
                reads.fold(masks.writers[end as usize], |sum, mask| sum | mask)
            }
            Need::Conditions(parts) => {
                let frame = machine.frame(pid);
                let open = parts.iter().filter(|(part, _)| {
                    let value = machine.eval(part, frame);
                    machine.take_trouble().is_none() && value == 0
                });
                let masks = open.map(|(_, foot)| masks.changers(foot));
                masks.min_by_key(|mask| (mask & !(1 << pid)).count_ones()).unwrap_or(0)
            }
        }
    }
}

impl Masks {
    fn enter(&mut self, futures: &Futures, pid: u32, future: Option<FutureId>) {
        let at = pid as usize;
        if self.entered.len() <= at {
            self.entered.resize(at + 1, None);
        }
        if self.entered[at] == future {
            return;
        }
        let bit = 1u64 << pid;
        if let Some(old) = self.entered[at] {
            let old = futures.get(old);
            old.reads.iter().for_each(|atom| self.readers[*atom as usize] &= !bit);
            old.writes.iter().for_each(|atom| self.writers[*atom as usize] &= !bit);
            self.lookers &= !bit;
        }
        if let Some(new) = future {
            let new = futures.get(new);
            new.reads.iter().for_each(|atom| self.readers[*atom as usize] |= bit);
            new.writes.iter().for_each(|atom| self.writers[*atom as usize] |= bit);
            self.lookers |= u64::from(new.looks) << pid;
        }
        self.entered[at] = future;
    }

    /// Who may still do something that does not commute with an enabled step.
    fn conflicts(&self, step: &Step<'_>) -> u64 {
        if step.is_end {
            if self.ends_quietly {
                return 0;
            }
            // While the youngest process lives, no other one ends.
            return self.writers[BIRTHS as usize] | self.readers[DEATHS as usize];
        }
        let foot = &step.foot;
        let written = foot.writes.iter().map(|&atom| self.touchers(atom));
        written.fold(self.changers(foot), |sum, mask| sum | mask)
    }

    /// Who may still write something that a step reads or writes.
    fn changers(&self, foot: &Foot) -> u64 {
        if foot.looks || foot.waits {
            return u64::MAX;
        }
        let atoms = foot.reads.iter().chain(&foot.writes);
        atoms.fold(0, |sum, atom| sum | self.writers[*atom as usize])
    }

    fn touchers(&self, atom: Atom) -> u64 {
        self.readers[atom as usize] | self.writers[atom as usize]
    }
}
