//! Calls, returns, and the end of threads and of the program.

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{CallSite, Callee, Signature, readable, readable_in_full};
use exeunt_mem::Bits;
use exeunt_model::words::Doing;
use exeunt_model::{ChoiceKind, Fault, Property, SectionKind};
use smallvec::SmallVec;

use crate::builtin::{Args, Builtin, Cancel, Effect, Flow, Value};
use crate::cxx::refused;
use crate::machine::Machine;
use crate::ops::convention::truncated;
use crate::outside;
use crate::stop::Stop;
use crate::thread::frame::{self, Frame, OnReturn};
use crate::thread::{Phase, Section, Status};

/// Where the end of a thread or of the program goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It begins in the middle of a step.
    Begins,
    /// A handler or destructor has just returned.
    AfterHandler,
    /// A step begins here.
    Resumed,
}

impl Machine<'_> {
    /// Executes a call; `true` if it is complete, `false` if another frame
    /// is on top now.
    pub fn call(&mut self, call: u32) -> Result<bool, Stop> {
        let vm = self.vm;
        let frame = *self.top();
        let site = &vm.program.functions[frame.func as usize].calls[call as usize];
        let func = self.callee(site)?;
        if let Some(builtin) = vm.builtins[func as usize] {
            if !vm.asked[func as usize]
                && let Some(what) = outside::assumed_by_library(builtin, &vm.options)
            {
                self.session.note_asked(what);
            }
            return self.call_builtin(builtin, site);
        }
        let function = &vm.program.functions[func as usize];
        if function.is_declaration() {
            return Err(Stop::unsupported(refused::undefined(&function.name)));
        }
        let signature = vm.program.signature(function.signature);
        if site.signature != function.signature
            && !compatible(vm.program.signature(site.signature), signature, site)
        {
            let name = readable_in_full(&function.name);
            let message = format!("`{name}` is called as a function of another type");
            let Some(arguments) = self.arguments_as(site, signature) else {
                return Err(self.fault(Property::Undefined, message));
            };
            self.harmless(message)?;
            self.push_call(func, site, signature)?;
            let base = self.top().base as usize;
            self.thread.registers[base..base + arguments.len()].copy_from_slice(&arguments);
            return Ok(false);
        }
        self.push_call(func, site, signature)?;
        Ok(false)
    }

    fn callee(&mut self, site: &CallSite) -> Result<u32, Stop> {
        let slot = match site.callee {
            Callee::Direct(id) => return Ok(id.0),
            Callee::Indirect(slot) => slot,
        };
        let target = self.thread.registers[self.top().base as usize + slot as usize];
        if target.undefined != 0 {
            return Err(self.undefined_use("the function that is called"));
        }
        if target.value == 0 {
            return Err(self.fault(Property::Memory, "call through a null function pointer"));
        }
        let object = address::object(target.value);
        let known = (object.index() as usize) < self.vm.program.functions.len();
        if object.space() != Some(Space::Function) || address::offset(target.value) != 0 || !known {
            let what = self.name_place(target.value);
            let message = format!("call through a pointer to {what}, which is not a function");
            return Err(self.fault(Property::Memory, message));
        }
        Ok(object.index())
    }

    /// The arguments at a call site.
    pub fn arguments(&self, site: &CallSite) -> SmallVec<[Value; 4]> {
        let base = self.top().base as usize;
        let value = |slot: u32| self.thread.registers[base + slot as usize];
        site.args
            .iter()
            .map(|arg| Value {
                ty: arg.ty,
                low: value(arg.slot),
                high: if arg.ty.slots() == 2 { value(arg.slot + 1) } else { Bits::default() },
                by_value: arg.by_value,
            })
            .collect()
    }

    pub fn push_call(
        &mut self,
        func: u32,
        site: &CallSite,
        signature: &Signature,
    ) -> Result<(), Stop> {
        self.reserve_stack(func)?;
        let function = &self.vm.program.functions[func as usize];
        let fixed = signature.params.len();
        let caller = self.top().base as usize;
        let mut varargs = ObjId::NULL;
        let objects = self.thread.objects.len() as u32;
        if signature.variadic {
            varargs = self.pack_varargs(site, fixed)?;
            self.thread.objects.push(varargs);
        }
        let base = self.thread.registers.len();
        frame::open_window(function, &mut self.thread.registers);
        let mut at = base;
        for arg in site.args.iter().take(fixed) {
            for slot in 0..arg.ty.slots() {
                self.thread.registers[at] =
                    self.thread.registers[caller + (arg.slot + slot) as usize];
                at += 1;
            }
        }
        self.thread.frames.push(Frame {
            func,
            pc: 0,
            base: base as u32,
            objects,
            varargs,
            on_return: OnReturn::Continue,
        });
        self.entered(func);
        Ok(())
    }

    /// Pushes a call made by the machine itself, with pointer-sized arguments.
    pub fn push_internal(&mut self, func: u32, args: &[Bits], on_return: OnReturn) {
        let function = &self.vm.program.functions[func as usize];
        let base = self.thread.registers.len();
        frame::open_window(function, &mut self.thread.registers);
        let types = &self.vm.program.signature(function.signature).params;
        for (slot, (&arg, ty)) in args.iter().zip(types).enumerate() {
            self.thread.registers[base + slot] = truncated(arg, *ty);
        }
        let objects = self.thread.objects.len() as u32;
        let varargs = ObjId::NULL;
        self.thread.stack_used = None;
        self.thread.frames.push(Frame {
            func,
            pc: 0,
            base: base as u32,
            objects,
            varargs,
            on_return,
        });
        self.entered(func);
    }

    /// The function behind a pointer that a program handed us, which must
    /// have code.
    pub fn function_behind(&mut self, addr: u64, what: &str) -> Result<u32, Stop> {
        let object = address::object(addr);
        let known = self.vm.program.functions.get(object.index() as usize);
        match known {
            Some(f) if object.space() == Some(Space::Function) && !f.is_declaration() => {
                Ok(object.index())
            }
            Some(f) if object.space() == Some(Space::Function) => {
                Err(Stop::unsupported(format!("`{}` as {what}", readable(&f.name))))
            }
            _ => Err(self.fault(Property::Memory, format!("{what} is not a function"))),
        }
    }

    fn entered(&mut self, func: u32) {
        if self.vm.atomic[func as usize] {
            self.thread.head.atomic += 1;
            self.note_blocks(self.thread.head.atomic - 1);
        }
        if self.tale.tells_sections() {
            self.note_entered(func);
        }
        if self.vm.must_return[func as usize] {
            let resource = self.depth() as u64 - 1;
            self.note_opened(Section::new(SectionKind::Function, resource));
        }
    }

    /// A function is left, however: one that was atomic is so no longer.
    pub fn leave_atomic(&mut self, func: u32) {
        if self.vm.atomic[func as usize] {
            self.thread.head.atomic = self.thread.head.atomic.saturating_sub(1);
            self.note_blocks(self.thread.head.atomic + 1);
        }
    }

    /// A function is left by a return or an exception.
    pub fn left(&mut self, func: u32) {
        self.leave_atomic(func);
        if self.vm.must_return[func as usize] {
            let resource = self.depth() as u64 - 1;
            self.note_closed(Section::new(SectionKind::Function, resource));
        }
    }

    /// Whether a call begins an atomic block.
    pub fn enters_atomic(&self, site: &CallSite) -> bool {
        let atomic = |func: u32| self.vm.atomic.get(func as usize).copied().unwrap_or(false);
        !self.alone() && self.target_of(site).is_some_and(atomic)
    }

    /// The function that a call goes to, if its pointer is one to a function.
    pub fn target_of(&self, site: &CallSite) -> Option<u32> {
        match site.callee {
            Callee::Direct(id) => Some(id.0),
            Callee::Indirect(slot) => {
                let target = self.thread.registers[self.top().base as usize + slot as usize];
                let object = address::object(target.value);
                (object.space() == Some(Space::Function)).then(|| object.index())
            }
        }
    }

    // ---- builtins -----------------------------------------------------------

    fn call_builtin(&mut self, builtin: &'static Builtin, site: &CallSite) -> Result<bool, Stop> {
        let mut values = self.arguments(site);
        if builtin.check(&values).is_err() {
            self.adapt(builtin, &mut values)?;
        }
        if let Err(error) = builtin.check(&values) {
            return Err(self.argument_fault(builtin, error));
        }
        match builtin.cancel {
            Cancel::Never => {}
            Cancel::Always => self.context().cancellation_point()?,
            Cancel::Maybe => self.context().optional_cancellation_point()?,
        }
        if self.vm.reads_clock && !builtin.raw_times {
            for value in &mut values {
                value.low = self.number_for(Some(builtin), value.low);
            }
        }
        let words: SmallVec<[u64; 4]> = values.iter().map(|value| value.low.value).collect();
        let waits = self.wait_of_call(builtin, &words);
        if let Some(stream) = self.vm.stream_of_call(builtin, &words) {
            self.context().pass_stream_lock(stream)?;
        }
        self.progress.begin_operation();
        let ordering = self.ordering_of(builtin, &values);
        let blocks = self.thread.head.atomic;
        self.running = Some(builtin);
        let outcome = (builtin.run)(&mut self.context(), &Args { values: &values, site });
        self.running = None;
        if let Some(ordering) = ordering {
            self.note_order(&ordering, &outcome);
        }
        self.note_blocks(blocks);
        let flow = outcome?;
        if builtin.leaves_trace() {
            self.note_trace();
        }
        if let Some(section) = waits {
            self.wait_is_over(section);
        }
        match flow {
            Flow::Return(bits) => {
                self.set_results(site, bits, Bits::default());
                Ok(true)
            }
            Flow::ReturnPair(low, high) => {
                self.set_results(site, low, high);
                Ok(true)
            }
            Flow::Moved => {
                debug_assert!(builtin.moves_control, "the row of {} says so", builtin.name);
                Ok(false)
            }
        }
    }

    /// The section that a call is for as long as it is pending.
    pub fn wait_of_call(&self, builtin: &Builtin, args: &[u64]) -> Option<Section> {
        match builtin.effect {
            Effect::Wait(kind) => Some(Section::new(kind, args.first().copied()?)),
            Effect::Local
            | Effect::Memory
            | Effect::Indirect
            | Effect::Specific
            | Effect::Clock
            | Effect::Unwinds
            | Effect::Visible => {
                let stream = self.vm.stream_of_call(builtin, args)?;
                Some(Section::new(SectionKind::MutexWait, stream))
            }
        }
    }

    /// A pending wait has come to its end, unless the thread stays inside: an
    /// initialisation that it runs itself.
    pub fn wait_is_over(&mut self, section: Section) {
        let stays =
            section.kind == SectionKind::Once && self.thread.head.sections.contains(&section);
        if !stays {
            self.note_closed(section);
        }
    }

    fn set_results(&mut self, site: &CallSite, low: Bits, high: Bits) {
        let Some(slot) = site.result else { return };
        let at = (self.top().base + slot) as usize;
        let types = &self.vm.program.signature(site.signature).results;
        self.thread.registers[at] = types.first().map_or(low, |&ty| truncated(low, ty));
        if site.result_slots > 1 {
            self.thread.registers[at + 1] = high;
        }
    }

    /// Completes the call that the top frame is suspended in.
    pub fn finish_call(&mut self, result: Bits) {
        let frame = *self.top();
        if let Some(site) = self.function().call_at(frame.pc) {
            self.set_results(site, result, Bits::default());
        }
        self.set_pc(frame.pc + 1);
    }

    // ---- returning ------------------------------------------------------------

    /// Whether a return from here would end the program.
    pub fn is_process_exit(&self) -> bool {
        self.thread.me == 0
            && !self.alone()
            && self.thread.head.phase == Phase::Running
            && self.thread.frames.len() == 1
            && !self.has_lower_frames()
    }

    pub fn return_from(&mut self, list: u32) -> Result<(), Stop> {
        let function = self.function();
        let base = self.top().base as usize;
        let results: SmallVec<[Bits; 4]> = function.lists[list as usize]
            .iter()
            .map(|&slot| self.thread.registers[base + slot as usize])
            .collect();
        self.reserve_returned(&results);
        self.left(self.top().func);
        let frame = self.pop_frame();
        if self.observation.is_running() && self.thread.frames.is_empty() {
            self.observation.returns(results.first().copied().unwrap_or_default());
            return Err(Stop::Exit);
        }
        if self.thread.frames.is_empty() && !self.raise_frame() {
            return self.thread_returned(results.first().copied().unwrap_or_default());
        }
        match frame.on_return {
            OnReturn::Continue => {}
            OnReturn::Again => return self.context().routine_returned(),
            OnReturn::Exit => return self.continue_exit(Exit::AfterHandler),
            OnReturn::Handled => return self.context().handler_returned(),
        }
        let caller = *self.top();
        if let Some(site) = self.function().call_at(caller.pc)
            && let Some(slot) = site.result
        {
            let at = (caller.base + slot) as usize;
            let results = self.results_for(frame.func, site, results);
            for (i, bits) in results.iter().take(site.result_slots as usize).enumerate() {
                self.thread.registers[at + i] = *bits;
            }
        }
        self.set_pc(caller.pc + 1);
        Ok(())
    }

    /// The results of a function for a call that may be of another type.
    fn results_for(
        &self,
        func: u32,
        site: &CallSite,
        results: SmallVec<[Bits; 4]>,
    ) -> SmallVec<[Bits; 4]> {
        let program = &self.vm.program;
        let function = &program.functions[func as usize];
        if function.signature == site.signature {
            return results;
        }
        let given = &program.signature(function.signature).results;
        let wanted = &program.signature(site.signature).results;
        if given == wanted { results } else { Machine::results_as(&results, given, wanted) }
    }

    /// A function that returns the address of its own variable must not see
    /// the number come alive again.
    pub fn reserve_returned(&mut self, results: &[Bits]) {
        for bits in results {
            let id = address::object(bits.value);
            if id.space() == Some(Space::Stack) && id.arena() == self.thread.me as u8 {
                self.mem.set_flags(id, exeunt_mem::Flags::STORED);
            }
        }
    }

    // ---- the end of a thread ----------------------------------------------------

    /// The bottom frame has returned.
    fn thread_returned(&mut self, result: Bits) -> Result<(), Stop> {
        if self.matching.is_some() {
            return Err(Stop::Exit);
        }
        match self.thread.head.phase {
            Phase::Running if self.thread.me == 0 => {
                let code = if result.undefined != 0 { 0 } else { result.value };
                self.begin_process_exit(code)
            }
            Phase::Running => self.begin_thread_exit(result.value),
            Phase::ThreadExit | Phase::ProcessExit | Phase::BetweenHandlers => {
                self.continue_exit(Exit::AfterHandler)
            }
        }
    }

    /// `pthread_exit`, or return from the start routine.
    pub fn begin_thread_exit(&mut self, result: u64) -> Result<(), Stop> {
        self.thread.head.phase = Phase::ThreadExit;
        self.thread.head.result = result;
        self.thread.head.cancel_disabled = true;
        // A thread that joins gets the result: what it points to is shared.
        if let Some(target) = exeunt_mem::pointee(result) {
            self.mem.share(target);
        }
        self.leave_frames()?;
        self.continue_exit(Exit::Begins)
    }

    /// `exit`, or return from `main`. The frames of whoever called `exit`
    /// stay: their variables live until the end.
    pub fn begin_process_exit(&mut self, code: u64) -> Result<(), Stop> {
        self.thread.head.phase = Phase::ProcessExit;
        self.thread.head.result = code & 0xff;
        self.continue_exit(Exit::Begins)
    }

    /// Goes on with what has to be done at an end: destructors, handlers.
    pub fn continue_exit(&mut self, at: Exit) -> Result<(), Stop> {
        match self.thread.head.phase {
            Phase::Running | Phase::ThreadExit => self.continue_thread_exit(at),
            Phase::ProcessExit | Phase::BetweenHandlers => self.continue_process_exit(at),
        }
    }

    /// Which destructor runs next is not specified. Where there is a choice it
    /// is made at the beginning of a step.
    fn continue_thread_exit(&mut self, at: Exit) -> Result<(), Stop> {
        let due = self.context().due_keys();
        let next = match due.len() {
            0 => return self.end_thread(),
            1 => 0,
            _ if at != Exit::Resumed => return Ok(()),
            count => self.choose(ChoiceKind::Environment, count as u32)? as usize,
        };
        let (destructor, value) = self.context().take_key(due[next]);
        let func = self.function_behind(destructor, "the destructor of a key")?;
        self.push_internal(func, &[Bits::defined(value)], OnReturn::Continue);
        Ok(())
    }

    fn end_thread(&mut self) -> Result<(), Stop> {
        // With the last thread the program ends, as if by `exit(0)`.
        if self.system.alive == 1 && self.vm.last_thread_exits {
            self.thread.head.phase = Phase::ProcessExit;
            self.thread.head.result = 0;
            return self.continue_exit(Exit::Begins);
        }
        if self.vm.robust {
            self.context().leave_robust_mutexes()?;
        }
        self.tell(|_| Doing::Ends.words());
        self.note_end();
        self.drop_thread_locals();
        let result = self.thread.head.result;
        let detached = self.thread.head.detached;
        let start = self.thread.head.start;
        let sections = std::mem::take(&mut self.thread.head.sections);
        self.thread.head = crate::thread::Head::new(start);
        // A thread may end inside a critical section: it stays open for ever.
        self.thread.head.sections = sections;
        self.thread.head.status = if detached { Status::Free } else { Status::Ended { result } };
        if detached && !self.thread.head.sections.is_empty() {
            self.thread.head.status = Status::Ended { result };
        }
        self.system.alive -= 1;
        Ok(())
    }

    fn continue_process_exit(&mut self, at: Exit) -> Result<(), Stop> {
        // Handlers that register themselves again never come to an end.
        let price = if self.alone() { 1 << 12 } else { 1 };
        let spent = self.progress.spend(price);
        let cut = at == Exit::AfterHandler && spent;
        if !cut && let Some(entry) = self.system.at_exit.pop() {
            self.thread.head.phase = Phase::ProcessExit;
            let func = self.function_behind(entry.handler, "an atexit handler")?;
            self.push_internal(func, &[Bits::defined(entry.argument)], OnReturn::Exit);
            return Ok(());
        }
        // What the last handler did and the end are two things that others
        // may come between.
        if cut || at == Exit::AfterHandler && self.progress.has_acted() && !self.alone() {
            self.thread.head.phase = Phase::BetweenHandlers;
            return Ok(());
        }
        self.exit_program()
    }

    /// The program ends here and now.
    pub fn exit_program(&mut self) -> Result<(), Stop> {
        let code = self.thread.head.result;
        self.tell(|_| format!("the program ends with exit code {code}"));
        if code != 0 {
            self.session.note_failing_exit(code, self.location());
        }
        if self.vm.options.exit_code && code != 0 {
            return Err(
                self.fault(Property::Exit, format!("the program ends with exit code {code}"))
            );
        }
        if self.vm.options.leaks {
            self.check_leaks()?;
        }
        Err(Stop::Exit)
    }

    fn check_leaks(&mut self) -> Result<(), Stop> {
        self.clear_dead_registers();
        let roots = self.all_roots();
        let roots: Vec<&[u64]> = roots.iter().map(|words| &words[..]).collect();
        let lost = self.mem.unreachable_heap(&roots);
        let Some(&first) = lost.first() else { return Ok(()) };
        let size = self.mem.header(first).map_or(0, |header| header.size);
        let name = self.name_object(first);
        let more = match lost.len() {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        let message = format!("memory is never freed: {name} ({size} bytes){more}");
        let mut fault = Fault::new(Property::Leak, message)
            .help("nothing points to it any more when the program ends");
        let site = self.mem.header(first).map_or(0, |header| header.site);
        fault.location = self.vm.program.location(exeunt_ir::LocId(site));
        Err(self.located(fault).into())
    }
}

/// Whether a call of one type may go to a function of another: the fixed
/// parameters have to agree; calls without a prototype may pass what fits.
fn compatible(call: &Signature, function: &Signature, site: &CallSite) -> bool {
    let results = call.results == function.results
        || site.result.is_none()
        || call.results.len() <= function.results.len()
            && call.results.iter().zip(&function.results).all(|(a, b)| a == b);
    let passed = site.args.len();
    let count = if function.variadic {
        passed >= function.params.len()
    } else {
        passed == function.params.len()
    };
    results
        && count
        && site.args.iter().zip(&function.params).all(|(arg, &param)| {
            arg.ty == param || arg.ty.bits() == param.bits() && arg.ty.slots() == param.slots()
        })
}
