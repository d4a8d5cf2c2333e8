//! The machine as an engine sees it.

use std::ops::ControlFlow;

use exeunt_model::{
    Account, ActorId, ActorView, CompId, Describe, Detail, Edge, Leash, Next, Noun, Only,
    OpenSection, Pool, Reduce, SectionView, Sink, StateStatus, StateView, Target, Worker,
};

use crate::Standing;
use crate::code::Action;

use super::chain::Run;
use super::channel::ChannelId;
use super::trouble::Outcome;
use super::{Machine, Recorded, actor};

impl Worker for Machine<'_> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        self.reset();
        self.start_code();
        for (proc, priority) in &self.program.active {
            self.start(*proc, &[], *priority);
        }
        let edge = Edge::initial();
        let trouble = self.take_trouble();
        let _ = match trouble {
            Some(trouble) => {
                let location = self.program.procs.first().map(|proc| proc.location.clone());
                let location = location.expect("a model has a process");
                match trouble.outcome(&location) {
                    Outcome::Fault(fault) => sink.edge(&edge, Target::Fault(&fault)),
                    Outcome::Limit(limit) => sink.edge(&edge, Target::Unsupported(&limit)),
                }
            }
            None => sink.edge(&edge, Target::State(self.memory.target(self.pool))),
        };
        self.reset();
    }

    fn expand(
        &mut self,
        state: &[CompId],
        detail: Detail,
        only: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus {
        self.storytelling = detail != Detail::Targets;
        self.timeout = false;
        let plain = detail == Detail::Targets && only.is_none();
        let known = if plain { self.expand_from_memory(state, None, sink) } else { None };
        if known.is_some_and(|known| known.edges > 0) {
            return StateStatus::Running;
        }
        self.memory.load_state(state, self.pool);
        let mut run = Run { only, sink, edges: 0 };
        if let Some(pid) = self.memory.holder() {
            self.expand_held(pid, &mut run);
            return StateStatus::Running;
        }
        if known.is_none() && self.expand_all(&mut run).is_break() {
            return StateStatus::Running;
        }
        // What only a timeout enables has to be looked at even if one move is
        // asked for: whether others could move is not known then.
        let stuck = match run.only {
            None => run.edges == 0,
            Some(_) => run.edges == 0 && !self.anyone_moves(),
        };
        if stuck && self.program.uses_timeout {
            self.timeout = true;
            let flow = self.expand_all(&mut run);
            self.timeout = false;
            if flow.is_break() {
                return StateStatus::Running;
            }
        }
        if run.edges > 0 || !self.all_at_end() { StateStatus::Running } else { StateStatus::Ended }
    }

    fn open_sections(&mut self, state: &[CompId], out: &mut Vec<OpenSection>) {
        if self.model.must_end.is_empty() {
            return;
        }
        self.memory.load_state(state, self.pool);
        for pid in 0..self.memory.process_count() {
            let (proc, state) = (self.memory.process(pid).proc, self.memory.state_of(pid));
            for (number, section) in self.model.must_end.iter().enumerate() {
                if section.proc == proc && section.inside[state as usize] {
                    out.push(self.section(pid, number));
                }
            }
        }
    }
}

impl Reduce for Machine<'_> {
    fn enough(&mut self, state: &[CompId], unseen: bool, out: &mut Vec<ActorId>) -> bool {
        self.memory.load_state(state, self.pool);
        let Some(set) = self.enough_processes(unseen) else { return false };
        out.extend((0..u64::BITS).filter(|pid| set >> pid & 1 == 1).map(actor));
        true
    }

    /// Processes have no turns: their steps are short and remembered.
    fn run_on(
        &mut self,
        _: &[CompId],
        _: ActorId,
        _: Leash<'_>,
        _: Detail,
        _: &mut dyn Sink,
    ) -> u64 {
        0
    }

    fn expand_some(
        &mut self,
        state: &[CompId],
        actors: &[ActorId],
        sink: &mut dyn Sink,
    ) -> StateStatus {
        self.storytelling = false;
        self.timeout = false;
        if self.expand_from_memory(state, Some(actors), sink).is_some() {
            return StateStatus::Running;
        }
        self.memory.load_state(state, self.pool);
        let mut run = Run { only: None, sink, edges: 0 };
        for actor in actors {
            if self.explore(actor.0, &mut run).is_break() {
                break;
            }
        }
        StateStatus::Running
    }

    fn touched(&mut self, _: &[CompId], _: &mut Vec<Next>) -> bool {
        false
    }

    fn matched(&mut self, state: &[CompId], out: &mut Vec<CompId>) -> bool {
        self.match_code(state, out)
    }
}

impl Describe for Machine<'_> {
    fn noun(&self) -> Noun {
        Noun::Process
    }

    fn view(&mut self, state: &[CompId]) -> Vec<ActorView> {
        self.memory.load_state(state, self.pool);
        self.describe()
    }

    fn describe_section(&mut self, state: &[CompId], section: &OpenSection) -> SectionView {
        self.memory.load_state(state, self.pool);
        self.why_open(section)
    }

    fn variables(&mut self, state: &[CompId]) -> Vec<(String, String)> {
        self.memory.load_state(state, self.pool);
        self.all_variables()
    }

    fn snapshot(&mut self, state: &[CompId]) -> StateView {
        self.memory.load_state(state, self.pool);
        self.look()
    }
}

impl Account for Machine<'_> {
    /// Where obligations begin is written in the model.
    fn sections_opened(&self) -> u64 {
        0
    }

    fn section_sites(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Its memory of steps is of a fixed size.
    fn bytes(&self) -> u64 {
        0
    }

    fn carry(&self, state: &[CompId], from: &dyn Pool, to: &dyn Pool) -> Vec<CompId> {
        self.carry_code(state, from, to)
    }
}

/// Takes edges and does nothing with them.
struct Deaf;

impl Sink for Deaf {
    fn edge(&mut self, _: &Edge<'_>, _: Target<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

struct First(Option<Vec<CompId>>);

impl Sink for First {
    fn edge(&mut self, _: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if let Target::State(state) = target {
            self.0 = Some(state.to_vec());
        }
        ControlFlow::Break(())
    }
}

impl Machine<'_> {
    /// The edges of a state with the statements executed on them.
    pub(crate) fn record(&mut self, state: &[CompId]) -> Vec<Recorded> {
        self.recorded = Some(Vec::new());
        self.expand(state, Detail::Targets, None, &mut Deaf);
        self.recorded.take().unwrap_or_default()
    }

    /// Goes to a state, to look at it.
    pub(crate) fn load(&mut self, state: &[CompId]) {
        self.memory.load_state(state, self.pool);
    }

    /// Where all processes of a state stand.
    pub(crate) fn standing(&mut self, state: &[CompId]) -> Vec<Standing> {
        self.memory.load_state(state, self.pool);
        let stand = |pid: u32| {
            let proc = &self.program.procs[self.memory.process(pid).proc.0 as usize];
            let place = self.memory.state_of(pid);
            let info = &proc.states[place as usize];
            let site = info.site.map(|site| &self.program.sites[site.0 as usize]);
            Standing {
                pid,
                process: proc.name.clone(),
                priority: self.memory.priority(pid),
                state: u32::from(place),
                location: site.map(|site| site.location.clone()),
                valid_end: info.valid_end,
            }
        };
        (0..self.memory.process_count()).map(stand).collect()
    }

    /// The state a model starts in; `None` if it cannot start.
    pub(crate) fn first_state(&mut self) -> Option<Vec<CompId>> {
        let mut first = First(None);
        self.initial(&mut first);
        first.0
    }

    /// An obligation of a process.
    pub(super) fn section(&self, pid: u32, number: usize) -> OpenSection {
        let kind = self.model.must_end[number].kind;
        OpenSection { actor: actor(pid), slot: number as u64, kind }
    }

    /// Forgets all states: globals as declared, no process.
    fn reset(&mut self) {
        self.memory = super::Memory::new(self.program);
        self.set_globals();
        self.take_trouble();
    }

    fn expand_all(&mut self, run: &mut Run<'_, '_>) -> ControlFlow<()> {
        for pid in 0..self.memory.process_count() {
            if run.only.as_ref().is_none_or(|only| only.actor == actor(pid)) {
                self.explore(pid, run)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// A state in the middle of an atomic sequence: its process goes on. If
    /// it blocks, the sequence has given up control.
    fn expand_held(&mut self, pid: u32, run: &mut Run<'_, '_>) {
        let mark = self.memory.mark();
        self.memory.set_holder(None);
        let before = run.edges;
        let flow = self.explore(pid, run);
        if flow.is_continue()
            && run.edges == before
            && run.only.is_none_or(|o| o.choices.is_empty())
        {
            self.choices.clear();
            let _ = self.hand_over(pid, run);
        }
        self.memory.undo(mark);
    }

    fn anyone_moves(&mut self) -> bool {
        let moves = (0..self.memory.process_count()).any(|pid| self.can_move(pid));
        self.take_trouble();
        moves
    }

    /// Whether a process has done its last statement. It may stay in the
    /// state for longer, because the youngest goes first.
    pub(super) fn is_at_end(&self, pid: u32) -> bool {
        matches!(self.transitions(pid).first().map(|first| &first.action), Some(Action::End))
    }

    /// Whether messages may be left in the channels.
    fn may_keep_messages(&self) -> bool {
        let mut buffered = (0..self.memory.channel_count())
            .map(ChannelId)
            .filter(|channel| !self.is_rendezvous(*channel));
        !self.program.rules.empty_at_end || buffered.all(|channel| self.length(channel) == 0)
    }

    /// Whether every process that is left stands where it may stop. As in SPIN
    /// a trace is asked only if there is one left.
    fn all_at_end(&self) -> bool {
        let count = self.memory.process_count();
        let may_stop = |pid: u32| {
            let proc = self.memory.process(pid).proc;
            let state = self.memory.state_of(pid);
            self.program.procs[proc.0 as usize].states[state as usize].valid_end
        };
        (0..count).all(may_stop)
            && (count == 0 || self.trace_may_stop())
            && self.may_keep_messages()
    }
}
