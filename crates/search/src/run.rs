//! One run under one schedule, without storing anything.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use exeunt_model::{
    ActorId, CompId, Detail, Edge, Event, Fault, Session, Sink, StateStatus, Target, Unsupported,
};

use crate::store::ComponentPool;

/// How a run came to its end.
#[derive(Clone, Debug)]
pub enum Ending {
    Ended,
    Fault(Fault),
    Deadlock,
    Unsupported(Unsupported),
    Dropped,
    Interrupted,
}

/// Components kept before the pool is started afresh.
const POOL_LIMIT: usize = 1 << 14;

/// Runs a model once: the threads take turns, every choice is the first.
/// What happens is told to `observe` as it happens.
pub fn run(
    session: &dyn Session,
    interrupt: &AtomicBool,
    observe: &mut dyn FnMut(&Event),
) -> Ending {
    let mut kept: Option<(ComponentPool, Vec<CompId>)> = None;
    let mut turn = ActorId(0);
    loop {
        let (pool, carried) = kept.take().unzip();
        let pool = pool.unwrap_or_default();
        let mut worker = session.worker(&pool);
        let mut state = match carried {
            Some(state) => state,
            None => {
                let mut first = First { turn, chosen: None };
                worker.initial(&mut first);
                match first.chosen {
                    Some((_, Step::State(initial), _)) => initial,
                    Some((_, Step::End(ending), _)) => return ending,
                    None => return Ending::Dropped,
                }
            }
        };
        // A large state has many components to begin with.
        let most = POOL_LIMIT.max(2 * pool.len());
        while pool.len() < most {
            if interrupt.load(Ordering::Relaxed) {
                return Ending::Interrupted;
            }
            let mut first = First { turn, chosen: None };
            let status = worker.expand(&state, Detail::Output, None, &mut first);
            let Some((actor, step, events)) = first.chosen else {
                return match status {
                    StateStatus::Ended => Ending::Ended,
                    StateStatus::Running => Ending::Deadlock,
                };
            };
            events.iter().for_each(&mut *observe);
            match step {
                Step::State(next) => state = next,
                Step::End(ending) => return ending,
            }
            turn = ActorId(actor.0 + 1);
        }
        let fresh = ComponentPool::new();
        let state = worker.carry(&state, &pool, &fresh);
        kept = Some((fresh, state));
    }
}

enum Step {
    State(Vec<CompId>),
    End(Ending),
}

/// Takes the first edge of the actor whose turn it is, or of the next one
/// that can move.
struct First {
    turn: ActorId,
    chosen: Option<(ActorId, Step, Vec<Event>)>,
}

impl Sink for First {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if edge.withheld {
            return ControlFlow::Continue(());
        }
        let better = match &self.chosen {
            None => true,
            Some((actor, ..)) => *actor < self.turn && edge.actor >= self.turn,
        };
        if better {
            let step = match target {
                Target::State(vector) => Step::State(vector.to_vec()),
                Target::Fault(fault) => Step::End(Ending::Fault(fault.clone())),
                Target::Unsupported(what) => Step::End(Ending::Unsupported(what.clone())),
                Target::Dropped => Step::End(Ending::Dropped),
            };
            self.chosen = Some((edge.actor, step, edge.events.to_vec()));
        }
        if edge.actor >= self.turn { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
