//! Guided walks: one path through the model, which a rule chooses, and all that is reachable from its end.
//!
//! A walk goes far into a program for few states, where a search in depth has its first
//! paths differ only at their ends. Three rules choose who moves: priorities that change at a few random steps
//! (Burckhardt, Kothari, Musuvathi, Nagarakatte: "A Randomized Scheduler with Probabilistic
//! Guarantees of Finding Bugs", 2010), chance, and the wish that few others can move then: where more
//! actors are blocked, what is stuck is near.
//!
//! Each state gets one more component: how far the walk is, who moved last and for how long, and who
//! has lost its priority. From the end of the walk on it is always the same.
//!
//! Invariant: a walk is a path of the model, so faults and deadlocks are real. What lies beside it
//! counts as dropped, so only states behind its end, which have all their moves, can be
//! called stuck. A walk is a function of its plan: two of the same plan are the same.

use std::ops::ControlFlow;

use exeunt_model::{
    ActorId, CompId, Detail, Edge, Facts, LeftOut, Only, OpenSection, Pool, Reduce, SearchWorker,
    Session, SessionAround, Sink, StateStatus, Target, Worker,
};
use smallvec::SmallVec;

use super::tail::{Initial, hand_on, split, tailed};

/// Who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The actor with the highest priority, which the moving one loses so many times.
    Priorities { changes: u32 },
    /// Any, with equal chances.
    Chance,
    /// The one after whose move the fewest actors can move.
    Crowd,
}

/// One walk.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub rule: Rule,
    pub seed: u64,
    /// Steps, after which nothing is left out any more.
    pub length: u32,
}

/// So many steps in a row cost an actor its priority: it may be waiting in a loop.
const PATIENCE: u32 = 64;

/// Another session whose states are those of a walk, and those behind it.
pub struct GuidedWalk<'m> {
    inner: &'m mut dyn Session,
    plan: Plan,
}

impl<'m> GuidedWalk<'m> {
    pub fn new(inner: &'m mut dyn Session, plan: Plan) -> Self {
        GuidedWalk { inner, plan }
    }
}

impl SessionAround for GuidedWalk<'_> {
    fn inner(&self) -> &dyn Session {
        &*self.inner
    }

    fn inner_mut(&mut self) -> &mut dyn Session {
        &mut *self.inner
    }

    fn facts_around(&self) -> Facts {
        Facts { left_out: LeftOut::None, has_turns: false, ..self.inner.facts() }
    }

    fn worker_around<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        let inner = self.inner.worker(pool);
        Box::new(Walker { plan: self.plan, pool, inner, out: Vec::new() })
    }

    fn left_out(&self) -> Option<String> {
        Some("only one schedule was followed".to_string())
    }

    fn forget(&mut self) {}
}

/// What the component of a state says; `None` behind the end of the walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Past {
    steps: u32,
    last: Option<ActorId>,
    /// Steps of the last actor in a row.
    row: u32,
    /// Who has lost its priority, the last one last.
    behind: SmallVec<[ActorId; 8]>,
}

const AT_LARGE: u64 = u64::MAX;

fn decode(words: &[u64]) -> Option<Past> {
    (words[0] != AT_LARGE).then(|| Past {
        steps: words[0] as u32,
        last: ((words[0] >> 32) as u32).checked_sub(1).map(ActorId),
        row: words[1] as u32,
        behind: words[2..].iter().map(|&word| ActorId(word as u32)).collect(),
    })
}

fn encode(past: Option<&Past>) -> SmallVec<[u64; 4]> {
    let Some(past) = past else { return SmallVec::from_slice(&[AT_LARGE]) };
    let last = past.last.map_or(0, |actor| actor.0 + 1);
    let first = past.steps as u64 | (last as u64) << 32;
    let behind = past.behind.iter().map(|actor| actor.0 as u64);
    [first, past.row as u64].into_iter().chain(behind).collect()
}

impl Plan {
    /// A random number for a purpose, which is the same each time.
    fn random(&self, purpose: u64, number: u64) -> u64 {
        let mut mixed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ purpose << 56 ^ number;
        for _ in 0..2 {
            mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        }
        mixed ^ mixed >> 31
    }

    /// Whether the moving actor loses its priority in this step.
    fn changes_at(&self, step: u32) -> bool {
        let Rule::Priorities { changes } = self.rule else { return false };
        let length = self.length.max(1) as u64;
        (0..changes as u64).any(|change| self.random(1, change) % length == step as u64)
    }

    fn priority(&self, past: &Past, actor: ActorId) -> (bool, u64) {
        match past.behind.iter().position(|&other| other == actor) {
            Some(at) => (false, u64::MAX - at as u64),
            None => (true, self.random(2, actor.0 as u64)),
        }
    }

    /// What comes behind a step; `still` if it led nowhere.
    fn after(&self, past: &Past, actor: ActorId, still: bool) -> Option<Past> {
        let row = if past.last == Some(actor) { past.row + 1 } else { 1 };
        let mut next = Past { steps: past.steps + 1, last: Some(actor), row, ..past.clone() };
        if still || row >= PATIENCE || self.changes_at(past.steps) {
            next.behind.retain(|other| *other != actor);
            next.behind.push(actor);
            next.row = 0;
        }
        (next.steps < self.length).then_some(next)
    }
}

struct Walker<'a> {
    plan: Plan,
    pool: &'a dyn Pool,
    inner: Box<dyn SearchWorker + 'a>,
    out: Vec<CompId>,
}

/// The moves of a state that cannot be withheld: who makes them, and where the first of each
/// actor leads.
#[derive(Default)]
struct Moves {
    actors: Vec<(ActorId, u64)>,
    targets: Vec<Option<Vec<CompId>>>,
    /// Targets are wanted.
    looks: bool,
}

impl Sink for Moves {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if edge.withheld {
            return ControlFlow::Continue(());
        }
        match self.actors.last_mut().filter(|(actor, _)| *actor == edge.actor) {
            Some((_, count)) => *count += 1,
            None => {
                self.actors.push((edge.actor, 1));
                let Target::State(state) = target else {
                    self.targets.push(None);
                    return ControlFlow::Continue(());
                };
                self.targets.push(self.looks.then(|| state.to_vec()));
            }
        }
        ControlFlow::Continue(())
    }
}

/// One of the moves of a state: an actor, and which of its edges.
#[derive(Clone, Copy)]
struct Chosen {
    actor: ActorId,
    edge: u64,
}

impl Walker<'_> {
    /// The next move of the walk; `None` if nobody can move.
    fn choose(&mut self, state: &[CompId], past: &Past) -> Option<Chosen> {
        let plan = self.plan;
        let mut moves = Moves { looks: plan.rule == Rule::Crowd, ..Moves::default() };
        self.inner.expand(state, Detail::Targets, None, &mut moves);
        let chance = plan.random(3, past.steps as u64);
        let chosen = match plan.rule {
            _ if moves.actors.is_empty() => return None,
            Rule::Chance => chance as usize % moves.actors.len(),
            Rule::Priorities { .. } => {
                let priority = |&at: &usize| plan.priority(past, moves.actors[at].0);
                (0..moves.actors.len()).max_by_key(priority)?
            }
            Rule::Crowd => self.least_followed(&moves, chance),
        };
        let (actor, edges) = moves.actors[chosen];
        Some(Chosen { actor, edge: plan.random(4, past.steps as u64) % edges })
    }

    /// The actor after whose move the fewest can move, any of them if there are several.
    fn least_followed(&mut self, moves: &Moves, chance: u64) -> usize {
        let mut least = (usize::MAX, 0);
        let count = moves.targets.len();
        for at in (0..count).map(|at| (at + chance as usize % count) % count) {
            let movers = match &moves.targets[at] {
                Some(target) => {
                    let mut next = Moves::default();
                    self.inner.expand(target, Detail::Targets, None, &mut next);
                    next.actors.len()
                }
                // It fails.
                None => 0,
            };
            if movers < least.0 {
                least = (movers, at);
            }
        }
        least.1
    }
}

/// Hands the chosen edge on, and drops the others; all if none is chosen.
struct Handing<'s> {
    sink: &'s mut dyn Sink,
    pool: &'s dyn Pool,
    out: &'s mut Vec<CompId>,
    plan: Plan,
    past: Option<&'s Past>,
    state: &'s [CompId],
    chosen: Option<Chosen>,
    /// All that is asked for.
    only: Option<Only<'s>>,
    /// Edges of the chosen actor so far.
    seen: u64,
}

impl Sink for Handing<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if let Some(chosen) = self.chosen {
            let mine = edge.actor == chosen.actor && !edge.withheld;
            let number = self.seen;
            self.seen += u64::from(mine);
            if !mine || number != chosen.edge {
                return match self.only {
                    None => self.sink.edge(edge, Target::Dropped),
                    Some(_) => ControlFlow::Continue(()),
                };
            }
            if self.only.is_some_and(|only| !is_asked_for(edge, only)) {
                return ControlFlow::Continue(());
            }
        }
        let still = matches!(target, Target::State(vector) if vector == self.state);
        let next = self.past.and_then(|past| self.plan.after(past, edge.actor, still));
        hand_on(self.sink, edge, target, || self.pool.intern(&encode(next.as_ref())), self.out)
    }
}

fn is_asked_for(edge: &Edge<'_>, only: Only<'_>) -> bool {
    let choices = edge.choices.iter().map(|choice| choice.value);
    edge.actor == only.actor && !only.withheld && choices.eq(only.choices.iter().copied())
}

impl Worker for Walker<'_> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        let tail = self.pool.intern(&encode(Some(&Past::default())));
        self.inner.initial(&mut Initial { sink, tail });
    }

    fn expand(
        &mut self,
        state: &[CompId],
        detail: Detail,
        only: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus {
        let (state, tail) = split(state);
        let past = decode(self.pool.get(tail));
        let chosen = past.as_ref().and_then(|past| self.choose(state, past));
        let Walker { plan, pool, inner, out } = self;
        let (plan, pool, past) = (*plan, *pool, past.as_ref());
        let mut handing = Handing { sink, pool, out, plan, past, state, chosen, only, seen: 0 };
        // Which edge is the chosen one is known by its number, so all are looked at.
        let asked = only.filter(|_| chosen.is_none());
        inner.expand(state, detail, asked, &mut handing)
    }

    fn open_sections(&mut self, state: &[CompId], out: &mut Vec<OpenSection>) {
        self.inner.open_sections(split(state).0, out);
    }
}

tailed!(Walker);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_past_is_read_as_it_was_written() {
        let behind = SmallVec::from_slice(&[ActorId(3), ActorId(0)]);
        let past = Past { steps: 70_000, last: Some(ActorId(2)), row: 5, behind };
        assert_eq!(decode(&encode(Some(&past))), Some(past));
        assert_eq!(decode(&encode(Some(&Past::default()))), Some(Past::default()));
        assert_eq!(decode(&encode(None)), None);
    }

    #[test]
    fn an_actor_that_stays_in_place_lets_others_go_first() {
        let plan = Plan { rule: Rule::Priorities { changes: 0 }, seed: 1, length: 100 };
        let past = plan.after(&Past::default(), ActorId(1), true).expect("it goes on");
        assert!(plan.priority(&past, ActorId(1)) < plan.priority(&past, ActorId(0)));
        let past = plan.after(&past, ActorId(0), true).expect("it goes on");
        assert!(plan.priority(&past, ActorId(0)) < plan.priority(&past, ActorId(1)));
    }
}
