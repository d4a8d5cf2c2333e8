//! Which operations other threads can notice: where a step has to end.
//!
//! Reduction `none` ends a step after every instruction. `global` ends it
//! before accesses to any memory off the stack, `tau` only before accesses to
//! memory that another thread can reach, and `superstep` only where what
//! comes next could make a difference to another thread (`superstep.rs`). An object is private until its
//! address gets into shared memory, another thread's hands, or an integer;
//! from then on it is shared for good (see `ops/memory.rs`).

use exeunt_ir::address::{self, Space};
use exeunt_ir::{CallSite, Inst, Touch};
use exeunt_mem::Flags;

use crate::builtin::{Builtin, Cancel, Effect, Locks};
use crate::libc::stdio::stream::is_opened;
use crate::machine::Machine;
use crate::options::Reduction;
use crate::thread::frame::OnReturn;

impl Machine<'_> {
    /// Whether another thread could notice an access to this address.
    pub fn is_shared(&mut self, addr: u64) -> bool {
        let alone = self.alone();
        if alone && !self.vm.watch.active {
            return false;
        }
        let id = address::object(addr);
        if self.mem.is_constant(id) {
            return false;
        }
        let header = self.mem.header(id);
        if alone {
            return header.is_some_and(|header| self.vm.watch.is_object(id, header.flags));
        }
        match header {
            // Whether a dead object was alive a moment ago depends on others.
            None => true,
            Some(header) => match id.space() {
                Some(Space::Global) => true,
                Some(Space::Heap) if self.vm.options.reduction == Reduction::Global => true,
                _ => header.flags.has(Flags::SHARED),
            },
        }
    }

    /// Whether the next instruction is a scheduling point.
    pub fn is_visible(&mut self, inst: &Inst) -> bool {
        let base = self.top().base as usize;
        inst.any_touch(|touch| match touch {
            Touch::Reads { addr, .. }
            | Touch::Writes { addr, .. }
            | Touch::Updates { addr, .. }
            | Touch::Lives { addr } => {
                let addr = self.thread.registers[base + addr as usize].value;
                self.is_shared(addr)
            }
            Touch::Unwinds { keep: Some(keep) } => {
                let keep = self.thread.registers[base + keep as usize].value as usize;
                self.frame_is_shared(keep)
            }
            Touch::Unwinds { keep: None } => self.is_visible_return(),
            Touch::Calls { call } => {
                let site = &self.function().calls[call as usize];
                self.enters_atomic(site) || self.is_visible_call(site)
            }
            Touch::Allocates { .. } | Touch::Orders { .. } => false,
        })
    }

    fn is_visible_return(&mut self) -> bool {
        self.is_process_exit() || self.is_noticed_return() || self.frame_is_shared(0)
    }

    /// Whether the objects of the top frame, without the first `keep`, can be
    /// reached by another thread: then their end is something it can notice.
    pub fn frame_is_shared(&mut self, keep: usize) -> bool {
        let first = self.top().objects as usize + keep;
        (first..self.thread.objects.len()).any(|at| {
            let header = self.mem.header(self.thread.objects[at]);
            header.is_some_and(|header| header.flags.has(Flags::SHARED))
        })
    }

    /// Whether this return is the end of the thread, or of a phase of it.
    pub fn is_last_return(&self) -> bool {
        self.thread.frames.len() == 1 && !self.has_lower_frames()
    }

    /// Whether others could notice that this return comes later than what
    /// is before it: a thread that has ended can be joined, its variables are
    /// gone, and the routine of a `pthread_once` lets others go on.
    pub fn is_noticed_return(&mut self) -> bool {
        // Where these are moved or compared they have to be told apart first.
        let superstep = self.superstep.active || self.vm.moves;
        let on_return = self.top().on_return;
        if superstep && matches!(on_return, OnReturn::Again | OnReturn::Exit) {
            return true;
        }
        self.is_last_return()
            && (superstep
                || self.vm.tries_joins
                || self.vm.last_thread_exits
                || self.vm.robust && !self.thread.head.sections.is_empty()
                || self.vm.deletes_keys && !self.thread.head.keys.is_empty()
                || !self.shared_of_thread().is_empty())
    }

    fn is_visible_call(&mut self, site: &CallSite) -> bool {
        let Some(builtin) = self.builtin_of(site) else { return false };
        let word = |machine: &Self, at: usize| {
            let slot = site.args.get(at).map(|arg| arg.slot);
            let base = machine.top().base;
            slot.map_or(0, |slot| machine.thread.registers[(base + slot) as usize].value)
        };
        // Whoever cancels this thread, or holds the stream, can come before.
        let may_wait = self.vm.cancels && builtin.cancel != Cancel::Never
            || self.vm.locks_streams && builtin.locks != Locks::No;
        let on_file = self.is_on_file(site, builtin);
        if (may_wait || on_file) && !self.alone() || self.is_visible_allocation(builtin) {
            return true;
        }
        match builtin.effect {
            Effect::Local => self.vm.watch.calls,
            Effect::Specific => {
                let key = word(self, 0) as u32;
                self.vm.watch.calls || !self.alone() && self.context().key_may_change(key)
            }
            Effect::Unwinds => {
                let exception = word(self, 0);
                let noticed = self.vm.watch.active || self.is_shared(exception);
                noticed || !self.alone() && self.context().is_noticed_unwinding(exception)
            }
            Effect::Indirect | Effect::Visible | Effect::Wait(_) => {
                !self.alone() || self.vm.watch.active
            }
            Effect::Clock if self.session.clock.moves() => !self.alone(),
            Effect::Memory | Effect::Clock => {
                let base = self.top().base as usize;
                site.args.iter().any(|arg| {
                    let word = self.thread.registers[base + arg.slot as usize].value;
                    address::object(word).space().is_some() && self.is_shared(word)
                })
            }
        }
    }

    /// Whether a call is about a stream that the program has opened.
    pub fn is_on_file(&self, site: &CallSite, builtin: &Builtin) -> bool {
        let stream = builtin.stream.and_then(|index| site.args.get(index as usize));
        let base = self.top().base;
        stream.is_some_and(|arg| is_opened(self.thread.registers[(base + arg.slot) as usize].value))
    }

    /// The builtin a call goes to, if it goes to one.
    pub fn builtin_of(&self, site: &CallSite) -> Option<&'static Builtin> {
        let func = self.target_of(site)?;
        self.vm.builtins.get(func as usize).copied().flatten()
    }
}
