//! Where the running thread is.

use exeunt_ir::address::ObjId;
use exeunt_ir::{Function, Inst, LocId, Pc, Slot, readable};
use exeunt_mem::{Bits, Flags};
use exeunt_model::{ActorId, Location, SectionKind};

use super::Lower;
use super::frame::{self, Frame, OnReturn};
use crate::machine::Machine;
use crate::stop::Stop;
use crate::thread::{Phase, Section};

/// Calls of a stack that are told one by one.
const DEEP: usize = 200;

impl<'p> Machine<'p> {
    pub fn top(&self) -> &Frame {
        self.thread.frames.last().expect("a running thread has a frame")
    }

    /// A register of the frame on top.
    pub fn register(&self, slot: Slot) -> Bits {
        self.thread.registers[self.top().base as usize + slot as usize]
    }

    pub fn function(&self) -> &'p Function {
        self.vm.code(self.top().func).function
    }

    pub fn loc(&self) -> LocId {
        match self.thread.frames.last() {
            Some(frame) => self.loc_at(frame.func, frame.pc),
            None => LocId::NONE,
        }
    }

    /// The position of what is allocated: that of the innermost call that has one
    /// (library code has none) and does not only wrap an allocation.
    pub fn allocation_loc(&self) -> LocId {
        let stack = self.call_stack();
        let wrapped = stack.iter().take_while(|(func, _)| self.vm.wrappers[*func as usize]).count();
        match self.first_loc(&stack[wrapped..]) {
            LocId::NONE => self.first_loc(&stack),
            loc => loc,
        }
    }

    fn first_loc(&self, stack: &[(u32, Pc)]) -> LocId {
        let exact = |&(func, pc): &(u32, Pc)| {
            let locs = &self.vm.program.functions[func as usize].locs;
            locs.get(pc as usize).copied().filter(|loc| *loc != LocId::NONE)
        };
        stack.iter().find_map(exact).unwrap_or(LocId::NONE)
    }

    /// The position of an instruction; one without gets that of what comes
    /// before it in its block, or of a jump to the block.
    pub fn loc_at(&self, func: u32, pc: Pc) -> LocId {
        let function = self.vm.code(func).function;
        let known = |pc: usize| {
            let loc = function.locs.get(pc).copied().unwrap_or(LocId::NONE);
            let line = self.vm.program.locs.get(loc.0 as usize).map_or(0, |loc| loc.line);
            (loc != LocId::NONE && line != 0).then_some(loc)
        };
        let mut at = pc as usize;
        loop {
            if let Some(loc) = known(at) {
                return loc;
            }
            if at == 0 {
                return function.loc;
            }
            if function.code[at - 1].ends_block() {
                break;
            }
            at -= 1;
        }
        let jumps_here = |(from, inst): (usize, &Inst)| {
            let mut here = false;
            inst.successors(function, from as Pc, &mut |to| here |= to as usize == at);
            here.then(|| known(from))?
        };
        function.code.iter().enumerate().find_map(jumps_here).unwrap_or(function.loc)
    }

    /// The innermost position that is in the user's source.
    pub fn location(&self) -> Location {
        for frame in self.thread.frames.iter().rev() {
            if let Some(location) = self.vm.program.location(self.loc_at(frame.func, frame.pc)) {
                return location;
            }
        }
        let mut lower = self.thread.lower.0;
        while let Some((rest, words)) = frame::split_top(lower) {
            let (func, pc) = frame::peek(words);
            if let Some(location) = self.vm.program.location(self.loc_at(func, pc)) {
                return location;
            }
            lower = rest;
        }
        match (self.tale.left_at(), self.thread.frames.last()) {
            (Some(location), None) => location.clone(),
            (_, Some(frame)) => {
                Location::in_function(&readable(&self.vm.code(frame.func).function.name))
            }
            (None, None) => Location::in_function(""),
        }
    }

    /// Where the function on top was called.
    pub fn caller_location(&self) -> Location {
        let stack = self.call_stack();
        let callers = stack.iter().skip(1).map(|&(func, pc)| self.loc_at(func, pc));
        let known = callers.filter_map(|loc| self.vm.program.location(loc)).next();
        known.unwrap_or_else(|| self.location())
    }

    /// The calls that the present location is in, innermost first. Calls in library
    /// code have no place and are left out; of a deep recursion only the innermost
    /// calls are told.
    pub fn callers(&self) -> Vec<Location> {
        let stack = self.call_stack();
        let places = stack.iter().take(DEEP).map(|&(func, pc)| self.loc_at(func, pc));
        let mut known: Vec<Location> =
            places.filter_map(|loc| self.vm.program.location(loc)).collect();
        if !known.is_empty() {
            known.remove(0);
        }
        if stack.len() > DEEP {
            known.push(Location::in_function(&format!("… {} more calls", stack.len() - DEEP)));
        }
        known
    }

    pub fn actor(&self) -> ActorId {
        ActorId(self.thread.me)
    }

    /// Whether only one thread is left to run. Where operations of a thread
    /// are moved before those of others, one that has ended counts until it is
    /// joined: its last operations may have been moved.
    pub fn alone(&self) -> bool {
        self.system.alive == 1 && (!self.vm.moves || self.system.threads == 1)
    }

    /// How many frames there are in all.
    pub fn depth(&self) -> u32 {
        let mut depth = self.thread.frames.len() as u32;
        let mut lower = self.thread.lower.0;
        while let Some((rest, _)) = frame::split_top(lower) {
            depth += 1;
            lower = rest;
        }
        depth
    }

    /// Functions and positions of all frames, innermost first.
    pub fn call_stack(&self) -> Vec<(u32, Pc)> {
        let mut stack: Vec<_> = self.thread.frames.iter().rev().map(|f| (f.func, f.pc)).collect();
        let mut lower = self.thread.lower.0;
        while let Some((rest, words)) = frame::split_top(lower) {
            stack.push(frame::peek(words));
            lower = rest;
        }
        stack
    }

    /// Frames that are still encoded.
    pub fn lower_frames(&self) -> &'p [u64] {
        self.thread.lower.0
    }

    pub fn has_lower_frames(&self) -> bool {
        !self.thread.lower.0.is_empty()
    }

    /// Leaves the thread without frames, whatever they were.
    pub fn forget_frames(&mut self) {
        self.thread.lower = Lower::default();
        self.thread.stack_used = None;
        self.thread.frames.clear();
        self.thread.registers.clear();
        self.thread.objects.clear();
    }

    /// Whether the thread is at its end, or at that of the program, with no
    /// handler or destructor running.
    pub fn is_between_handlers(&self) -> bool {
        self.thread.frames.is_empty() || self.thread.head.phase == Phase::BetweenHandlers
    }

    /// Leaves all frames: the thread is about to end.
    pub fn leave_frames(&mut self) -> Result<(), Stop> {
        self.tale.leave(self.location());
        let me = self.thread.me;
        self.system.wakes.retain(|wake| wake.thread != me);
        self.end_block();
        self.unwind_to(0)?;
        self.thread.head.atomic = 0;
        Ok(())
    }

    /// Leaves the frames above a depth without returning from them, as
    /// `pthread_exit` and cancellation do. A routine of `pthread_once` among
    /// them has not run, and functions that must return have not returned.
    pub fn unwind_to(&mut self, depth: u32) -> Result<(), Stop> {
        while self.depth() > depth {
            let at = self.depth() - 1;
            let func = self.top().func;
            if self.vm.must_return[func as usize] {
                let (kind, resource) = (SectionKind::Function, at as u64);
                self.thread.head.sections.push(Section { kind, resource, site: func + 1 });
            }
            self.leave_atomic(func);
            let frame = self.pop_frame();
            if self.thread.frames.is_empty() && !self.raise_frame() {
                break;
            }
            if frame.on_return == OnReturn::Again {
                self.context().routine_abandoned()?;
            }
        }
        Ok(())
    }

    /// Leaves the calls above a depth because of an exception. To functions that must
    /// return this is a return; a routine of `pthread_once` has not run.
    pub fn leave_calls(&mut self, depth: u32) -> Result<(), Stop> {
        while self.depth() > depth {
            self.left(self.top().func);
            let frame = self.pop_frame();
            if self.thread.frames.is_empty() && !self.raise_frame() {
                break;
            }
            if frame.on_return == OnReturn::Again {
                self.context().routine_abandoned()?;
            }
        }
        Ok(())
    }

    /// Functions and positions of all frames, innermost first, and what happens when
    /// each of them returns.
    pub fn calls(&self) -> impl Iterator<Item = (u32, Pc, OnReturn)> + use<'p> {
        let decoded: Vec<_> =
            self.thread.frames.iter().rev().map(|f| (f.func, f.pc, f.on_return)).collect();
        let mut lower = self.thread.lower.0;
        let encoded = std::iter::from_fn(move || {
            let (rest, words) = frame::split_top(lower)?;
            lower = rest;
            let (func, pc) = frame::peek(words);
            Some((func, pc, frame::peek_on_return(words)))
        });
        decoded.into_iter().chain(encoded)
    }

    /// Whether another thread can reach a variable of the innermost frames.
    pub fn top_frames_are_shared(&mut self, count: usize) -> bool {
        let decoded = self.thread.frames.len();
        let first = match decoded.checked_sub(count) {
            Some(at) if at < decoded => self.thread.frames[at].objects as usize,
            Some(_) => return false,
            None => 0,
        };
        let mut objects = self.thread.objects[first..].to_vec();
        let mut lower = self.thread.lower.0;
        for _ in decoded..count {
            let Some((rest, words)) = frame::split_top(lower) else { break };
            objects.extend(frame::objects_of(words));
            lower = rest;
        }
        let shared = |flags: Flags| flags.has(Flags::SHARED);
        objects.into_iter().any(|id| self.mem.header(id).is_some_and(|h| shared(h.flags)))
    }

    /// This thread's copy of the exception that ends it, which the library has if
    /// the program can receive it.
    pub fn forced_exception(&mut self) -> Result<Option<u64>, Stop> {
        match self.vm.forced {
            Some(global) => Ok(Some(self.thread_local(global)?.value)),
            None => Ok(None),
        }
    }

    /// Whether the thread runs a routine that is to be abandoned if the thread
    /// ends now: others wait for it.
    pub fn runs_routine(&self) -> bool {
        let again = |on_return| on_return == OnReturn::Again;
        let mut lower = self.thread.lower.0;
        while let Some((rest, words)) = frame::split_top(lower) {
            if again(frame::peek_on_return(words)) {
                return true;
            }
            lower = rest;
        }
        self.thread.frames.iter().any(|frame| again(frame.on_return))
    }

    /// Forgets what is in registers that nobody reads any more: it depends on
    /// where the step began.
    pub fn clear_dead_registers(&mut self) {
        for (i, frame) in self.thread.frames.iter().enumerate() {
            let above = self.thread.frames.get(i + 1);
            let executes = above.is_none_or(|f| f.on_return == OnReturn::Again);
            let code = self.vm.code(frame.func);
            let liveness = code.liveness;
            let live = if executes { liveness.before(frame.pc) } else { liveness.across(frame.pc) };
            let window = &mut self.thread.registers[frame.base as usize..];
            for (slot, bits) in window.iter_mut().enumerate().take(code.function.registers as usize)
            {
                if !live.contains(&(slot as u32)) {
                    *bits = Bits::default();
                }
            }
        }
    }

    /// Removes the top frame and its stack objects.
    pub fn pop_frame(&mut self) -> Frame {
        self.shrink_stack();
        let frame = self.thread.frames.pop().expect("there is a frame to pop");
        self.thread.registers.truncate(frame.base as usize);
        while self.thread.objects.len() > frame.objects as usize {
            let id = self.thread.objects.pop().expect("checked");
            self.end_stack_object(id);
        }
        frame
    }

    pub fn end_stack_object(&mut self, id: ObjId) {
        let escaped = Flags(Flags::STORED.0 | Flags::SHARED.0);
        let may_dangle = self.mem.header(id).is_some_and(|h| h.flags.0 & escaped.0 != 0);
        self.destroy(id, may_dangle);
    }

    /// Ends the life of an object.
    pub fn destroy(&mut self, id: ObjId, may_dangle: bool) {
        self.note_gone(id);
        self.mem.destroy(id, may_dangle);
    }
}
