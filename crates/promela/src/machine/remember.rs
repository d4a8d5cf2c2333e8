//! Expanding states with the help of what was executed before.

use std::ops::ControlFlow;

use exeunt_model::{ActorId, Change, CompId, Edge, Sink, Target, Turn};

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
        while let Some(told) = memo.next_edge(&mut edges) {
            outcome.edges += 1;
            let edge = Edge {
                actor,
                choices: told.choices,
                withheld: false,
                reopens: told.reopens,
                turn: Turn::default(),
                events: &[],
            };
            let room = &mut self.vector;
            outcome.flow = if told.length == state.len() {
                let (name, changes) = (told.name, told.changes);
                sink.again(&edge, &mut Change { name, state, changes, room })
            } else {
                told.target(state, room);
                sink.edge(&edge, Target::State(room))
            };
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

#[cfg(test)]
mod tests {
    use exeunt_model::{Detail, Worker};
    use exeunt_search::ComponentPool;

    use super::*;
    use crate::{PromelaOptions, load};

    #[derive(Default)]
    struct Targets(Vec<Vec<CompId>>);

    impl Sink for Targets {
        fn edge(&mut self, _: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
            if let Target::State(state) = target {
                self.0.push(state.to_vec());
            }
            ControlFlow::Continue(())
        }
    }

    /// Forgetting everything in the middle of an expansion is no reason to
    /// lose or invent an edge.
    #[test]
    fn a_memo_that_is_full_forgets() {
        let path = std::env::temp_dir().join(format!("exeunt-full-{}.pml", std::process::id()));
        let text = "byte a[3]; active [3] proctype p() { do :: a[_pid] < 9 -> a[_pid]++ \
                    :: a[(_pid + 1) % 3] > 4 -> a[_pid] = 0 od }";
        std::fs::write(&path, text).expect("writing a test model");
        let model = load(&path, &PromelaOptions::default()).expect("a model");
        std::fs::remove_file(&path).expect("removing it");
        for limit in [40, 100, 1000] {
            let pool = ComponentPool::new();
            let mut machine = Machine::new(&model, &pool);
            machine.memo = Some(Box::new(Memo::with_limit(limit)));
            let mut first = Targets::default();
            machine.initial(&mut first);
            let mut seen = first.0.clone();
            let mut next = 0;
            while next < seen.len().min(500) {
                let state = seen[next].clone();
                next += 1;
                let (mut plain, mut told) = (Targets::default(), Targets::default());
                machine.expand(&state, Detail::Targets, None, &mut plain);
                machine.expand(&state, Detail::Story, None, &mut told);
                assert_eq!(plain.0, told.0);
                seen.extend(
                    plain.0.into_iter().filter(|state| !seen.contains(state)).collect::<Vec<_>>(),
                );
            }
            assert!(next > 300);
        }
    }
}
