//! Expanding states with the help of what was executed before.

use std::ops::ControlFlow;

use exeunt_model::{ActorId, CompId, Edge, Sink, Target};

use super::chain::Run;
use super::memo::{Draft, Edges, Found, Memo};
use super::{Machine, actor};

/// An expansion by the moves of several processes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub edges: u64,
    /// Whether the sink had enough.
    pub flow: ControlFlow<()>,
}

/// Passes edges on and takes notes of them.
struct Notes<'n> {
    sink: &'n mut dyn Sink,
    state: &'n [CompId],
    draft: &'n mut Draft,
    /// Whether there was an edge that is not to be remembered.
    faulty: bool,
}

impl Sink for Notes<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        match target {
            Target::State(target) => {
                self.draft.add(self.state, target, edge.reopens, edge.choices);
            }
            _ => self.faulty = true,
        }
        self.sink.edge(edge, target)
    }
}

impl Machine<'_> {
    /// Hands over the edges of some processes, or of all. The state need not
    /// be loaded, and may not be afterwards. `None` if nothing can be
    /// remembered of such states, and nothing was done.
    pub(super) fn expand_from_memory(
        &mut self,
        state: &[CompId],
        pids: Option<&[ActorId]>,
        sink: &mut dyn Sink,
    ) -> Option<Outcome> {
        if self.recorded.is_some() {
            return None;
        }
        let mut memo = self.memo.take()?;
        let outcome = memo.arrive(state, self.program, self.pool).then(|| {
            let mut load = Some(state);
            let mut outcome = Outcome { edges: 0, flow: ControlFlow::Continue(()) };
            memo.look_up(pids, state);
            let mut number = 0;
            while let Some((pid, found)) = memo.found(number)
                && outcome.flow.is_continue()
            {
                number += 1;
                match found {
                    Found::Edges(edges) => {
                        self.tell_again(&memo, pid, edges, state, sink, &mut outcome);
                    }
                    found => {
                        let learns = (found == Found::Nothing).then_some(&mut *memo);
                        self.load_once(&mut load);
                        self.explore_and_learn(learns, pid, state, sink, &mut outcome);
                    }
                }
            }
            outcome
        });
        self.memo = Some(memo);
        outcome
    }

    fn load_once(&mut self, state: &mut Option<&[CompId]>) {
        if let Some(state) = state.take() {
            self.memory.load_state(state, self.pool);
        }
    }

    /// Hands over edges that are remembered.
    fn tell_again(
        &mut self,
        memo: &Memo,
        pid: u32,
        mut edges: Edges,
        state: &[CompId],
        sink: &mut dyn Sink,
        outcome: &mut Outcome,
    ) {
        let actor = actor(pid);
        while let Some((reopens, choices)) = memo.next_edge(&mut edges, state, &mut self.vector) {
            outcome.edges += 1;
            let edge = Edge { actor, choices, withheld: false, reopens, events: &[] };
            outcome.flow = sink.edge(&edge, Target::State(&self.vector));
            if outcome.flow.is_break() {
                return;
            }
        }
    }

    /// Executes a process of the loaded state.
    fn explore_and_learn(
        &mut self,
        memo: Option<&mut Memo>,
        pid: u32,
        state: &[CompId],
        sink: &mut dyn Sink,
        outcome: &mut Outcome,
    ) {
        let Some(memo) = memo else {
            let mut run = Run { only: None, sink, edges: 0 };
            outcome.flow = self.explore(pid, &mut run);
            outcome.edges += run.edges;
            return;
        };
        let mut draft = std::mem::take(&mut self.draft);
        draft.clear();
        self.memory.forget_touches();
        let mut notes = Notes { sink, state, draft: &mut draft, faulty: false };
        let mut run = Run { only: None, sink: &mut notes, edges: 0 };
        outcome.flow = self.explore(pid, &mut run);
        outcome.edges += run.edges;
        if outcome.flow.is_continue()
            && !notes.faulty
            && let Some(touched) = self.memory.touches()
        {
            memo.learn(pid, state, touched, &mut draft);
        }
        self.draft = draft;
    }
}
