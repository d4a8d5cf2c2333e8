//! Operations on more than one word of memory, done in pieces.
//!
//! A machine copies a struct word by word, and another thread may see half of
//! it. A *block operation* (`memcpy`, an assignment of structs, `memset`, a
//! library function that reads or writes text…) is executed in one step as
//! long as no thread can meet it there (`meets/blocks.rs`). Where one can, it
//! is executed in pieces of at most eight aligned bytes, each a step of its
//! own: first everything is read, in ascending order, then everything is
//! written.
//!
//! How this works for any operation without writing it twice: it runs inside
//! a [`Transaction`], which keeps its writes apart and answers its reads from a
//! log of what was read in earlier steps. It is begun anew in each step, up to
//! the first word that is not in the log; that one is read, and the step ends.
//!
//! Invariant: between two steps of a block operation its thread has changed
//! nothing but [`Block`], and pieces that were written.
//!
//! The order of the pieces on a real machine is not fixed. So a block operation
//! that another thread really interrupted is reported
//! ([`VmSession::torn_blocks`]), and a search with such a block establishes nothing
//! unless the user accepts ascending order.

mod transaction;

use exeunt_ir::address;
use exeunt_ir::{Access, Inst, LocId, Pc, Size, Touch};
use exeunt_mem::Bits;

use crate::builtin::Effect;
use crate::machine::Machine;
use crate::session::VmSession;
use crate::state::system::System;
use crate::step::Mark;
use crate::stop::Stop;
use crate::thread::Head;
use crate::vm::Vm;
pub use transaction::Transaction;

/// A part of an aligned word that is still to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub addr: u64,
    pub len: u32,
    pub bits: Bits,
}

/// A word that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Logged {
    pub addr: u64,
    pub bits: Bits,
}

/// How far a block operation has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The words that were read so far.
    Reading(Vec<Logged>),
    /// All was read; what the call returns, and what is still to be written.
    Writing { results: [Bits; 2], pieces: Vec<Piece> },
}

/// A block operation between two of its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// How many frames the thread had: a signal handler runs above it.
    pub depth: u32,
    pub progress: Progress,
}

/// A range that a block operation in progress touches, for other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InProgress {
    pub thread: u32,
    /// Where the operation is in the source.
    pub site: LocId,
    pub start: u64,
    pub end: u64,
    pub write: bool,
}

/// What a step may have changed before it gave up.
struct Before {
    head: Head,
    system: System,
    progress: Mark,
    events: usize,
}

/// Whether an instruction can be a block operation at all.
#[inline]
pub fn may_be_block(inst: &Inst) -> bool {
    inst.any_touch(|touch| matches!(touch, Touch::Calls { .. }) || is_long(touch))
}

/// Whether a thread can come between the words that are accessed: more than
/// one of them, and not atomically.
fn is_long(touch: Touch) -> bool {
    let Some((_, size, access)) = touch.accessed() else { return false };
    match size {
        Size::Slot(_) => true,
        Size::Bytes(bytes) => bytes > 8 && !matches!(access, Access::Atomic(_)),
    }
}

impl Machine<'_> {
    /// Whether an instruction is executed by [`Machine::execute_block`].
    pub fn is_in_pieces(&mut self, inst: &Inst) -> bool {
        if let Some(block) = &self.thread.head.block {
            return block.depth == self.depth();
        }
        if self.alone() || self.thread.head.atomic > 0 || !self.is_block(inst) {
            return false;
        }
        if !self.assumed.minds_blocks() {
            if self.is_operation(inst) {
                self.session.meets.want_blocks();
            }
            return false;
        }
        self.is_operation(inst)
    }

    fn is_block(&self, inst: &Inst) -> bool {
        inst.any_touch(|touch| match touch {
            Touch::Calls { call } => {
                let site = &self.function().calls[call as usize];
                // What is written to a file is part of the state, and is written at once.
                let builtin = self.builtin_of(site).filter(|row| !self.is_on_file(site, row));
                let effect = builtin.map(|builtin| builtin.effect);
                matches!(effect, Some(Effect::Memory | Effect::Clock | Effect::Indirect))
            }
            Touch::Reads { .. }
            | Touch::Writes { .. }
            | Touch::Updates { .. }
            | Touch::Lives { .. }
            | Touch::Allocates { .. }
            | Touch::Unwinds { .. }
            | Touch::Orders { .. } => is_long(touch),
        })
    }

    /// Executes a block operation, or the next piece of it. `true` if it is
    /// complete and the next instruction follows, `false` if another frame is
    /// on top now.
    pub fn execute_block(&mut self, inst: &Inst, base: usize, pc: Pc) -> Result<bool, Stop> {
        self.set_pc(pc);
        if let Some(block) = self.thread.head.block.take() {
            return self.continue_block(block, inst, base);
        }
        let before = self.before_block();
        let (result, trial) = self.attempt(Transaction::trial(), inst, base);
        let next = match result {
            Ok(next) => next,
            // The thread was cancelled instead.
            Err(Stop::Moved) => {
                self.accept(trial)?;
                return Err(Stop::Moved);
            }
            Err(stop) => return Err(stop),
        };
        if !self.is_met(&trial) {
            self.accept(trial)?;
            return Ok(next);
        }
        self.announce(&trial);
        self.undo(before, trial);
        let block = Block { depth: self.depth(), progress: Progress::Reading(Vec::new()) };
        self.continue_block(block, inst, base)
    }

    fn attempt(
        &mut self,
        transaction: Transaction,
        inst: &Inst,
        base: usize,
    ) -> (Result<bool, Stop>, Transaction) {
        self.transaction = Some(transaction);
        let result = self.execute_apart(inst, base, self.top().pc);
        (result, self.transaction.take().expect("it was put there"))
    }

    fn continue_block(&mut self, block: Block, inst: &Inst, base: usize) -> Result<bool, Stop> {
        let (results, pieces, touched) = match block.progress {
            Progress::Writing { results, pieces } => (results, pieces, false),
            Progress::Reading(log) => {
                let before = self.before_block();
                let (result, read) = self.attempt(Transaction::resume(log), inst, base);
                match result {
                    Err(Stop::Pause) if read.paused => {
                        let told = read.told.clone();
                        let log = self.undo(before, read);
                        self.tale.tell_again(told);
                        self.suspend(Progress::Reading(log));
                        return Err(Stop::Pause);
                    }
                    Err(Stop::Moved) => {
                        self.accept(read)?;
                        return Err(Stop::Moved);
                    }
                    Err(stop) => {
                        self.end_block();
                        return Err(stop);
                    }
                    Ok(_) => (self.results_of(inst, base), read.pieces(), read.touched),
                }
            }
        };
        self.write_pieces(results, pieces, touched)?;
        self.end_block();
        self.set_results_of(inst, base, results);
        Ok(true)
    }

    /// Writes up to the second piece that threads meet at in this step.
    fn write_pieces(
        &mut self,
        results: [Bits; 2],
        pieces: Vec<Piece>,
        mut touched: bool,
    ) -> Result<(), Stop> {
        for (i, piece) in pieces.iter().enumerate() {
            let met = self.may_meet(piece.addr, piece.len as u64);
            if met && !self.alone() {
                if touched {
                    let pieces = pieces[i..].to_vec();
                    self.suspend(Progress::Writing { results, pieces });
                    return Err(Stop::Pause);
                }
                touched = true;
            }
            self.write(piece.addr, piece.len as usize, piece.bits)?;
            if met {
                self.tell_piece(piece.addr, piece.len as usize, piece.bits, true);
            }
        }
        Ok(())
    }

    fn suspend(&mut self, progress: Progress) {
        self.thread.head.block = Some(Block { depth: self.depth(), progress });
        self.end_step_soon();
    }

    /// A block operation is complete, or its thread is about to end.
    pub fn end_block(&mut self) {
        self.thread.head.block = None;
        let me = self.thread.me;
        self.system.blocks.retain(|range| range.thread != me);
    }

    /// What a call left in the registers of its results.
    fn results_of(&self, inst: &Inst, base: usize) -> [Bits; 2] {
        let mut results = [Bits::default(); 2];
        if let Some((first, count)) = self.result_slots(inst) {
            for (i, result) in results.iter_mut().take(count).enumerate() {
                *result = self.thread.registers[base + first + i];
            }
        }
        results
    }

    fn set_results_of(&mut self, inst: &Inst, base: usize, results: [Bits; 2]) {
        if let Some((first, count)) = self.result_slots(inst) {
            self.thread.registers[base + first..][..count].copy_from_slice(&results[..count]);
        }
    }

    fn result_slots(&self, inst: &Inst) -> Option<(usize, usize)> {
        let mut slots = None;
        inst.operands(self.function(), &mut |operand| {
            if operand.write {
                slots = Some((operand.slot as usize, (operand.count as usize).min(2)));
            }
        });
        slots
    }

    fn before_block(&self) -> Before {
        Before {
            head: self.thread.head.clone(),
            system: self.system.clone(),
            progress: self.progress.mark(),
            events: self.tale.events().len(),
        }
    }

    /// Takes back what an attempt did; returns its log.
    fn undo(&mut self, before: Before, transaction: Transaction) -> Vec<Logged> {
        for id in transaction.made {
            self.mem.destroy(id, false);
        }
        self.thread.head = before.head;
        self.system = System { blocks: std::mem::take(&mut self.system.blocks), ..before.system };
        self.progress.back_to(before.progress);
        self.tale.back_to(before.events);
        transaction.log
    }

    /// Tells other threads what is in progress.
    fn announce(&mut self, trial: &Transaction) {
        let (thread, site) = (self.thread.me, self.loc());
        for access in &trial.accesses {
            let (start, end) = (access.addr, access.addr + access.len);
            if !self.is_shared(start) {
                continue;
            }
            let write = access.write;
            let joins = |r: &&mut InProgress| {
                r.thread == thread && r.write == write && r.start <= end && start <= r.end
            };
            match self.system.blocks.iter_mut().find(joins) {
                Some(range) => {
                    range.start = range.start.min(start);
                    range.end = range.end.max(end);
                }
                None => {
                    self.system.blocks.push(InProgress { thread, site, start, end, write });
                }
            }
        }
    }

    /// An access by the running thread: other threads whose block operations
    /// it interrupts are written down.
    pub fn note_interrupted(&mut self, addr: u64, len: u64, write: bool) {
        let end = addr.saturating_add(len);
        for range in &self.system.blocks {
            let conflict = range.write || write;
            if range.thread != self.thread.me && conflict && range.start < end && addr < range.end {
                self.session.meets.note_torn(range.site);
            }
        }
    }

    /// Whether the operation would touch two words that threads meet at.
    fn is_met(&mut self, trial: &Transaction) -> bool {
        let mut met = 0;
        for access in &trial.accesses {
            let first = address::offset(access.addr).div_euclid(8);
            let last = (address::offset(access.addr) + access.len as i64 - 1).div_euclid(8);
            let object = address::object(access.addr);
            for word in first..=last {
                met += usize::from(self.may_meet(object.at(word * 8), 8));
                if met > 1 {
                    return true;
                }
            }
        }
        false
    }
}

impl Vm {
    /// Whether the program has operations on several words at all.
    fn has_blocks(&self) -> bool {
        let mut insts = self.program.functions.iter().flat_map(|function| &function.code);
        let mut known = self.builtins.iter().flatten();
        insts.any(|inst| inst.call().is_none() && may_be_block(inst))
            || known.any(|builtin| {
                // Those of the thread library are about its own objects.
                let mut threads = crate::pthread::TABLES.iter().flat_map(|(_, rows)| *rows);
                matches!(builtin.effect, Effect::Memory | Effect::Clock | Effect::Indirect)
                    && !threads.any(|row| row.name == builtin.name)
            })
    }
}

impl VmSession<'_> {
    /// Block operations that another thread interrupted, unless the order of
    /// their pieces is accepted.
    pub(crate) fn torn_blocks(&self) -> Vec<String> {
        if self.vm.options.copies_ascend {
            return Vec::new();
        }
        if self.meets.relies_on_nothing() && self.vm.has_blocks() {
            // It may have happened in an earlier process.
            return vec![
                "which blocks of memory other threads saw half copied is not kept with a \
                 checkpoint, and C promises no order of copying (--copy-order ascending accepts \
                 the one that was tried)"
                    .to_string(),
            ];
        }
        let told = self.meets.torn().into_iter().filter_map(|site| self.vm.program.location(site));
        told.map(|at| {
            format!(
                "another thread accesses the block of memory that is copied at {}:{} while the \
                 copy is under way; only the ascending order of its words was tried, and C \
                 promises none (--copy-order ascending accepts it)",
                at.file, at.line
            )
        })
        .collect()
    }
}
