//! The machine as engines see it.

use std::ops::ControlFlow;

use exeunt_ir::address::{ObjId, Space};
use exeunt_ir::{Arg, readable};
use exeunt_mem::Bits;
use exeunt_model::{
    ActorId, ActorView, Choice, CompId, Detail, Edge, Model, Only, OpenSection, Pool, SectionKind,
    SectionView, Sink, StateStatus, Target, Unsupported, Watcher, Worker,
};

use smallvec::SmallVec;

use crate::frame::{Frame, OnReturn};
use crate::machine::{self, Machine};
use crate::memo::{Answer, Asked, Memo, Recorder};
use crate::race::Races;
use crate::stop::{Stop, Waiting};
use crate::system::AtExit;
use crate::thread::{Head, Phase, Section, Status};
use crate::vm::{self, Vm};
use crate::watch::VmWatcher;

const SPURIOUS: &str = "a spurious wake-up is part of this schedule: POSIX allows a condition \
wait to return without a signal; `--no-spurious` assumes that none does";

impl Model for Vm {
    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn Worker + 'a> {
        Box::new(VmWorker {
            machine: Machine::new(self, pool),
            out: Vec::new(),
            memo: Memo::default(),
            again: Vec::new(),
        })
    }

    fn may_choose(&self) -> bool {
        self.chooses
    }

    fn watcher<'a>(&'a self, pool: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>> {
        Some(Box::new(VmWatcher::new(self, pool)))
    }

    fn abstraction(&self) -> Option<String> {
        self.abstraction.describe(self)
    }

    fn is_outdated(&self) -> bool {
        self.meets.is_outdated()
    }

    fn renew(&self) {
        self.meets.renew();
    }

    fn learnt(&self) -> Vec<(u64, u8)> {
        self.meets.meetings()
    }

    fn assumptions(&self) -> Vec<String> {
        let copies = self.options.copies_ascend && !self.meets.torn().is_empty();
        let ascending = "blocks of memory are copied in ascending order (--copy-order ascending)";
        let copies = copies.then(|| ascending.to_string());
        self.assumptions.iter().cloned().chain(copies).collect()
    }

    fn incompleteness(&self) -> Vec<String> {
        let failed = self.abstraction.failure();
        // Engines that do not begin again must not rely on what was assumed.
        let void = self.is_outdated().then(|| {
            "threads meet where the search assumed that they do not (use --reduction tau)".into()
        });
        let reasons = self.sampled.iter().chain(&self.program.caveats).cloned();
        reasons.chain(failed).chain(void).chain(self.torn_blocks()).collect()
    }
}

struct VmWorker<'p> {
    machine: Machine<'p>,
    out: Vec<CompId>,
    memo: Memo,
    again: Vec<CompId>,
}

impl Worker for VmWorker<'_> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        let start = self.machine.start();
        let edge =
            Edge { actor: ActorId(0), choices: &[], withheld: false, reopens: false, events: &[] };
        let fault;
        let limit;
        let target = match start {
            Ok(()) => {
                self.machine.commit(&mut self.out);
                Target::State(&self.out)
            }
            Err(Stop::Fault(found)) => {
                fault = *found;
                Target::Fault(&fault)
            }
            Err(Stop::Unsupported(construct)) => {
                limit = Unsupported { construct: construct.to_string(), location: None };
                Target::Unsupported(&limit)
            }
            Err(_) => Target::Dropped,
        };
        let _ = sink.edge(&edge, target);
    }

    fn expand(
        &mut self,
        state: &[CompId],
        detail: Detail,
        only: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus {
        self.machine.story = detail == Detail::Story;
        self.machine.aim_at(state);
        if self.machine.system.ended {
            return StateStatus::Ended;
        }
        let threads = self.machine.system.threads;
        let exclusive = self.machine.system.exclusive;
        if self.machine.system.alive == 0 {
            return StateStatus::Ended;
        }
        let superstep = self.machine.vm.makes_supersteps();
        if superstep && exclusive == 0 && !self.machine.alone() {
            self.machine.reload();
            self.machine.plan_supersteps();
        }
        let remembers = !self.machine.story && only.is_none() && self.machine.vm.has_memory();
        if remembers {
            self.again.clear();
            self.again.extend_from_slice(state);
        }
        for thread in 0..threads {
            let wanted = only.is_none_or(|only| only.actor == ActorId(thread));
            let allowed = exclusive == 0 || exclusive == thread + 1;
            if wanted && allowed {
                let flow = match remembers && !self.machine.superstep.active {
                    true => self.expand_by_memory(state, thread, sink),
                    false => self.expand_thread(thread, only, sink),
                };
                if flow.is_break() {
                    break;
                }
            }
            if !wanted {
                self.pass_over(thread);
            }
        }
        StateStatus::Running
    }

    fn open_sections(&mut self, state: &[CompId], out: &mut Vec<OpenSection>) {
        self.machine.story = false;
        self.machine.load_state(state);
        if self.machine.system.ended {
            return;
        }
        for thread in 0..self.machine.system.threads {
            let sections = self.machine.sections_of(thread);
            out.extend(sections.into_iter().map(|section| OpenSection {
                actor: ActorId(thread),
                slot: machine::slot_of(section),
                kind: section.kind,
            }));
        }
        out.sort_unstable();
    }

    fn view(&mut self, state: &[CompId]) -> Vec<ActorView> {
        self.machine.load_state(state);
        if self.machine.system.ended {
            return Vec::new();
        }
        let threads = self.machine.system.threads;
        (0..threads).filter_map(|thread| self.view_thread(state, thread)).collect()
    }

    fn describe_section(&mut self, state: &[CompId], section: &OpenSection) -> SectionView {
        self.machine.story = false;
        self.machine.load_state(state);
        let thread = section.actor.0;
        let mut view = SectionView { name: String::new(), why: String::new(), location: None };
        if self.machine.system.ended || thread >= self.machine.system.threads {
            return view;
        }
        let sections = self.machine.sections_of(thread);
        let Some(found) = sections.into_iter().find(|s| machine::slot_of(*s) == section.slot)
        else {
            return view;
        };
        view.name = self.machine.name_section(found);
        view.location = self.machine.head.is_alive().then(|| self.machine.location());
        view.why = self.explain(state, thread, found);
        view
    }

    fn matched(&mut self, state: &[CompId], out: &mut Vec<CompId>) -> bool {
        self.machine.matched(state, out)
    }

    fn section_sites(&self) -> (u64, Vec<u64>) {
        let sites = self.machine.sites.iter();
        let sites = sites.map(|&(func, pc)| (func as u64) << 32 | pc as u64);
        (self.machine.opened, sites.collect())
    }

    fn bytes(&self) -> u64 {
        self.memo.bytes()
    }

    fn variables(&mut self, state: &[CompId]) -> Vec<(String, String)> {
        self.machine.load_state(state);
        if self.machine.system.ended {
            return Vec::new();
        }
        self.machine.show_globals()
    }
}

impl VmWorker<'_> {
    /// All moves of one thread, from memory if it has been here before.
    fn expand_by_memory(
        &mut self,
        state: &[CompId],
        thread: u32,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let asked = Asked { state, thread, threads: self.machine.system_threads() };
        match self.memo.ask(asked, self.machine.pool) {
            Answer::Known(known) => {
                let (opened, flow) = self.memo.tell(known, asked, &mut self.again, sink);
                self.machine.opened += opened;
                flow
            }
            Answer::Execute => self.expand_thread(thread, None, sink),
            Answer::Learn => {
                self.machine.reload();
                self.machine.mem.forget_looks();
                let opened = self.machine.opened;
                let mut recorder = Recorder::new(state, self.machine.pool, sink);
                let flow = self.expand_thread(thread, None, &mut recorder);
                let opened = self.machine.opened - opened;
                self.memo.learn(asked, self.machine.mem.looks(), opened, recorder);
                flow
            }
        }
    }

    /// All moves of one thread.
    fn expand_thread(
        &mut self,
        thread: u32,
        only: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let status = self.machine.peek_status(thread);
        if matches!(status, Status::Ended { .. } | Status::Free) {
            return ControlFlow::Continue(());
        }
        let (prefix, withheld) = match only {
            Some(only) => (only.choices, Some(only.withheld)),
            None => (&[][..], None),
        };
        if withheld != Some(true) {
            self.machine.choices.clear();
            let values = prefix.iter().map(|&value| Choice {
                kind: exeunt_model::ChoiceKind::Environment,
                arity: value + 1,
                value,
            });
            self.machine.choices.extend(values);
            loop {
                self.emit_step(thread, sink)?;
                if only.is_some() || !next_choices(&mut self.machine.choices) {
                    break;
                }
            }
        }
        let spurious = self.machine.vm.options.spurious && withheld != Some(false);
        if spurious && let Status::CondWait { mutex, .. } = status {
            self.machine.choices.clear();
            self.machine.reload();
            self.machine.load_thread(thread);
            self.machine.tell(|_| "wakes up spuriously".to_string());
            self.machine.tell_whim(SPURIOUS);
            self.machine.head.status = Status::CondRelock { mutex, result: 0 };
            self.emit_state(true, sink)?;
        }
        ControlFlow::Continue(())
    }

    /// Makes the superstep of a thread that nobody asked for: those of the
    /// threads behind it depend on it.
    fn pass_over(&mut self, thread: u32) {
        let superstep = self.machine.superstep.active;
        let status = self.machine.peek_status(thread);
        if superstep && !matches!(status, Status::Ended { .. } | Status::Free) {
            self.machine.choices.clear();
            let _ = self.machine.take_superstep(thread);
        }
    }

    fn take_step(&mut self, thread: u32) -> Result<(), Stop> {
        if self.machine.superstep.active {
            return self.machine.take_superstep(thread);
        }
        self.machine.reload();
        self.machine.load_thread(thread);
        self.machine.step()
    }

    /// Runs one step of a thread and hands its outcome over.
    fn emit_step(&mut self, thread: u32, sink: &mut dyn Sink) -> ControlFlow<()> {
        match self.take_step(thread) {
            Ok(()) => self.emit_state(false, sink),
            Err(Stop::Blocked(_)) => ControlFlow::Continue(()),
            Err(Stop::Exit) => {
                self.machine.commit_end(&mut self.out);
                self.emit(false, Target::State(&self.out), sink)
            }
            Err(Stop::Fault(fault)) => self.emit(false, Target::Fault(&fault), sink),
            Err(Stop::Unsupported(construct)) => {
                let location = Some(self.machine.location());
                let limit = Unsupported { construct: construct.to_string(), location };
                self.emit(false, Target::Unsupported(&limit), sink)
            }
            Err(Stop::Dropped) => self.emit(false, Target::Dropped, sink),
            Err(Stop::Waits | Stop::Pause | Stop::Moved) => {
                unreachable!("handled by the interpreter loop")
            }
        }
    }

    fn emit_state(&mut self, withheld: bool, sink: &mut dyn Sink) -> ControlFlow<()> {
        self.machine.commit(&mut self.out);
        self.machine.note_reopened();
        self.emit(withheld, Target::State(&self.out), sink)
    }

    fn emit(&self, withheld: bool, target: Target<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
        let edge = Edge {
            actor: self.machine.actor(),
            choices: &self.machine.choices,
            withheld,
            reopens: self.machine.reopens,
            events: &self.machine.events,
        };
        sink.edge(&edge, target)
    }

    // ---- describing -----------------------------------------------------------

    fn view_thread(&mut self, state: &[CompId], thread: u32) -> Option<ActorView> {
        self.machine.load_state(state);
        self.machine.load_thread(thread);
        let name = self.machine.thread_name(thread);
        let status = self.machine.head.status;
        let ended = match status {
            Status::Free => return None,
            Status::Ended { .. } => true,
            Status::Ready
            | Status::CondWait { .. }
            | Status::CondRelock { .. }
            | Status::BarrierWait { .. }
            | Status::BarrierLeave { .. } => false,
        };
        let location = (!ended).then(|| self.machine.location());
        let blocked = if ended { None } else { self.blocked(state, thread) };
        Some(ActorView { actor: ActorId(thread), name, location, blocked, ended })
    }

    /// What the thread waits for, if it cannot move now.
    fn blocked(&mut self, state: &[CompId], thread: u32) -> Option<String> {
        self.machine.load_state(state);
        self.machine.load_thread(thread);
        if !self.machine.head.is_alive() {
            return None;
        }
        self.machine.choices.clear();
        self.machine.story = false;
        match self.machine.step() {
            Err(Stop::Blocked(waiting)) => {
                self.machine.load_state(state);
                self.machine.load_thread(thread);
                Some(self.machine.describe_waiting(&waiting))
            }
            _ => None,
        }
    }

    /// Why a section stays open. The machine is left with the thread loaded.
    fn explain(&mut self, state: &[CompId], thread: u32, section: Section) -> String {
        let blocked = self.blocked(state, thread);
        self.machine.load_state(state);
        self.machine.load_thread(thread);
        let holding = section.kind.is_held();
        let who = thread + 1;
        let name = match self.machine.name_section(section) {
            // A description of what has no name.
            described if holding && described.contains(' ') => described,
            name => format!("`{name}`"),
        };
        if !self.machine.head.is_alive() {
            let without = if holding { "releasing" } else { "leaving" };
            return format!("thread {who} has ended without {without} {name}");
        }
        match blocked {
            Some(blocked) => format!("thread {who} {blocked}"),
            None => {
                let line = self.machine.location().line;
                let never = match section.kind {
                    SectionKind::Critical | SectionKind::RwlockHeld | SectionKind::SpinHeld => {
                        format!("never releases {name}")
                    }
                    SectionKind::Function => format!("never returns from {name}"),
                    SectionKind::User => format!("never leaves {name}"),
                    SectionKind::Once => format!("never completes the initialisation of {name}"),
                    SectionKind::MutexWait
                    | SectionKind::RwlockWait
                    | SectionKind::SpinWait
                    | SectionKind::CondWait
                    | SectionKind::BarrierWait
                    | SectionKind::Join
                    | SectionKind::SemWait
                    | SectionKind::Process => "its wait never ends".to_string(),
                };
                format!("thread {who} runs on (it is at line {line} now) but {never}")
            }
        }
    }
}

/// The next combination of choices, the last one fastest; `false` after the
/// last.
fn next_choices(choices: &mut Vec<Choice>) -> bool {
    while let Some(last) = choices.last_mut() {
        if last.value + 1 < last.arity {
            last.value += 1;
            return true;
        }
        choices.pop();
    }
    false
}

impl Machine<'_> {
    /// Builds the initial state: `main` about to start, constructors on top.
    pub fn start(&mut self) -> Result<(), Stop> {
        let program = &self.vm.program;
        let globals: Vec<CompId> = program
            .globals
            .iter()
            .filter(|g| !g.constant && !g.thread_local)
            .map(|g| self.pool.intern(&vm::global_words(g)))
            .collect();
        let main = program.main.expect("checked by Vm::new").0;
        let head = Head::new(main);
        let system = crate::system::System {
            alive: 1,
            threads: 1,
            seed: 1,
            at_exit: program
                .destructors
                .iter()
                .rev()
                .map(|&id| AtExit { handler: exeunt_ir::address::function(id), argument: 0 })
                .collect(),
            ..Default::default()
        };
        let mut words = Vec::new();
        system.encode(&[], &mut words);
        let mut state = vec![self.pool.intern(&words)];
        words.clear();
        head.encode(&mut words);
        state.push(self.pool.intern(&words));
        state.extend(&globals);
        if self.races.is_some() {
            state.push(self.pool.intern(&Races::initial()));
        }
        self.load_state(&state);
        self.load_thread(0);
        let function = &self.vm.program.functions[main as usize];
        crate::frame::open_window(function, &mut self.registers);
        self.frames.push(Frame {
            func: main,
            pc: 0,
            base: 0,
            objects: 0,
            varargs: ObjId::NULL,
            on_return: OnReturn::Continue,
        });
        if function.params >= 2 {
            self.pass_arguments(function.params >= 3)?;
        }
        for &constructor in self.vm.program.constructors.iter().rev() {
            self.push_internal(constructor.0, &[], OnReturn::Again);
        }
        Ok(())
    }

    /// argc, argv and perhaps envp, on the stack below `main`. The environment
    /// is empty.
    fn pass_arguments(&mut self, environment: bool) -> Result<(), Stop> {
        let mut strings = vec!["program".to_string()];
        strings.extend(self.vm.options.args.iter().cloned());
        let count = strings.len() as u64;
        let array = self.allocate(Space::Stack, 8 * (count + 1), false)?;
        self.objects.push(array);
        for (i, text) in strings.iter().enumerate() {
            let mut bytes = text.clone().into_bytes();
            bytes.push(0);
            let id = self.allocate(Space::Stack, bytes.len() as u64, false)?;
            self.objects.push(id);
            self.write_bytes(id.at(0), &bytes, &[])?;
            self.write(array.at(8 * i as i64), 8, Bits::defined(id.at(0)))?;
        }
        self.registers[0] = Bits::defined(count);
        self.registers[1] = Bits::defined(array.at(0));
        if environment {
            let array = self.allocate(Space::Stack, 8, false)?;
            self.objects.push(array);
            self.write(array.at(0), 8, Bits::defined(0))?;
            self.registers[2] = Bits::defined(array.at(0));
        }
        Ok(())
    }

    pub fn peek_status(&mut self, thread: u32) -> Status {
        self.status_of_stored(thread)
    }

    pub fn thread_name(&mut self, thread: u32) -> String {
        let start = self.head_of(thread).start;
        match self.vm.program.functions.get(start as usize) {
            Some(function) => readable(&function.name),
            None => "thread".to_string(),
        }
    }

    /// The sections a thread is inside of: those it holds, the wait it is
    /// in, and the functions that must return.
    pub fn sections_of(&mut self, thread: u32) -> Vec<Section> {
        self.load_thread(thread);
        let mut sections = self.head.sections.clone();
        if self.head.is_alive() {
            let pending = self.pending_wait();
            sections.extend(pending.filter(|wait| !self.head.sections.contains(wait)));
            let stack = self.call_stack();
            for (i, &(func, _)) in stack.iter().enumerate() {
                if self.vm.must_return[func as usize] {
                    let resource = (stack.len() - 1 - i) as u64;
                    sections.push(Section::new(SectionKind::Function, resource));
                }
            }
        }
        sections
    }

    /// The wait that the loaded thread is in, or about to begin.
    pub fn pending_wait(&mut self) -> Option<Section> {
        match self.head.status {
            Status::CondWait { cond, .. } => {
                return Some(Section::new(SectionKind::CondWait, cond));
            }
            Status::CondRelock { mutex, .. } => {
                return Some(Section::new(SectionKind::MutexWait, mutex));
            }
            Status::BarrierWait { barrier } => {
                return Some(Section::new(SectionKind::BarrierWait, barrier));
            }
            Status::Ready | Status::BarrierLeave { .. } | Status::Ended { .. } | Status::Free => {}
        }
        let frame = *self.frames.last()?;
        let site = self.function().call_at(frame.pc)?;
        let builtin = self.builtin_of(site)?;
        if self.head.phase == Phase::BetweenHandlers {
            return None;
        }
        let word = |arg: &Arg| self.registers[(frame.base + arg.slot) as usize].value;
        let words: SmallVec<[u64; 4]> = site.args.iter().map(word).collect();
        self.wait_of_call(builtin, &words)
    }

    /// After a step: whether it ended a wait and is in a wait of the same
    /// name again.
    pub fn note_reopened(&mut self) {
        if !self.head.is_alive() {
            return;
        }
        if let Some(section) = self.pending_wait() {
            self.reopens |= self.has_closed(section);
            self.count_opened();
        }
    }

    pub fn describe_waiting(&mut self, waiting: &Waiting) -> String {
        match *waiting {
            Waiting::Mutex { addr, owner } => {
                format!("waits for mutex {}{}", self.name_resource(addr), self.held_by(owner))
            }
            Waiting::Rwlock { addr, write } => {
                let what = if write { "writing" } else { "reading" };
                let holders = match write {
                    true => self.rwlock_holders(addr),
                    false => self.rwlock_in_the_way(addr),
                };
                format!("waits to lock {} for {what}{holders}", self.name_resource(addr))
            }
            Waiting::Spin { addr, owner } => {
                format!("waits for spin lock {}{}", self.name_resource(addr), self.held_by(owner))
            }
            Waiting::Condition { addr } => {
                format!("waits on condition {} for a signal", self.name_resource(addr))
            }
            Waiting::Barrier { addr, missing } => {
                let plural = if missing == 1 { "" } else { "s" };
                format!(
                    "waits at barrier {} for {missing} more thread{plural}",
                    self.name_resource(addr)
                )
            }
            Waiting::Join { thread } => format!("waits for thread {} to end", thread + 1),
            Waiting::Semaphore { addr } => {
                format!("waits for semaphore {}, which is 0", self.name_resource(addr))
            }
            Waiting::Once { addr, runner } if runner == self.me => {
                let name = self.name_resource(addr);
                format!("waits for the initialisation of {name}, which it is inside of itself")
            }
            Waiting::Once { addr, runner } => {
                let name = self.name_resource(addr);
                format!("waits for the initialisation of {name} by thread {}", runner + 1)
            }
            Waiting::Forever(what) => format!("waits for ever in {what}"),
        }
    }

    /// Who is in the way of a thread that waits for a lock.
    fn held_by(&mut self, owner: Option<u32>) -> String {
        match owner {
            None => String::new(),
            Some(owner) if owner == self.me => ", which it holds itself".to_string(),
            Some(owner) => {
                let ended = !self.head_of(owner).is_alive();
                let gone = if ended { ", which has ended" } else { "" };
                format!(", held by thread {}{gone}", owner + 1)
            }
        }
    }
}
