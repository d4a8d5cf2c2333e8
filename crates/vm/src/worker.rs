//! The machine as engines see it.

mod remembered;

use std::ops::ControlFlow;

use exeunt_model::{
    Account, ActorId, ActorView, Choice, CompId, Describe, Detail, Edge, Leash, Location, Next,
    Noun, OfActors, Only, OpenSection, Pool, Reduce, SectionKind, SectionView, Sink, StateStatus,
    StateView, Target, Turn, Unsupported, Worker,
};
use rustc_hash::FxHashMap;

use crate::machine::{self, Machine};
use crate::memo::{Memo, Room};
use crate::options::Reduction;
use crate::session::VmSession;
use crate::state::system::System;
use crate::stop::Stop;
use crate::stubborn::{Chooser, Moves};
use crate::thread::Status;
use crate::whim::woken_from;

/// How much of a thread is one edge.
#[derive(Clone, Copy)]
enum Pace<'l> {
    Step,
    Turn(Leash<'l>),
}

pub(crate) struct VmWorker<'p> {
    machine: Machine<'p>,
    out: Vec<CompId>,
    memo: Memo,
    /// What is remembered of turns, by the places that their leashes know.
    turns: FxHashMap<Box<[u64]>, Memo>,
    room: Room,
    chooser: Chooser,
    /// What steps do is learnt.
    learns: bool,
}

impl<'p> VmWorker<'p> {
    pub(crate) fn new(session: &'p VmSession<'p>, pool: &'p dyn Pool) -> Self {
        VmWorker {
            machine: Machine::new(session, pool),
            out: Vec::new(),
            memo: Memo::default(),
            turns: FxHashMap::default(),
            room: Room::default(),
            chooser: Chooser::default(),
            learns: false,
        }
    }
}

impl Worker for VmWorker<'_> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        let start = self.machine.start();
        let edge = Edge::initial();
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
        if let Some(only) = only.filter(|only| only.turn > 0) {
            let leash = Leash { until: only.turn, known: None };
            self.run_on(state, only.actor, leash, detail, sink);
            return StateStatus::Running;
        }
        self.machine.tale.listen(detail);
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
        let remembers = detail == Detail::Targets && only.is_none() && self.machine.vm.has_memory();
        if remembers {
            self.room.leave();
        }
        let busy = only.is_none() && self.is_busy();
        for thread in 0..threads {
            if busy && self.machine.sleeps(thread) {
                continue;
            }
            let wanted = only.is_none_or(|only| only.actor == ActorId(thread));
            let allowed = exclusive == 0 || exclusive == thread + 1;
            if wanted && allowed {
                let flow = match remembers && !self.machine.superstep.active {
                    true => self.expand_by_memory(state, thread, Pace::Step, sink),
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
        self.machine.tale.listen(Detail::Targets);
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
}

impl Reduce for VmWorker<'_> {
    fn enough(&mut self, state: &[CompId], unseen: bool, out: &mut Vec<ActorId>) -> bool {
        let session = self.machine.session;
        let futures = &session.futures;
        if !futures.are_used() {
            return false;
        }
        self.machine.tale.listen(Detail::Targets);
        self.machine.aim_at(state);
        if self.machine.system.ended {
            return false;
        }
        if self.chooser.is_done(futures, self.machine.vm.has_memory()) {
            session.call_off();
        }
        let threads = self.machine.system.threads as usize;
        if !std::mem::replace(&mut self.learns, true) {
            // Of what is remembered nothing was learnt.
            self.memo = Memo::default();
        }
        self.chooser.look(&mut self.machine, &state[1..=threads]);
        if self.machine.system.alive <= 1 || self.machine.system.exclusive != 0 {
            return false;
        }
        self.chooser.close(futures);
        if unseen {
            self.chooser.keep_unseen(futures);
        }
        let opened = self.machine.tale.opened();
        for rank in 0.. {
            let Some((first, set)) = self.chooser.candidate(rank) else { break };
            out.extend(set.map(ActorId));
            let mut moves = Moves::default();
            let _ = self.expand_actors(state, &[ActorId(first)], &mut moves);
            // Its moves are counted when they are explored.
            self.machine.tale.uncount_opened(opened);
            // What fails is told at once, and what leads nowhere is put off.
            if moves.fails {
                return false;
            }
            if moves.onward {
                return true;
            }
            out.clear();
        }
        false
    }

    fn expand_some(
        &mut self,
        state: &[CompId],
        actors: &[ActorId],
        sink: &mut dyn Sink,
    ) -> StateStatus {
        if self.machine.vm.makes_supersteps() || self.machine.vm.options.real_time {
            return self.expand(state, Detail::Targets, None, &mut OfActors { actors, sink });
        }
        self.machine.tale.listen(Detail::Targets);
        self.machine.aim_at(state);
        if self.machine.system.ended || self.machine.system.alive == 0 {
            return StateStatus::Ended;
        }
        let _ = self.expand_actors(state, actors, sink);
        StateStatus::Running
    }

    fn run_on(
        &mut self,
        state: &[CompId],
        actor: ActorId,
        leash: Leash<'_>,
        detail: Detail,
        sink: &mut dyn Sink,
    ) -> u64 {
        self.machine.tale.listen(detail);
        self.machine.aim_at(state);
        let system = &self.machine.system;
        let may_move = system.exclusive == 0 || system.exclusive == actor.0 + 1;
        let there = !system.ended && actor.0 < system.threads && self.machine.vm.has_turns();
        if !there || !may_move {
            return 0;
        }
        if matches!(self.machine.peek_status(actor.0), Status::Ended { .. } | Status::Free) {
            return 0;
        }
        self.machine.turn.forget();
        let whole = leash.until == u64::MAX && detail == Detail::Targets;
        let pace = Pace::Turn(leash);
        let _ = match whole && self.machine.vm.has_memory() {
            true => {
                self.room.leave();
                self.expand_by_memory(state, actor.0, pace, sink)
            }
            false => self.emit_step(actor.0, pace, sink),
        };
        self.machine.turn.work()
    }

    fn touched(&mut self, state: &[CompId], out: &mut Vec<Next>) -> bool {
        // Steps of other reductions are several operations, or parts of one.
        if self.machine.vm.options.reduction != Reduction::Tau {
            return false;
        }
        self.machine.tale.listen(Detail::Targets);
        self.machine.aim_at(state);
        if !self.machine.system.ended && self.machine.system.alive > 0 {
            self.machine.reload();
            self.machine.first_operations(out);
        }
        true
    }

    fn matched(&mut self, state: &[CompId], out: &mut Vec<CompId>) -> bool {
        self.machine.matched(state, out)
    }
}

impl Describe for VmWorker<'_> {
    fn noun(&self) -> Noun {
        Noun::Thread
    }

    fn view(&mut self, state: &[CompId]) -> Vec<ActorView> {
        self.machine.load_state(state);
        if self.machine.system.ended {
            return Vec::new();
        }
        let threads = self.machine.system.threads;
        (0..threads).filter_map(|thread| self.machine.view_thread(state, thread)).collect()
    }

    fn describe_section(&mut self, state: &[CompId], section: &OpenSection) -> SectionView {
        self.machine.tale.listen(Detail::Targets);
        self.machine.load_state(state);
        let thread = section.actor.0;
        let mut view = SectionView::default();
        if self.machine.system.ended || thread >= self.machine.system.threads {
            return view;
        }
        let sections = self.machine.sections_of(thread);
        let Some(found) = sections.into_iter().find(|s| machine::slot_of(*s) == section.slot)
        else {
            return view;
        };
        view.name = self.machine.name_section(found);
        if self.machine.thread.head.is_alive() {
            view.location = Some(self.machine.location());
            view.callers = self.machine.callers();
        }
        if found.kind == SectionKind::Await {
            view.location = Some(self.machine.await_location(found.resource));
        }
        view.why = self.machine.explain(state, thread, found);
        view
    }

    fn variables(&mut self, state: &[CompId]) -> Vec<(String, String)> {
        self.machine.load_state(state);
        if self.machine.system.ended {
            return Vec::new();
        }
        self.machine.show_globals()
    }

    fn snapshot(&mut self, state: &[CompId]) -> StateView {
        self.machine.snapshot(state)
    }
}

impl Account for VmWorker<'_> {
    fn sections_opened(&self) -> u64 {
        self.machine.tale.opened()
    }

    fn section_sites(&self) -> Vec<u64> {
        let sites = self.machine.tale.sites();
        sites.map(|(func, pc)| (func as u64) << 32 | pc as u64).collect()
    }

    fn bytes(&self) -> u64 {
        let remembered = self.turns.values().map(Memo::bytes).sum::<u64>();
        self.memo.bytes() + self.chooser.bytes() + remembered + self.machine.mem.bytes()
    }

    fn carry(&self, state: &[CompId], from: &dyn Pool, to: &dyn Pool) -> Vec<CompId> {
        let system = from.get(state[0]);
        let first = match System::is_ended(system) {
            true => state.len(),
            false => 1 + System::thread_count(system) as usize,
        };
        let end = state.len() - usize::from(self.machine.races.is_some() && first < state.len());
        let carry = |(at, &comp): (usize, &CompId)| match (first..end).contains(&at) {
            true => exeunt_mem::carry(comp, from, to),
            false => to.intern(from.get(comp)),
        };
        state.iter().enumerate().map(carry).collect()
    }
}

impl VmWorker<'_> {
    /// The moves of some threads of the state that the machine is aimed at.
    fn expand_actors(
        &mut self,
        state: &[CompId],
        actors: &[ActorId],
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let remembers = self.machine.vm.has_memory();
        self.room.leave();
        for actor in actors {
            match remembers {
                true => self.expand_by_memory(state, actor.0, Pace::Step, sink)?,
                false => self.expand_thread(actor.0, None, sink)?,
            }
        }
        ControlFlow::Continue(())
    }

    /// Learns what a step of a thread did that led to the state in `out`, or nowhere.
    fn learn_deeds(&mut self, pace: Pace<'_>, moved: bool) {
        if !self.learns || !matches!(pace, Pace::Step) || self.machine.tale.is_told() {
            return;
        }
        let thread = self.machine.actor().0;
        let threads = self.machine.system.threads as usize;
        let before = &self.machine.loaded_state()[1..];
        let before = &before[..self.machine.system_threads() as usize];
        let after = if moved { &self.out[1..=threads] } else { &[] };
        let futures = &self.machine.session.futures;
        self.chooser.learn(&self.machine, futures, thread, (before, after));
    }

    /// With `--real-time`: whether a thread can move that does not sleep, so that no
    /// time passes. One that is in a loop may be waiting for time to pass.
    fn is_busy(&mut self) -> bool {
        if !self.machine.vm.options.real_time || self.machine.system.wakes.is_empty() {
            return false;
        }
        let told = self.machine.tale.detail();
        self.machine.tale.listen(Detail::Targets);
        let mut moves = Moves::default();
        for thread in 0..self.machine.system_threads() {
            self.machine.reload();
            self.machine.load_thread(thread);
            let idle = self.machine.sleeps(thread) || !self.machine.awaits().is_empty();
            if !idle {
                let _ = self.expand_thread(thread, None, &mut moves);
            }
            if moves.any {
                break;
            }
        }
        self.machine.reload();
        self.machine.tale.listen(told);
        moves.any
    }

    /// All moves of one thread, or its turn.
    fn execute(&mut self, thread: u32, pace: Pace<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
        match pace {
            Pace::Step => self.expand_thread(thread, None, sink),
            Pace::Turn(_) => self.emit_step(thread, pace, sink),
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
            let values = prefix.iter().map(|&value| Choice {
                kind: exeunt_model::ChoiceKind::Environment,
                arity: value + 1,
                value,
            });
            self.machine.progress.follow(values);
            loop {
                self.emit_step(thread, Pace::Step, sink)?;
                if only.is_some() || !self.machine.progress.next_choices() {
                    break;
                }
            }
        }
        let spurious = self.machine.vm.options.spurious && withheld != Some(false);
        if spurious && let Some((woken, why)) = woken_from(status) {
            self.machine.progress.forget_choices();
            self.machine.reload();
            self.machine.load_thread(thread);
            self.machine.tell(|_| "wakes up spuriously".to_string());
            self.machine.tell_whim(why);
            self.machine.thread.head.status = woken;
            self.emit_state(true, Pace::Step, sink)?;
        }
        ControlFlow::Continue(())
    }

    /// Makes the superstep of a thread whose edges are not wanted: the supersteps
    /// of the threads behind it depend on it.
    fn pass_over(&mut self, thread: u32) {
        let superstep = self.machine.superstep.active;
        let status = self.machine.peek_status(thread);
        if superstep && !matches!(status, Status::Ended { .. } | Status::Free) {
            self.machine.progress.forget_choices();
            let _ = self.machine.take_superstep(thread);
        }
    }

    fn take_step(&mut self, thread: u32, pace: Pace<'_>) -> Result<(), Stop> {
        if let Pace::Turn(leash) = pace {
            return self.machine.take_turn(thread, leash);
        }
        if self.machine.superstep.active {
            return self.machine.take_superstep(thread);
        }
        self.machine.reload();
        self.machine.load_thread(thread);
        self.machine.step()
    }

    /// Runs one step of a thread and hands its outcome over.
    fn emit_step(&mut self, thread: u32, pace: Pace<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
        let from = self.machine.tale.is_told().then(|| self.place_of(thread));
        if from.is_some() {
            self.machine.begin_awaits();
        }
        let outcome = self.take_step(thread, pace);
        if let Some(from) = from {
            let failed = match &outcome {
                Err(Stop::Fault(fault)) => Some(&**fault),
                _ => None,
            };
            self.machine.tell_quiet(from, failed);
        }
        if outcome.is_err() {
            self.learn_deeds(pace, false);
        }
        match outcome {
            Ok(()) => self.emit_state(false, pace, sink),
            Err(Stop::Blocked(_)) => ControlFlow::Continue(()),
            Err(Stop::Exit) => {
                self.machine.commit_end(&mut self.out);
                self.emit(false, pace, Target::State(&self.out), sink)
            }
            Err(Stop::Fault(fault)) => {
                self.machine.tell_fault(&fault);
                self.emit(false, pace, Target::Fault(&fault), sink)
            }
            Err(Stop::Unsupported(construct)) => {
                let location = Some(self.machine.location());
                let limit = Unsupported { construct: construct.to_string(), location };
                self.emit(false, pace, Target::Unsupported(&limit), sink)
            }
            Err(Stop::Dropped | Stop::Beyond) => self.emit(false, pace, Target::Dropped, sink),
            Err(Stop::Waits | Stop::Pause | Stop::Moved) => {
                unreachable!("handled by the interpreter loop")
            }
        }
    }

    /// Where a thread is before its step.
    fn place_of(&mut self, thread: u32) -> Location {
        self.machine.reload();
        self.machine.load_thread(thread);
        self.machine.location()
    }

    fn emit_state(
        &mut self,
        withheld: bool,
        pace: Pace<'_>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        self.machine.commit(&mut self.out);
        self.learn_deeds(pace, true);
        self.machine.note_reopened();
        self.machine.tell_awaits();
        self.emit(withheld, pace, Target::State(&self.out), sink)
    }

    fn emit(
        &self,
        withheld: bool,
        pace: Pace<'_>,
        target: Target<'_>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let edge = Edge {
            actor: self.machine.actor(),
            choices: self.machine.progress.choices(),
            withheld,
            reopens: self.machine.tale.reopens(),
            turn: match pace {
                Pace::Step => Turn::default(),
                Pace::Turn(_) => self.machine.turn.outcome(),
            },
            events: self.machine.tale.events(),
        };
        sink.edge(&edge, target)
    }
}
