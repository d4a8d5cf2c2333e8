//! What a state of the graph looks like to those who walk through it: the program is run along the path
//! on which the state was seen first, and says where its threads stand and what its variables have for values.

use std::sync::Arc;

use exeunt_model::{ActorId, ActorView, Location, Move, OpenSection, Schedule, StateView};

use super::{Goal, Graph, Out};
use crate::look::Looks;
use crate::story;
use crate::symbols::plain;
use crate::wording::Waits;

/// A thread before its next operation.
pub(crate) struct Standing {
    pub(crate) actor: ActorId,
    pub(crate) name: String,
    pub(crate) location: Option<Location>,
    /// The operation: "locks `forks[1]`".
    pub(crate) next: String,
    /// What it waits for if it cannot go on.
    pub(crate) waits: Option<Waits>,
}

/// A state of the program.
#[derive(Default)]
pub(crate) struct Scene {
    pub(crate) standings: Vec<Standing>,
    pub(crate) view: StateView,
}

impl Graph {
    /// Has its workers say what threads do. Each state that is shown costs a run of the program.
    pub fn telling(mut self) -> Graph {
        self.tells = true;
        self
    }

    /// Where the threads stand in a state, and what there is to be seen; nothing if that is not asked for.
    pub(crate) fn scene(&self, id: u32) -> Arc<Scene> {
        if !self.tells {
            return Arc::default();
        }
        if let Some(known) = self.lock().scenes.get(&id) {
            return Arc::clone(known);
        }
        let schedule = self.way(id);
        let told = story::tell_looking(&self.program, &schedule, &self.options, Looks::AtTheEnd);
        let scene = told.map_or_else(
            |_| Scene::default(),
            |mut it| Scene {
                view: it.trace.states.pop().unwrap_or_default(),
                standings: it.standings(),
            },
        );
        let scene = Arc::new(scene);
        self.lock().scenes.insert(id, Arc::clone(&scene));
        scene
    }

    /// What a section is about, where states are told: the lock that is held, or what is waited for.
    pub(crate) fn named(&self, id: u32, section: &OpenSection) -> Option<String> {
        if !self.tells {
            return None;
        }
        if section.kind.is_held() {
            let place = section.slot & ((1 << 48) - 1);
            return self.lock().symbols.name(place).map(|(name, ..)| plain(&name));
        }
        let scene = self.scene(id);
        let own = scene.standings.iter().find(|standing| standing.actor == section.actor)?;
        own.waits.as_ref().map(|waits| waits.name.clone())
    }

    /// The path on which a state was seen first.
    fn way(&self, id: u32) -> Schedule {
        let inner = self.lock();
        let (mut moves, mut at) = (Vec::new(), id);
        while let Some((before, step)) = inner.ways.get(&at) {
            moves.push(step.clone());
            at = *before;
        }
        moves.reverse();
        Schedule { moves }
    }

    /// The threads of a state, with what they wait for. A thread that neither can move nor waits has ended.
    pub(crate) fn actors(&self, id: u32) -> Vec<ActorView> {
        let edges = self.edges(id);
        let view = |standing: &Standing| {
            let moves = edges.iter().any(|out| out.actor == standing.actor);
            ActorView {
                actor: standing.actor,
                name: standing.name.clone(),
                location: standing.location.clone(),
                callers: Vec::new(),
                blocked: standing
                    .waits
                    .as_ref()
                    .filter(|_| !moves)
                    .map(|waits| waits.clause.clone()),
                ended: !moves && standing.waits.is_none(),
            }
        };
        self.scene(id).standings.iter().map(view).collect()
    }
}

/// The move that a step is.
pub(super) fn step(out: &Out) -> Move {
    let choices = if out.arity > 1 { vec![out.choice] } else { Vec::new() };
    Move { actor: out.actor, choices, withheld: false, turn: 0 }
}

/// The state that a step leads to.
pub(super) fn target(out: &Out) -> Option<u32> {
    match out.goal {
        Goal::State(id) => Some(id),
        Goal::Ended(_) | Goal::Fault(_) | Goal::Unsupported(_) => None,
    }
}
