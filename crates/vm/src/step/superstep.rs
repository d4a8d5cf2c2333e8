//! Supersteps: a thread takes several visible operations in one step, as long
//! as no other thread could tell.
//!
//! Paper: Zaks and Joshi, "Verifying Multi-threaded C Programs with SPIN",
//! section 4. For each state every thread gets a sequence of operations of
//! which at most the last one may conflict with an operation of another
//! thread's sequence, and then only with its last one. Where we deviate, and
//! why that is needed, is argued in docs/reductions.md: blocked threads count
//! with the operation they are blocked at, the end of a thread is an
//! operation, choices and what leads nowhere are steps of their own.
//!
//! Invariant: the sequences are a function of the state: threads are treated
//! in order, each against the complete sequences of those before it and the
//! first operations of those behind it.

use exeunt_ir::address::ObjId;
use exeunt_mem::Bits;
use exeunt_model::{ActorId, Next, Span, Touched};

use crate::machine::Machine;
use crate::meets::Mobility;
use crate::step::footprint::{Footprint, Range};
use crate::stop::Stop;
use crate::thread::Status;
use crate::thread::frame::Frame;

/// Operations in one superstep. A bound is needed because loops are.
const MOST: u32 = 64;

/// What a thread's sequence touches so far.
#[derive(Clone, Debug, Default)]
struct Table {
    /// The thread has ended: nothing conflicts with it.
    gone: bool,
    everything: bool,
    /// The table of threads gets or loses an entry.
    threads: bool,
    /// Others notice a thread that waits for it.
    announced: bool,
    ranges: Vec<Range>,
    /// Where the ranges of the last operation begin.
    last: usize,
    /// How many ranges the first operation has.
    first: usize,
    operations: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Conflict {
    None,
    WithLast,
    WithEarlier,
}

impl Table {
    fn new(footprint: &Footprint) -> Table {
        Table {
            gone: false,
            everything: footprint.everything,
            threads: footprint.threads,
            announced: footprint.announced,
            ranges: footprint.ranges.to_vec(),
            last: 0,
            first: footprint.ranges.len(),
            operations: 1,
        }
    }

    fn gone() -> Table {
        Table { gone: true, ..Table::default() }
    }

    /// Back to the first operation alone.
    fn restart(&mut self) {
        self.ranges.truncate(self.first);
        self.last = 0;
        self.operations = 1;
    }

    fn add(&mut self, footprint: &Footprint) {
        self.last = self.ranges.len();
        self.ranges.extend_from_slice(&footprint.ranges);
        self.operations += 1;
    }

    fn conflict(&self, footprint: &Footprint) -> Conflict {
        if self.gone {
            return Conflict::None;
        }
        if self.everything || footprint.everything {
            let short = self.operations <= 1;
            return if short { Conflict::WithLast } else { Conflict::WithEarlier };
        }
        let touches = |ranges: &[Range]| {
            ranges.iter().any(|mine| footprint.ranges.iter().any(|other| mine.conflicts(other)))
        };
        if touches(&self.ranges[..self.last]) {
            Conflict::WithEarlier
        } else if touches(&self.ranges[self.last..]) {
            Conflict::WithLast
        } else {
            Conflict::None
        }
    }
}

/// Where a thread was at one of its operations, to notice that it is there
/// again: a loop that only memory could end. A round of it is a step.
#[derive(Default)]
struct Place {
    frames: Vec<Frame>,
    registers: Vec<Bits>,
    objects: Vec<ObjId>,
}

/// The supersteps of one state, while they are being made.
#[derive(Default)]
pub struct Superstep {
    /// Whether steps are supersteps now.
    pub active: bool,
    /// An engine asks what operations touch.
    pub asked: bool,
    tables: Vec<Table>,
    /// Operations of the running step.
    pub(super) operations: u32,
    /// The step ends before its next operation.
    pub(super) closed: bool,
    /// How many operations the step may have.
    limit: u32,
    /// Operations that need not end a step do so if one came before them.
    cautious: bool,
    /// Some that need not were taken behind others.
    moved: bool,
    place: Place,
}

impl Machine<'_> {
    /// Looks at what every thread of the loaded state is about to do.
    pub fn plan_supersteps(&mut self) {
        self.superstep.tables.clear();
        self.superstep.active = true;
        for thread in 0..self.system.threads {
            let table = match self.peek_status(thread) {
                Status::Ended { .. } | Status::Free => Table::gone(),
                Status::Ready
                | Status::CondWait { .. }
                | Status::CondRelock { .. }
                | Status::BarrierWait { .. }
                | Status::BarrierLeave { .. }
                | Status::FutexWait { .. }
                | Status::FutexWoken => Table::new(&self.first_footprint(thread)),
            };
            self.superstep.tables.push(table);
        }
    }

    /// What the next operation of each thread of the loaded state touches that has not ended.
    pub fn first_operations(&mut self, out: &mut Vec<Next>) {
        self.superstep.asked = true;
        self.plan_supersteps();
        (self.superstep.active, self.superstep.asked) = (false, false);
        for (thread, table) in self.superstep.tables.iter().enumerate() {
            if table.gone {
                continue;
            }
            let span =
                |range: &Range| Span { start: range.start, end: range.end, write: range.write };
            let spans = table.ranges.iter().map(span).collect();
            let Table { everything, threads: actors, announced, .. } = *table;
            out.push((ActorId(thread as u32), Touched { everything, actors, announced, spans }));
        }
    }

    /// What the first operation of a thread touches.
    fn first_footprint(&mut self, thread: u32) -> Footprint {
        self.load_thread(thread);
        if self.thread.head.atomic > 0 || self.is_between_handlers() {
            return Footprint::everything();
        }
        if let Some(footprint) = self.waiting_footprint() {
            return footprint;
        }
        let inst = &self.function().code[self.top().pc as usize];
        if self.thread.head.status == Status::Ready && self.is_operation(inst) {
            let (footprint, mobility) = self.operation(inst);
            if mobility != Mobility::Both {
                return footprint;
            }
        }
        self.run_to_first_operation()
    }

    /// For a thread that is not at an operation: runs it up to there, and
    /// undoes that. One that comes to none touches nothing.
    fn run_to_first_operation(&mut self) -> Footprint {
        let (opened, choices) = (self.tale.opened(), std::mem::take(&mut self.progress.choices));
        self.begin_superstep(0);
        self.superstep.tables.push(Table::default());
        let _ = self.step();
        let found = self.superstep.tables.pop().expect("pushed above");
        self.progress.choices = choices;
        self.tale.uncount_opened(opened);
        self.reload();
        Footprint {
            everything: found.everything,
            threads: found.threads,
            announced: found.announced,
            ranges: found.ranges.into(),
            ..Footprint::default()
        }
    }

    fn begin_superstep(&mut self, limit: u32) {
        self.superstep.operations = 0;
        self.superstep.closed = false;
        self.superstep.moved = false;
        self.superstep.limit = limit;
    }

    /// Whether an operation need not end the step, and is not even to be
    /// compared with those of others.
    pub fn passes(&mut self, mobility: Mobility) -> bool {
        let passes = match mobility {
            Mobility::Fixed => false,
            Mobility::Left if self.superstep.active => self.superstep.closed,
            // What waits for it may come between it and what follows.
            Mobility::Left => {
                self.progress.acted = true;
                true
            }
            Mobility::Both => true,
        };
        // Behind another operation it may lead nowhere; then the step is taken
        // again, cautiously.
        let late = self.superstep.active && self.superstep.operations > 0;
        self.superstep.moved |= passes && late;
        passes && !(late && self.superstep.cautious)
    }

    /// One superstep of a thread of the loaded state. What leads nowhere (a
    /// fault, a dropped path) is a step of its own: the superstep ends before
    /// it.
    pub fn take_superstep(&mut self, thread: u32) -> Result<(), Stop> {
        let opened = self.tale.opened();
        let mut limit = MOST;
        self.superstep.cautious = false;
        loop {
            self.reload();
            self.load_thread(thread);
            self.begin_superstep(limit);
            self.superstep.tables[thread as usize].restart();
            let result = self.step();
            let nowhere = matches!(
                result,
                Err(Stop::Fault(_) | Stop::Dropped | Stop::Beyond | Stop::Unsupported(_))
            );
            let superstep = &mut self.superstep;
            let again = superstep.operations > 1 || superstep.moved && !superstep.cautious;
            if !nowhere || !again {
                superstep.cautious = false;
                return result;
            }
            match superstep.operations {
                0 | 1 => superstep.cautious = true,
                operations => limit = operations - 1,
            }
            self.tale.uncount_opened(opened);
        }
    }

    /// Whether an operation with this footprint may be part of the step.
    pub fn admit(&mut self, footprint: &Footprint) -> bool {
        let first = self.superstep.operations == 0;
        // A choice that is no operation (`malloc` may fail) came before: which
        // operation this is depends on it. The choice is the step.
        if first && self.superstep.closed {
            return false;
        }
        if self.superstep.limit == 0 {
            *self.superstep.tables.last_mut().expect("made for this") = Table::new(footprint);
            return false;
        }
        let single = footprint.everything || footprint.noticed;
        if !first && (self.superstep.closed || single || self.repeats_itself()) {
            return self.superstep.closed && self.admit_end(footprint);
        }
        let me = self.thread.me as usize;
        let conflict = self.conflict_with_others(footprint);
        debug_assert!(!first || conflict != Conflict::WithEarlier, "first operations are known");
        if !first {
            if conflict == Conflict::WithEarlier {
                return false;
            }
            self.superstep.tables[me].add(footprint);
        }
        let superstep = &mut self.superstep;
        superstep.operations += 1;
        superstep.closed |= conflict != Conflict::None || single;
        superstep.closed |= superstep.operations >= superstep.limit;
        self.progress.acted = true;
        if self.superstep.operations.is_power_of_two() {
            self.remember_place();
        }
        true
    }

    fn conflict_with_others(&self, footprint: &Footprint) -> Conflict {
        let tables = self.superstep.tables.iter().enumerate();
        let others = tables.filter(|(thread, _)| *thread != self.thread.me as usize);
        others.map(|(_, table)| table.conflict(footprint)).max().unwrap_or(Conflict::None)
    }

    /// The end of a thread may be part of its last operation: that it comes
    /// later is something that nobody can notice, unless there are joins that
    /// do not wait.
    fn admit_end(&mut self, footprint: &Footprint) -> bool {
        // Behind a choice the end would be in the table for some of its values only.
        // The end of a detached thread leaves nothing that tells of it.
        let forgotten = self.thread.head.detached && self.vm.moves;
        let certain =
            self.progress.chosen == 0 && !footprint.everything && !footprint.noticed && !forgotten;
        let ends = certain && self.is_last_return() && !self.vm.tries_joins;
        let returns = self.function().code[self.top().pc as usize].returns();
        if !ends || !returns || !self.shared_of_thread().is_empty() {
            return false;
        }
        let admitted = self.conflict_with_others(footprint) != Conflict::WithEarlier;
        if admitted {
            self.superstep.tables[self.thread.me as usize]
                .ranges
                .extend_from_slice(&footprint.ranges);
        }
        admitted
    }

    fn remember_place(&mut self) {
        let place = &mut self.superstep.place;
        place.frames.clone_from(&self.thread.frames);
        place.registers.clone_from(&self.thread.registers);
        place.objects.clone_from(&self.thread.objects);
    }

    /// Whether the thread is in a loop that has come round.
    fn repeats_itself(&self) -> bool {
        let place = &self.superstep.place;
        place.frames == self.thread.frames
            && place.registers == self.thread.registers
            && place.objects == self.thread.objects
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(start: u64, write: bool) -> Footprint {
        Footprint {
            ranges: [Range::new(start, 4, write)].into_iter().collect(),
            ..Footprint::default()
        }
    }

    #[test]
    fn only_the_last_operation_may_conflict() {
        let mut table = Table::new(&touch(0, true));
        assert_eq!(table.conflict(&touch(0, false)), Conflict::WithLast);
        table.add(&touch(8, false));
        assert_eq!(table.conflict(&touch(0, false)), Conflict::WithEarlier);
        assert_eq!(table.conflict(&touch(8, true)), Conflict::WithLast);
        assert_eq!(table.conflict(&touch(8, false)), Conflict::None);
        assert_eq!(table.conflict(&Footprint::everything()), Conflict::WithEarlier);
        table.restart();
        assert_eq!(table.conflict(&touch(8, true)), Conflict::None);
        assert_eq!(table.conflict(&Footprint::everything()), Conflict::WithLast);
        assert_eq!(Table::gone().conflict(&Footprint::everything()), Conflict::None);
    }
}
