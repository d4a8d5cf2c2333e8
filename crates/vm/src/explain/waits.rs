//! What a thread is inside of, what it waits for, and why that does not end.
//!
//! Waits are read off the state: a thread whose next operation is a call that
//! waits is in the section of that wait.

use exeunt_ir::{Arg, short};
use exeunt_model::words::{self, Access, Holder, Wait};
use exeunt_model::{ActorId, ActorView, CompId, Detail, SectionKind};
use smallvec::SmallVec;

use crate::machine::Machine;
use crate::stop::{Stop, Waiting};
use crate::thread::{Phase, Section, Status};

impl Machine<'_> {
    /// A thread of a state, for people.
    pub fn view_thread(&mut self, state: &[CompId], thread: u32) -> Option<ActorView> {
        self.load_state(state);
        self.load_thread(thread);
        let name = self.thread_name(thread);
        let status = self.thread.head.status;
        let ended = match status {
            Status::Free => return None,
            Status::Ended { .. } => true,
            Status::Ready
            | Status::CondWait { .. }
            | Status::CondRelock { .. }
            | Status::BarrierWait { .. }
            | Status::BarrierLeave { .. }
            | Status::FutexWait { .. }
            | Status::FutexWoken => false,
        };
        let location = (!ended).then(|| self.location());
        let callers = if ended { Vec::new() } else { self.callers() };
        let blocked = if ended { None } else { self.blocked(state, thread) };
        Some(ActorView { actor: ActorId(thread), name, location, callers, blocked, ended })
    }

    /// What the thread waits for, if it cannot move now.
    fn blocked(&mut self, state: &[CompId], thread: u32) -> Option<String> {
        let waiting = self.wait_of(state, thread)?;
        Some(self.describe_waiting(&waiting))
    }

    /// The threads that could let a thread go on, as far as that is known.
    pub(super) fn released_by(&mut self, state: &[CompId], thread: u32) -> Vec<ActorId> {
        let threads: Vec<u32> = match self.wait_of(state, thread) {
            Some(Waiting::Mutex { owner, .. } | Waiting::Spin { owner, .. }) => {
                owner.into_iter().collect()
            }
            Some(Waiting::Rwlock { addr, .. }) => self.context().rwlock_threads(addr),
            Some(Waiting::Join { thread }) => vec![thread],
            Some(Waiting::Once { runner, .. }) => vec![runner],
            Some(
                Waiting::Condition { .. }
                | Waiting::Barrier { .. }
                | Waiting::Semaphore { .. }
                | Waiting::Futex { .. }
                | Waiting::Descriptor { .. }
                | Waiting::Descriptors { .. }
                | Waiting::Sleep
                | Waiting::Forever(_),
            )
            | None => Vec::new(),
        };
        threads.into_iter().map(ActorId).collect()
    }

    /// The same as the machine has it. The thread is left loaded.
    fn wait_of(&mut self, state: &[CompId], thread: u32) -> Option<Waiting> {
        self.load_state(state);
        self.load_thread(thread);
        if !self.thread.head.is_alive() {
            return None;
        }
        self.progress.forget_choices();
        self.tale.listen(Detail::Targets);
        match self.step() {
            Err(Stop::Blocked(waiting)) => {
                self.load_state(state);
                self.load_thread(thread);
                Some(waiting)
            }
            _ => None,
        }
    }

    /// Why a section stays open. The machine is left with the thread loaded.
    pub fn explain(&mut self, state: &[CompId], thread: u32, section: Section) -> String {
        let blocked = self.blocked(state, thread);
        self.load_state(state);
        self.load_thread(thread);
        let who = thread + 1;
        let name = match self.name_section(section) {
            // A description of what has no name.
            described if described.contains(' ') => described,
            name => format!("`{name}`"),
        };
        if !self.thread.head.is_alive() {
            return match section.kind.is_held() {
                true => words::ended_holding(&who.to_string(), &name),
                false => format!("thread {who} has ended without leaving {name}"),
            };
        }
        match blocked {
            Some(blocked) => format!("thread {who} {blocked}"),
            None => {
                let line = self.location().line;
                let never = match section.kind {
                    SectionKind::Critical | SectionKind::RwlockHeld | SectionKind::SpinHeld => {
                        return words::never_released(&who.to_string(), line, &name);
                    }
                    SectionKind::Function => format!("never returns from {name}"),
                    SectionKind::User => format!("never leaves {name}"),
                    SectionKind::Await => {
                        return format!("thread {who} goes round {name} for ever and does nothing");
                    }
                    SectionKind::Once => format!("never completes the initialisation of {name}"),
                    SectionKind::MutexWait
                    | SectionKind::RwlockWait
                    | SectionKind::SpinWait
                    | SectionKind::CondWait
                    | SectionKind::BarrierWait
                    | SectionKind::Join
                    | SectionKind::SemWait
                    | SectionKind::FutexWait
                    | SectionKind::FileWait
                    | SectionKind::LatchWait
                    | SectionKind::FutureWait
                    | SectionKind::AtomicWait
                    | SectionKind::StopWait
                    | SectionKind::Process => "its wait never ends".to_string(),
                };
                format!("thread {who} keeps running (it is at line {line} now) but {never}")
            }
        }
    }

    pub fn thread_name(&mut self, thread: u32) -> String {
        let start = self.head_of(thread).start;
        match self.vm.program.functions.get(start as usize) {
            Some(function) => without_lambda(short(&function.name)),
            None => "thread".to_string(),
        }
    }

    /// The sections a thread is inside of: those it holds, the wait it is
    /// in, and the functions that must return.
    pub fn sections_of(&mut self, thread: u32) -> Vec<Section> {
        self.load_thread(thread);
        let mut sections = self.thread.head.sections.clone();
        if self.thread.head.is_alive() {
            let pending = self.pending_wait();
            sections.extend(pending.filter(|wait| !self.thread.head.sections.contains(wait)));
            let stack = self.call_stack();
            for (i, &(func, _)) in stack.iter().enumerate() {
                if self.vm.must_return[func as usize] {
                    let resource = (stack.len() - 1 - i) as u64;
                    sections.push(Section::new(SectionKind::Function, resource));
                }
            }
            sections.extend(self.awaits());
        }
        sections
    }

    /// The wait that the loaded thread is in, or about to begin.
    pub fn pending_wait(&mut self) -> Option<Section> {
        match self.thread.head.status {
            Status::CondWait { cond, .. } => {
                return Some(Section::new(SectionKind::CondWait, cond));
            }
            Status::CondRelock { mutex, .. } => {
                return Some(Section::new(SectionKind::MutexWait, mutex));
            }
            Status::BarrierWait { barrier } => {
                return Some(Section::new(SectionKind::BarrierWait, barrier));
            }
            Status::FutexWait { addr, .. } => {
                return Some(self.wait_at(addr));
            }
            Status::Ready
            | Status::BarrierLeave { .. }
            | Status::FutexWoken
            | Status::Ended { .. }
            | Status::Free => {}
        }
        let frame = *self.thread.frames.last()?;
        let site = self.function().call_at(frame.pc)?;
        let builtin = self.builtin_of(site)?;
        if self.thread.head.phase == Phase::BetweenHandlers {
            return None;
        }
        let word = |arg: &Arg| self.thread.registers[(frame.base + arg.slot) as usize].value;
        let words: SmallVec<[u64; 4]> = site.args.iter().map(word).collect();
        self.wait_of_call(builtin, &words)
    }

    pub fn describe_waiting(&mut self, waiting: &Waiting) -> String {
        match *waiting {
            Waiting::Mutex { addr, owner } => {
                let (class, holder) = (self.class_or("mutex"), self.held_by(owner));
                let name = self.name_resource(addr);
                Wait::Lock { class: &class, name: &name, holder }.words()
            }
            Waiting::Rwlock { addr, write } => {
                let access = if write { Access::Writing } else { Access::Reading };
                let holders = match write {
                    true => self.context().rwlock_holders(addr),
                    false => self.context().rwlock_in_the_way(addr),
                };
                let (class, name) = (self.class_or(""), self.name_resource(addr));
                let (class, name, holders) = (class.as_str(), name.as_str(), holders.as_str());
                Wait::ReadersWriter { class, name, access, holders }.words()
            }
            Waiting::Spin { addr, owner } => {
                let (name, holder) = (self.name_resource(addr), self.held_by(owner));
                Wait::Lock { class: "spin lock", name: &name, holder }.words()
            }
            Waiting::Condition { addr } => {
                let (class, name) = (self.class_or("condition"), self.name_resource(addr));
                Wait::Signal { class: &class, name: &name }.words()
            }
            Waiting::Barrier { addr, missing } => {
                let missing = Some(u64::from(missing));
                Wait::Barrier { name: &self.name_resource(addr), missing }.words()
            }
            Waiting::Join { thread } => Wait::End(ActorId(thread)).words(),
            Waiting::Semaphore { addr } => Wait::Semaphore(&self.name_resource(addr)).words(),
            Waiting::Futex { addr } => self.describe_futex(addr),
            Waiting::Descriptor { descriptor, what } => {
                format!("waits for {what} (descriptor {descriptor})")
            }
            Waiting::Descriptors { count } => {
                let plural = if count == 1 { "" } else { "s" };
                format!("waits until one of {count} descriptor{plural} is ready")
            }
            Waiting::Once { addr, runner } => {
                let runner = match runner == self.thread.me {
                    true => Holder::Itself,
                    false => Holder::Other(ActorId(runner)),
                };
                Wait::Once { name: &self.name_resource(addr), runner }.words()
            }
            Waiting::Sleep => "sleeps longer than another thread".to_string(),
            Waiting::Forever(what) => format!("waits for ever in {what}"),
        }
    }

    /// Who is in the way of a thread that waits for a lock.
    fn held_by(&mut self, owner: Option<u32>) -> Holder {
        match owner {
            None => Holder::Unknown,
            Some(owner) if owner == self.thread.me => Holder::Itself,
            Some(owner) if self.head_of(owner).is_alive() => Holder::Other(ActorId(owner)),
            Some(owner) => Holder::Ended(ActorId(owner)),
        }
    }
}

/// A lambda has no name that its author knows: it is told by where it is written.
fn without_lambda(name: String) -> String {
    match ["::$_", "::{lambda"].iter().find_map(|mark| name.find(mark)) {
        Some(at) => format!("lambda in {}", &name[..at]),
        None => name,
    }
}
