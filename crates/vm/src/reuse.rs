//! Addresses that come again.
//!
//! An allocator gives freed memory out again, so a pointer that was kept too
//! long may point to something new: the ABA problem of lock-free structures,
//! and the reason why a use after free is not always noticed. An object number
//! that nothing points to any more is used again at once, and nobody can tell.
//! Where a *stale* pointer to it remains, an allocation has several outcomes: a
//! number that is new, or one of those that are stale. Which one is chosen by
//! the scheduler: an allocator is not against the program for ever.
//!
//! A scan finds stale pointers that are kept as they are, at whatever offset. An
//! address that went into arithmetic which no scan sees through (`x ^ key`, `x >>
//! 3`) may be known for ever: the numbers of such objects are kept when they are
//! freed, at most [`MOST_HIDDEN`] of them.
//!
//! What an allocation can get depends on what other threads have freed. It is a
//! scheduling point as soon as one thread frees something that is still pointed
//! to while another runs (`Meets::want_reuse`; the search begins again).
//!
//! Under-approximations: memory that was freed is not handed out in parts or
//! joined with its neighbour, and a stack is not given to another thread. A number whose four
//! bytes are printable characters is taken for text (`exeunt_mem`'s `stale`).

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{IntOp, Touch};
use exeunt_mem::Flags;
use exeunt_model::ChoiceKind;

use crate::builtin::Builtin;
use crate::machine::Machine;
use crate::options::Reduction;
use crate::stop::Stop;
use crate::thread::frame::{self, OnReturn};

/// Hidden addresses of freed memory that are remembered.
const MOST_HIDDEN: usize = 2;

/// Whether an operation can make a number out of an address that no longer
/// looks like one and from which it can be had again.
#[inline]
pub fn hides(op: IntOp) -> bool {
    matches!(op, IntOp::Xor | IntOp::Or | IntOp::Shl | IntOp::LShr | IntOp::AShr | IntOp::Mul)
}

impl Machine<'_> {
    /// Two numbers that are combined or cut: addresses among them are hidden.
    #[inline]
    pub fn note_hidden(&mut self, a: u64, b: u64) {
        let on_heap = |word: u64| (word >> 56) as u8 == Space::Heap as u8;
        if on_heap(a) || on_heap(b) {
            self.hide(a);
            self.hide(b);
        }
    }

    #[cold]
    fn hide(&mut self, word: u64) {
        let id = address::object(word);
        if id.space() == Some(Space::Heap) && self.vm.options.reuse {
            self.mem.set_flags(id, Flags::HIDDEN);
        }
    }

    /// The address of an object that is gone and still known, if the scheduler
    /// chooses one.
    pub fn old_address(&mut self, space: Space) -> Result<Option<ObjId>, Stop> {
        if !self.vm.options.reuse {
            return Ok(None);
        }
        self.mem.note_stale(space, self.thread.me as u8);
        if self.mem.needs_roots() {
            let roots = self.held_roots();
            let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
            self.mem.reserve(&roots);
        }
        let candidates = self.old_addresses(space);
        let chosen = self.choose(ChoiceKind::Scheduler, 1 + candidates.len() as u32)?;
        let old = (chosen as usize).checked_sub(1).map(|at| candidates[at]);
        if old.is_some() && space == Space::Heap {
            self.tell(|_| "gets the address of memory that was freed".to_string());
        }
        Ok(old)
    }

    fn old_addresses(&mut self, space: Space) -> Vec<ObjId> {
        let hidden = self.system.hidden.iter().copied();
        let mut old: Vec<ObjId> = match space {
            Space::Heap => hidden.filter(|&id| self.mem.header(id).is_none()).collect(),
            _ => Vec::new(),
        };
        if self.mem.may_be_stale(space, self.thread.me as u8) {
            let roots = self.needed_roots();
            let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
            old.extend(self.mem.stale(space, self.thread.me as u8, &roots));
            old.sort_unstable();
            old.dedup();
        }
        old
    }

    /// An object of the heap is gone.
    pub fn remember_freed(&mut self, id: ObjId, flags: Flags) {
        if !self.vm.options.reuse {
            return;
        }
        let hidden = flags.has(Flags::HIDDEN);
        if hidden && !self.system.hidden.contains(&id) && self.system.hidden.len() < MOST_HIDDEN {
            self.system.hidden.push(id);
            self.system.hidden.sort_unstable();
        }
        let one_by_one = self.vm.options.reduction == Reduction::None;
        if one_by_one || self.alone() || self.assumed.reuses() {
            return;
        }
        let roots = self.needed_roots();
        let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
        if hidden || self.mem.is_pointed_to(id, &roots) {
            self.session.meets.want_reuse();
        }
    }

    /// Whether an allocation is a scheduling point.
    pub fn is_visible_allocation(&self, builtin: &Builtin) -> bool {
        builtin.allocates && self.vm.options.reuse && self.assumed.reuses() && !self.alone()
    }

    /// Whether the row of the function that runs says that it allocates.
    pub fn is_declared_allocation(&self) -> bool {
        let frame = self.top();
        let site = self.vm.code(frame.func).function.call_at(frame.pc);
        site.and_then(|site| self.builtin_of(site)).is_some_and(|builtin| builtin.allocates)
    }

    /// The words outside of memory that the program may still use behind the
    /// operation that runs. What is in registers that are not live does not matter: it depends
    /// on who executes.
    fn needed_roots(&self) -> Vec<Vec<u64>> {
        self.live_roots(false)
    }

    /// The same with the arguments of a call that is executed: the function that is called may have them.
    pub fn held_roots(&self) -> Vec<Vec<u64>> {
        self.live_roots(true)
    }

    fn live_roots(&self, arguments: bool) -> Vec<Vec<u64>> {
        let mut roots = self.roots_of_others();
        let mut mine = self.roots_below();
        for (i, frame) in self.thread.frames.iter().enumerate() {
            let code = self.vm.code(frame.func);
            let inst = &code.function.code[frame.pc as usize];
            let window = &self.thread.registers[frame.base as usize..];
            match self.thread.frames.get(i + 1).map(|above| above.on_return) {
                None if inst.any_touch(|touch| matches!(touch, Touch::Allocates { .. })) => {
                    let mut live = code.liveness.before(frame.pc + 1).to_vec();
                    inst.operands(code.function, &mut |operand| {
                        let made = operand.slot..operand.slot + operand.count;
                        live.retain(|slot| !operand.write || !made.contains(slot));
                    });
                    frame::push_live(&live, window, &mut mine);
                }
                None if inst.call().is_some() && !arguments => {
                    frame::push_live(code.liveness.across(frame.pc), window, &mut mine);
                }
                Some(OnReturn::Continue | OnReturn::Exit | OnReturn::Handled)
                    if inst.call().is_some() =>
                {
                    frame::push_live(code.liveness.across(frame.pc), window, &mut mine);
                }
                // It is executed afterwards, once more or for the first time.
                None
                | Some(OnReturn::Again | OnReturn::Continue | OnReturn::Exit | OnReturn::Handled) =>
                {
                    frame::push_live(code.liveness.before(frame.pc), window, &mut mine);
                }
            }
        }
        roots.push(mine);
        roots
    }
}
