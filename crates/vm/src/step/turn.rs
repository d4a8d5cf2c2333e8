//! Turns: a thread goes on alone for as long as it can.
//!
//! A turn is a sequence of ordinary steps of one thread, executed without storing what
//! lies between them: up to where the thread waits, ends, has to choose, has
//! worked for long, is in a loop that only others can end, or comes to the end of its leash. Whatever shows at its end is reached by these steps, so a fault or a
//! deadlock behind a turn is one of the program. That other threads could have come in
//! between is not explored: turns are for looking far ahead (`search/src/bound/turns.rs`),
//! never for "holds".

use exeunt_ir::Inst;
use exeunt_model::{CompId, Detail, Leash};
use rustc_hash::FxHashMap;

use crate::machine::Machine;
use crate::stop::Stop;
use crate::thread::Status;

/// Instructions in one turn, about: clock and interrupts are looked at between turns.
const MOST_WORK: u64 = 1 << 23;
/// Operations at the beginning and at the end of a turn that are told.
const TOLD: u64 = 4;

/// Turns whose lengths are kept.
const LENGTHS: usize = 1 << 12;

/// The turn that runs, if one does. Its fields belong to this room.
#[derive(Default)]
pub struct Turn {
    active: bool,
    /// Visible operations so far.
    operations: u64,
    /// It ends before this operation, and before calls that synchronise at places that are
    /// not known.
    until: u64,
    known: Option<Box<[u64]>>,
    /// Where it ended, if it was before such a call.
    place: Option<u64>,
    /// It ends where the leash ends.
    at_end: bool,
    /// How many there will be, if that is known: then only the first and the last are told.
    total: Option<u64>,
    /// Instructions so far, about.
    work: u64,
    /// It ends because something has to be chosen.
    at_choice: bool,
    /// How many operations turns had, by thread and state.
    lengths: FxHashMap<(u32, Box<[CompId]>), u64>,
}

impl Turn {
    /// The thread is in a loop that only others can end.
    pub(super) fn comes_round(&mut self) {
        self.at_end = true;
    }

    pub(super) fn is_active(&self) -> bool {
        self.active
    }

    /// How the last turn went.
    pub fn outcome(&self) -> exeunt_model::Turn {
        exeunt_model::Turn { until: self.operations + 1, place: self.place }
    }

    /// No turn was taken yet.
    pub fn forget(&mut self) {
        let lengths = std::mem::take(&mut self.lengths);
        *self = Turn { lengths, ..Turn::default() };
    }

    /// About how many instructions the last turn had.
    pub fn work(&self) -> u64 {
        self.work
    }
}

impl Machine<'_> {
    /// Runs a thread of the loaded state for a turn. What is told of a long one is its
    /// beginning and its end, so its length has to be known first.
    pub fn take_turn(&mut self, thread: u32, leash: Leash<'_>) -> Result<(), Stop> {
        let key = (thread, self.loaded_state().into());
        if !self.tale.is_told() {
            let result = self.make_turn(thread, leash, None);
            if self.turn.lengths.len() < LENGTHS {
                self.turn.lengths.insert(key, self.turn.operations);
            }
            return result;
        }
        let total = match self.turn.lengths.get(&key) {
            _ if leash.until < u64::MAX => leash.until - 1,
            Some(&known) => known,
            None => self.measure_turn(thread, leash),
        };
        self.make_turn(thread, leash, Some(total))
    }

    /// The operations of a turn.
    fn measure_turn(&mut self, thread: u32, leash: Leash<'_>) -> u64 {
        let opened = self.tale.opened();
        self.tale.listen(Detail::Targets);
        let _ = self.make_turn(thread, leash, None);
        self.tale.listen(Detail::Story);
        self.tale.uncount_opened(opened);
        self.turn.operations
    }

    fn make_turn(&mut self, thread: u32, leash: Leash<'_>, total: Option<u64>) -> Result<(), Stop> {
        self.progress.forget_choices();
        self.reload();
        self.load_thread(thread);
        self.turn.forget();
        self.turn.active = true;
        self.turn.total = total;
        self.turn.until = leash.until;
        self.turn.known = leash.known.map(Box::from);
        let result = self.go_on();
        self.turn.active = false;
        self.tale.speak_up();
        result
    }

    fn go_on(&mut self) -> Result<(), Stop> {
        let mut begun = false;
        loop {
            match self.step() {
                Ok(()) => {}
                Err(Stop::Blocked(_) | Stop::Beyond) if begun => return Ok(()),
                Err(Stop::Pause) if self.turn.at_choice => return Ok(()),
                Err(stop) => return Err(stop),
            }
            begun = true;
            self.turn.work += self.progress.worked();
            let alive = !matches!(self.thread.head.status, Status::Ended { .. } | Status::Free);
            let stops = self.turn.at_choice || self.turn.at_end || self.progress.chosen > 0;
            if !alive || stops || self.turn.work > MOST_WORK {
                return Ok(());
            }
            self.progress.begin();
        }
    }

    pub fn turn_runs(&self) -> bool {
        self.turn.active
    }

    /// Whether a turn runs, which then ends before something is chosen. An atomic block
    /// does not end in its middle; the first alternative is taken there.
    pub(super) fn pauses_turn(&mut self) -> bool {
        let pauses = self.turn.active && self.thread.head.atomic == 0;
        self.turn.at_choice |= pauses;
        pauses
    }

    /// Whether the visible operation that comes next is part of the turn that runs.
    pub(super) fn goes_on_with(&mut self, inst: &Inst) -> bool {
        let place = self.place_of_call(inst);
        if self.turn.operations + 1 >= self.turn.until || self.is_new(place) {
            self.turn.place = place;
            self.turn.at_end = true;
            return false;
        }
        self.progress.acted = true;
        self.turn.operations += 1;
        if let Some(total) = self.turn.total {
            self.tell_part(total);
        }
        true
    }

    /// Where a call that synchronises is.
    fn place_of_call(&self, inst: &Inst) -> Option<u64> {
        let frame = self.top();
        let place = || (frame.func as u64 + 1) << 32 | frame.pc as u64;
        matches!(inst, Inst::Call { .. }).then(place)
    }

    /// Whether the turn has begun, and ends here because the place is not known.
    fn is_new(&self, place: Option<u64>) -> bool {
        let Some((known, place)) = self.turn.known.as_ref().zip(place) else { return false };
        self.turn.operations > 0 && !known.contains(&place)
    }

    /// Tells that operations in the middle of a long turn are left out.
    fn tell_part(&mut self, total: u64) {
        let at = self.turn.operations;
        let left_out = total.saturating_sub(2 * TOLD);
        if left_out <= TOLD {
            return;
        }
        if at == TOLD + 1 {
            self.tell(|_| format!("goes on for {left_out} operations, left out here"));
            // The turn surely leaves a trace.
            self.note_trace();
            self.tale.hush();
        }
        if at == TOLD + left_out + 1 {
            self.tale.speak_up();
        }
    }
}
