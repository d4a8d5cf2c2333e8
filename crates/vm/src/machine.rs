//! A machine holds one state while a thread of it takes a step.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use exeunt_ir::address::{ObjId, Space};
use exeunt_ir::{Function, Inst, LocId, Pc, readable};
use exeunt_mem::{Bits, Flags, Memory};
use exeunt_model::{
    ActorId, Choice, ChoiceKind, CompId, Event, Location, OpenSection, Pool, SectionKind, Stream,
};

use crate::frame::{self, Code, Frame, OnReturn};
use crate::meets::Assumed;
use crate::memo;
use crate::race::Pending;
use crate::stop::Stop;
use crate::superstep::Superstep;
use crate::system::System;
use crate::thread::{self, Head, Section, Status};
use crate::vm::Vm;

/// After so many events of one step only sections and output are told.
const MANY_EVENTS: usize = 4096;

/// A thread other than the running one, as far as this step looked at it.
struct Other {
    head: Head,
    changed: bool,
    /// Frames of a thread made in this step; others keep their stored ones.
    frames: Option<Vec<u64>>,
}

pub struct Machine<'p> {
    pub vm: &'p Vm,
    pub pool: &'p dyn Pool,
    pub mem: Memory<'p>,
    pub system: System,
    /// The state that was loaded last.
    state: Vec<CompId>,
    /// Its memory is not loaded yet.
    unloaded: bool,
    system_comp: CompId,
    system_loaded: System,
    directory: Vec<u64>,
    /// `directory` is that of a committed successor.
    directory_changed: bool,
    thread_comps: Vec<CompId>,
    others: Vec<Option<Other>>,

    /// The running thread.
    pub me: u32,
    pub head: Head,
    /// Lower frames that are still encoded.
    lower: &'p [u64],
    pub frames: Vec<Frame>,
    pub registers: Vec<Bits>,
    /// Stack objects of the decoded frames, in order of creation.
    pub objects: Vec<ObjId>,

    /// Choices to take again, then those made newly.
    pub choices: Vec<Choice>,
    pub chosen: usize,
    /// Whether to tell what happens.
    pub story: bool,
    pub events: Vec<Event>,
    /// A visible operation was executed in this step.
    pub acted: bool,
    /// Backward jumps left before the step is cut off.
    pub budget: u32,
    /// What the budget was at the beginning of the step.
    pub allowance: u32,
    /// Memory accesses, while somebody wants to know them.
    pub accesses: Option<Vec<Pending>>,
    /// Where the thread was when its frames were dropped in this step.
    left_at: Option<Location>,
    /// The state at a recent backward jump, to notice a loop that repeats.
    pub snapshot: Vec<CompId>,
    /// Sections closed in this step, to see whether one is opened again.
    closed: Vec<Section>,
    pub reopens: bool,
    /// A function of a proposition is running, and what it returned.
    pub observing: bool,
    pub observed: Option<Bits>,
    /// It has called something that the machine knows.
    pub observed_builtins: bool,
    words: Vec<u64>,
    /// Section instances opened since the machine was made, and where.
    pub opened: u64,
    pub sites: HashSet<(u32, Pc)>,
    pub superstep: Superstep,
    /// The step went through operations that did not end it.
    pub passed: bool,
    /// Where threads are assumed to meet, if operations are moved.
    pub assumed: Option<Rc<Assumed>>,
    /// What the abstraction function has matched so far, while it runs.
    pub matching: Option<Vec<u64>>,
}

impl<'p> Machine<'p> {
    pub fn new(vm: &'p Vm, pool: &'p dyn Pool) -> Machine<'p> {
        Machine {
            vm,
            pool,
            mem: Memory::new(pool, &vm.constants, &vm.global_entry),
            system: System::default(),
            state: Vec::new(),
            unloaded: false,
            system_comp: CompId(u32::MAX),
            system_loaded: System::default(),
            directory: Vec::new(),
            directory_changed: false,
            thread_comps: Vec::new(),
            others: Vec::new(),
            me: 0,
            head: Head::free(),
            lower: &[],
            frames: Vec::new(),
            registers: Vec::new(),
            objects: Vec::new(),
            choices: Vec::new(),
            chosen: 0,
            story: false,
            events: Vec::new(),
            acted: false,
            budget: 0,
            allowance: 0,
            passed: false,
            accesses: None,
            left_at: None,
            snapshot: Vec::new(),
            closed: Vec::new(),
            reopens: false,
            observing: false,
            observed: None,
            observed_builtins: false,
            words: Vec::new(),
            opened: 0,
            sites: HashSet::new(),
            superstep: Superstep::default(),
            assumed: vm.meets.as_ref().map(|meets| Rc::new(meets.assumed())),
            matching: None,
        }
    }

    // ---- loading and committing ---------------------------------------------

    /// Loads the process-wide part of a state.
    pub fn load_state(&mut self, state: &[CompId]) {
        self.aim_at(state);
        if !self.system.ended {
            self.load_memory();
            self.begin();
        }
    }

    /// Makes a state the one that `reload` goes back to, but looks only at
    /// its first component: there may be no need to look at the others.
    pub fn aim_at(&mut self, state: &[CompId]) {
        if self.system_comp != state[0] {
            self.system_comp = state[0];
            self.system_loaded.decode(self.pool.get(state[0]));
        }
        if self.system != self.system_loaded {
            self.system.clone_from(&self.system_loaded);
        }
        self.superstep.active = false;
        self.state.clear();
        self.state.extend_from_slice(state);
        if !self.system.ended {
            self.thread_comps.clear();
            self.thread_comps.extend_from_slice(&state[1..=self.system.threads as usize]);
        }
        self.unloaded = true;
    }

    fn load_memory(&mut self) {
        self.unloaded = false;
        self.load_directory();
        let globals = 1 + self.system.threads as usize;
        let dynamic = globals + self.vm.variables;
        let Machine { mem, state, directory, .. } = self;
        mem.load(&state[globals..dynamic], directory, &state[dynamic..]);
    }

    fn load_directory(&mut self) {
        self.directory_changed = false;
        let words = self.pool.get(self.system_comp);
        self.directory.clear();
        self.directory.extend_from_slice(&words[self.system_loaded.directory_start()..]);
    }

    /// Goes back to the state that was loaded last.
    pub fn reload(&mut self) {
        if self.system != self.system_loaded {
            self.system.clone_from(&self.system_loaded);
        }
        if self.unloaded {
            self.load_memory();
        } else {
            self.mem.rollback();
            if self.directory_changed {
                self.load_directory();
            }
        }
        self.thread_comps.truncate(self.system.threads as usize);
        self.begin();
    }

    /// A fresh step.
    fn begin(&mut self) {
        self.others.clear();
        self.others.resize_with(self.thread_comps.len(), || None);
        self.events.clear();
        self.closed.clear();
        self.left_at = None;
        self.reopens = false;
        self.acted = false;
        self.chosen = 0;
        self.frames.clear();
        self.registers.clear();
        self.objects.clear();
    }

    /// Makes a thread of the loaded state the running one.
    pub fn load_thread(&mut self, thread: u32) {
        self.mem.note_look(thread);
        let words = self.pool.get(self.thread_comps[thread as usize]);
        let (head, at) = Head::decode(words);
        self.me = thread;
        self.head = head;
        self.lower = &words[at..];
        self.frames.clear();
        self.registers.clear();
        self.objects.clear();
        self.raise_frame();
    }

    /// Decodes the highest frame that is still encoded.
    pub fn raise_frame(&mut self) -> bool {
        let Some((lower, words)) = frame::split_top(self.lower) else { return false };
        let (func, _) = frame::peek(words);
        let code = self.vm.code(func);
        let frame = frame::decode(words, &code, &mut self.registers, &mut self.objects);
        self.frames.push(frame);
        self.lower = lower;
        true
    }

    /// Interns what changed and writes the new state vector.
    pub fn commit(&mut self, out: &mut Vec<CompId>) {
        out.clear();
        out.push(self.system_comp);
        self.encode_me();
        let mine = self.pool.intern(&self.words);
        while self.thread_comps.len() < self.others.len() {
            self.thread_comps.push(CompId(u32::MAX));
        }
        for thread in 0..self.others.len() {
            let comp = if thread == self.me as usize { mine } else { self.commit_other(thread) };
            out.push(comp);
        }
        self.trim_threads(out);
        self.forget_ignored();
        let directory_changed = {
            let Machine { mem, directory, .. } = self;
            mem.commit(out, directory)
        };
        self.directory_changed |= directory_changed;
        if directory_changed || self.system != self.system_loaded {
            self.words.clear();
            self.system.encode(&self.directory, &mut self.words);
            out[0] = self.pool.intern(&self.words);
        }
    }

    fn encode_me(&mut self) {
        self.words.clear();
        self.head.encode(&mut self.words);
        if !self.head.is_alive() {
            return;
        }
        self.words.extend_from_slice(self.lower);
        for (i, frame) in self.frames.iter().enumerate() {
            let above = self.frames.get(i + 1);
            let executes = above.is_none_or(|f| f.on_return == OnReturn::Again);
            let code = self.vm.code(frame.func);
            let window = &self.registers[frame.base as usize..];
            let end = above.map_or(self.objects.len(), |f| f.objects as usize);
            let objects = &self.objects[frame.objects as usize..end];
            frame::encode(frame, executes, code.liveness, window, objects, &mut self.words);
        }
    }

    fn commit_other(&mut self, thread: usize) -> CompId {
        let stored = self.thread_comps[thread];
        let Some(other) = self.others[thread].as_ref().filter(|other| other.changed) else {
            return stored;
        };
        self.words.clear();
        other.head.encode(&mut self.words);
        if other.head.is_alive() {
            match &other.frames {
                Some(frames) => self.words.extend_from_slice(frames),
                None => {
                    let words = self.pool.get(stored);
                    let (_, at) = Head::decode(words);
                    self.words.extend_from_slice(&words[at..]);
                }
            }
        }
        self.pool.intern(&self.words)
    }

    /// Drops free threads at the end of the list, so that their number does
    /// not remember how many there once were.
    fn trim_threads(&mut self, out: &mut Vec<CompId>) {
        self.system.threads = self.others.len() as u32;
        let mut dropped = false;
        while self.system.threads > 1 {
            let last = self.system.threads - 1;
            // The last thread of a stored state is not free.
            let same =
                last != self.me && !self.others[last as usize].as_ref().is_some_and(|o| o.changed);
            if same && !dropped || self.status(last) != Status::Free {
                break;
            }
            self.system.threads = last;
            out.pop();
            dropped = true;
        }
    }

    /// Leaves the running thread for a moment, for one that is not there.
    pub fn stand_aside(&mut self, head: Head) {
        self.me = 0;
        self.head = head;
        self.lower = &[];
        self.frames.clear();
        self.registers.clear();
        self.objects.clear();
    }

    /// How many threads the loaded state has.
    pub fn system_threads(&self) -> u32 {
        self.system_loaded.threads
    }

    pub fn thread_count(&self) -> usize {
        self.thread_comps.len()
    }

    /// The state of a program that has ended. Of its memory nothing is kept
    /// but what the propositions say about it.
    pub fn commit_end(&mut self, out: &mut Vec<CompId>) {
        let letter = self.vm.watch.active.then(|| self.last_letter());
        self.words.clear();
        let system = System { ended: true, ..System::default() };
        system.encode(&[], &mut self.words);
        out.clear();
        out.push(self.pool.intern(&self.words));
        if let Some(letter) = letter {
            out.push(self.pool.intern(letter.as_slice()));
        }
    }

    // ---- other threads --------------------------------------------------------

    fn look_at(&mut self, thread: u32) -> &mut Other {
        let comp = self.thread_comps.get(thread as usize).copied();
        let pool = self.pool;
        let mem = &mut self.mem;
        self.others[thread as usize].get_or_insert_with(|| {
            let comp = comp.expect("threads without a component were made in this step");
            mem.note_look(thread);
            Other { head: Head::decode(pool.get(comp)).0, changed: false, frames: None }
        })
    }

    /// The status of a thread in the loaded state, whoever runs.
    pub fn status_of_stored(&mut self, thread: u32) -> Status {
        self.mem.note_look(memo::STATUS + thread);
        thread::peek_status(self.pool.get(self.thread_comps[thread as usize]))
    }

    /// Whether such a section was closed in this step.
    pub fn has_closed(&self, section: Section) -> bool {
        self.closed.contains(&section)
    }

    pub fn status(&mut self, thread: u32) -> Status {
        if thread == self.me {
            return self.head.status;
        }
        match &self.others[thread as usize] {
            Some(other) => other.head.status,
            None => self.status_of_stored(thread),
        }
    }

    pub fn head_of(&mut self, thread: u32) -> &Head {
        if thread == self.me { &self.head } else { &self.look_at(thread).head }
    }

    pub fn head_mut(&mut self, thread: u32) -> &mut Head {
        if thread == self.me {
            return &mut self.head;
        }
        let other = self.look_at(thread);
        other.changed = true;
        &mut other.head
    }

    /// Whether the next thread gets the number behind all others, whatever
    /// they do before: none of theirs is free, and nobody has it.
    pub fn next_thread_is_certain(&mut self) -> bool {
        let threads = self.system.threads;
        if (0..threads).any(|thread| self.status(thread) == Status::Free) {
            return false;
        }
        let roots = self.roots();
        let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
        !self.mem.is_reserved(thread_object(threads), &roots)
    }

    /// Starts a thread in `function(argument)`; returns its number.
    pub fn spawn(&mut self, function: u32, argument: Bits) -> Result<u32, Stop> {
        let roots = self.unnoticed_roots();
        let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
        let mut number = None;
        for thread in 0..255 {
            let free = thread >= self.system.threads || self.status(thread) == Status::Free;
            let handle = thread_object(thread);
            if free && !self.mem.is_reserved(handle, &roots) {
                number = Some(thread);
                break;
            }
        }
        let number = number.ok_or_else(|| Stop::unsupported("more than 255 threads at a time"))?;
        while self.others.len() <= number as usize {
            let head = Head::free();
            self.others.push(Some(Other { head, changed: true, frames: None }));
        }
        // What was there before is replaced as a whole.
        if number < self.system_loaded.threads {
            self.mem.note_look(number);
        }
        let frames = self.first_frame(function, argument);
        let head = Head::new(function);
        self.others[number as usize] = Some(Other { head, changed: true, frames: Some(frames) });
        self.system.threads = self.system.threads.max(number + 1);
        self.system.alive += 1;
        // From here on there is somebody to see what this thread does, even
        // if it was alone when the step began.
        self.acted = true;
        self.superstep.closed = true;
        Ok(number)
    }

    fn first_frame(&self, function: u32, argument: Bits) -> Vec<u64> {
        let code = self.vm.code(function);
        let mut registers = Vec::new();
        frame::open_window(code.function, &mut registers);
        if code.function.params > 0 {
            registers[0] = argument;
        }
        let frame = Frame {
            func: function,
            pc: 0,
            base: 0,
            objects: 0,
            varargs: ObjId::NULL,
            on_return: OnReturn::Continue,
        };
        let mut words = Vec::new();
        frame::encode(&frame, true, code.liveness, &registers, &[], &mut words);
        words
    }

    /// All words outside of memory that could be pointers: the stacks and
    /// heads of all threads, each looked at.
    pub fn roots(&mut self) -> Vec<Vec<u64>> {
        // Those of the loaded state: the others were made in this step.
        (0..self.system_loaded.threads).for_each(|thread| self.mem.note_look(thread));
        self.unnoticed_roots()
    }

    /// The same for those who note what they make of it.
    fn unnoticed_roots(&self) -> Vec<Vec<u64>> {
        let mut roots = Vec::new();
        let mut mine = Vec::new();
        self.head.encode(&mut mine);
        mine.extend_from_slice(self.lower);
        roots.push(mine);
        roots.push(bytemuck::cast_slice(&self.registers).to_vec());
        for thread in 0..self.others.len() as u32 {
            if thread == self.me {
                continue;
            }
            match &self.others[thread as usize] {
                Some(other) if other.changed => {
                    let mut words = Vec::new();
                    other.head.encode(&mut words);
                    words.extend(other.frames.iter().flatten());
                    roots.push(words);
                }
                _ => {}
            }
            if let Some(&comp) = self.thread_comps.get(thread as usize)
                && comp != CompId(u32::MAX)
            {
                roots.push(self.pool.get(comp).to_vec());
            }
        }
        roots.push(self.system.keys.clone());
        roots.push(self.system.at_exit.iter().map(|entry| entry.argument).collect());
        roots
    }

    // ---- objects ----------------------------------------------------------------

    /// Makes an object with a number nobody could mistake for an older one.
    pub fn allocate(&mut self, space: Space, size: u64, undefined: bool) -> Result<ObjId, Stop> {
        if size > self.vm.options.max_object {
            return Err(Stop::unsupported(format!(
                "an object of {size} bytes (the limit is {}; see --max-object)",
                self.vm.options.max_object
            )));
        }
        let roots = if self.mem.needs_roots() { self.unnoticed_roots() } else { Vec::new() };
        let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
        let mut id = self.mem.free_slot(space, self.me as u8, &roots);
        if id.is_none() {
            let roots = self.unnoticed_roots();
            let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
            self.mem.forget_reserved();
            id = self.mem.free_slot(space, self.me as u8, &roots);
        }
        let id = id.ok_or_else(|| Stop::unsupported("more than 65536 objects of one thread"))?;
        let site = match space {
            Space::Stack => self.alloca_site(),
            _ => self.nearest_loc().0,
        };
        self.mem.create(id, size as u32, site, Flags::default(), undefined);
        Ok(id)
    }

    /// The number of the alloca that is executed, for names.
    fn alloca_site(&self) -> u32 {
        match self.frames.last() {
            Some(frame) => self.vm.locals.site(frame.func, frame.pc),
            None => 0,
        }
    }

    // ---- where we are -----------------------------------------------------------

    pub fn top(&self) -> &Frame {
        self.frames.last().expect("a running thread has a frame")
    }

    pub fn function(&self) -> &'p Function {
        self.vm.code(self.top().func).function
    }

    pub fn loc(&self) -> LocId {
        match self.frames.last() {
            Some(frame) => self.loc_at(frame.func, frame.pc),
            None => LocId::NONE,
        }
    }

    /// The position of the current instruction itself, or of the innermost
    /// call that has one: library code has none.
    fn nearest_loc(&self) -> LocId {
        let exact = |&(func, pc): &(u32, Pc)| {
            let locs = &self.vm.program.functions[func as usize].locs;
            locs.get(pc as usize).copied().filter(|loc| *loc != LocId::NONE)
        };
        self.call_stack().iter().find_map(exact).unwrap_or(LocId::NONE)
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
        for frame in self.frames.iter().rev() {
            if let Some(location) = self.vm.program.location(self.loc_at(frame.func, frame.pc)) {
                return location;
            }
        }
        let mut lower = self.lower;
        while let Some((rest, words)) = frame::split_top(lower) {
            let (func, pc) = frame::peek(words);
            if let Some(location) = self.vm.program.location(self.loc_at(func, pc)) {
                return location;
            }
            lower = rest;
        }
        match (&self.left_at, self.frames.last()) {
            (Some(location), None) => location.clone(),
            (_, Some(frame)) => {
                Location::in_function(&readable(&self.vm.code(frame.func).function.name))
            }
            (None, None) => Location::in_function(""),
        }
    }

    /// Where the function on top was called.
    fn caller_location(&self) -> Location {
        let stack = self.call_stack();
        let callers = stack.iter().skip(1).map(|&(func, pc)| self.loc_at(func, pc));
        let known = callers.filter_map(|loc| self.vm.program.location(loc)).next();
        known.unwrap_or_else(|| self.location())
    }

    pub fn actor(&self) -> ActorId {
        ActorId(self.me)
    }

    /// Whether only one thread is left to run. Where operations of a thread
    /// are moved before those of others, one that has ended counts until it is
    /// joined: its last operations may have been moved.
    pub fn alone(&self) -> bool {
        self.system.alive == 1 && (self.assumed.is_none() || self.system.threads == 1)
    }

    /// Whether the step has done something that others could notice, and can
    /// end here.
    pub fn has_acted(&self) -> bool {
        self.head.atomic == 0 && !self.observing && !self.alone() && (self.acted || self.passed)
    }

    /// How many frames there are in all.
    pub fn depth(&self) -> u32 {
        let mut depth = self.frames.len() as u32;
        let mut lower = self.lower;
        while let Some((rest, _)) = frame::split_top(lower) {
            depth += 1;
            lower = rest;
        }
        depth
    }

    /// Functions and positions of all frames, innermost first.
    pub fn call_stack(&self) -> Vec<(u32, Pc)> {
        let mut stack: Vec<_> = self.frames.iter().rev().map(|f| (f.func, f.pc)).collect();
        let mut lower = self.lower;
        while let Some((rest, words)) = frame::split_top(lower) {
            stack.push(frame::peek(words));
            lower = rest;
        }
        stack
    }

    pub fn has_lower_frames(&self) -> bool {
        !self.lower.is_empty()
    }

    /// Leaves the thread without frames, whatever they were.
    pub fn forget_frames(&mut self) {
        self.lower = &[];
        self.frames.clear();
        self.registers.clear();
        self.objects.clear();
    }

    /// Drops all frames (the thread is about to end or to run a handler).
    pub fn drop_frames(&mut self) {
        self.left_at = Some(self.location());
        while !self.frames.is_empty() || self.raise_frame() {
            self.pop_frame();
        }
    }

    /// Removes the top frame and its stack objects.
    pub fn pop_frame(&mut self) -> Frame {
        let frame = self.frames.pop().expect("there is a frame to pop");
        self.registers.truncate(frame.base as usize);
        while self.objects.len() > frame.objects as usize {
            let id = self.objects.pop().expect("checked");
            self.end_stack_object(id);
        }
        frame
    }

    pub fn end_stack_object(&mut self, id: ObjId) {
        let escaped = Flags(Flags::STORED.0 | Flags::SHARED.0);
        let may_dangle = self.mem.header(id).is_some_and(|h| h.flags.0 & escaped.0 != 0);
        self.mem.destroy(id, may_dangle);
    }

    // ---- choices, sections, stories ---------------------------------------------

    /// Lets the scheduler or the environment choose among `arity` things.
    ///
    /// Must be called before the operation has changed anything: a step ends
    /// before its second choice (`Err(Pause)`), or a loop with choices in it
    /// would make a step with exponentially many outcomes. A superstep ends
    /// before a choice that is not part of its first operation.
    pub fn choose(&mut self, kind: ChoiceKind, arity: u32) -> Result<u32, Stop> {
        if arity <= 1 {
            return Ok(0);
        }
        let late = self.superstep.active && self.superstep.operations > 1;
        if (self.chosen > 0 || late) && self.head.atomic == 0 {
            return Err(Stop::Pause);
        }
        // What is chosen must not depend on what the others do next: the step
        // ends before it could.
        self.acted = true;
        self.superstep.closed = true;
        let at = self.chosen;
        self.chosen += 1;
        match self.choices.get_mut(at) {
            Some(choice) => {
                choice.kind = kind;
                choice.arity = arity;
                Ok(choice.value)
            }
            None => {
                self.choices.push(Choice { kind, arity, value: 0 });
                Ok(0)
            }
        }
    }

    pub fn open(&mut self, kind: SectionKind, resource: u64) {
        let site = if kind == SectionKind::User { self.loc().0 } else { 0 };
        let section = Section { kind, resource, site };
        self.head.sections.push(section);
        self.note_opened(section);
    }

    /// Closes the innermost such section; `false` if there is none.
    pub fn close(&mut self, kind: SectionKind, resource: u64) -> bool {
        let wanted = Section::new(kind, resource);
        let Some(at) = self.head.sections.iter().rposition(|&s| s == wanted) else {
            return false;
        };
        self.head.sections.remove(at);
        self.note_closed(wanted);
        true
    }

    pub fn count_opened(&mut self) {
        self.opened += 1;
        if let Some(frame) = self.frames.last() {
            self.sites.insert((frame.func, frame.pc));
        }
    }

    pub fn note_opened(&mut self, section: Section) {
        self.count_opened();
        self.reopens |= self.closed.contains(&section);
        if self.story {
            let name = self.name_section(section);
            let location = match section.kind {
                SectionKind::Function => self.caller_location(),
                _ => self.location(),
            };
            let section = self.open_section(section);
            self.events.push(Event::Opened { section, name: Arc::from(name), location });
        }
    }

    pub fn note_closed(&mut self, section: Section) {
        self.closed.push(section);
        if self.story {
            let location = self.location();
            let section = self.open_section(section);
            self.events.push(Event::Closed { section, location });
        }
    }

    pub fn open_section(&self, section: Section) -> OpenSection {
        OpenSection { actor: self.actor(), slot: slot_of(section), kind: section.kind }
    }

    /// Tells what the thread does, if anybody listens. A step that does very
    /// much is not told to the end.
    pub fn tell(&mut self, text: impl FnOnce(&mut Self) -> String) {
        if self.story && self.events.len() < MANY_EVENTS {
            let text = text(self);
            let location = self.location();
            self.events.push(Event::Did { location, text: Arc::from(text) });
        }
    }

    /// Tells that shared memory was read or written.
    pub fn tell_accessed(&mut self, place: &str, write: bool) {
        if self.story && self.events.len() < MANY_EVENTS {
            self.events.push(Event::Accessed { place: Arc::from(place), write });
        }
    }

    /// Tells that the environment did something that it need not do.
    pub fn tell_whim(&mut self, text: &'static str) {
        if self.story {
            self.events.push(Event::Whim { text });
        }
    }

    pub fn output(&mut self, stream: Stream, bytes: &[u8]) {
        if self.story && !bytes.is_empty() {
            self.events.push(Event::Output { stream, bytes: bytes.to_vec() });
        }
    }
}

/// The pseudo-object behind a thread's handle.
pub fn thread_object(thread: u32) -> ObjId {
    ObjId::new(Space::Thread, thread)
}

/// A number for a section that is unique within its thread: 4 bits of kind,
/// 3 of space, 24 of object, 32 of offset.
pub fn slot_of(section: Section) -> u64 {
    let Section { kind, resource, .. } = section;
    let space = (resource >> 56) & 7;
    (kind as u64) << 60 | space << 56 | (resource & 0x00ff_ffff_ffff_ffff)
}

impl Vm {
    /// A function with its tables.
    pub fn code(&self, func: u32) -> Code<'_> {
        Code {
            function: &self.program.functions[func as usize],
            liveness: &self.liveness[func as usize],
        }
    }
}
