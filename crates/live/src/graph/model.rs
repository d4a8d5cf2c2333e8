//! The graph of a native program at the waist: a model whose states have
//! one component, their number.
//!
//! What threads do in words is not said here. Whoever tells a story runs the
//! program along the schedule again, with its debug information at hand.

use std::ops::ControlFlow;

use exeunt_model::{
    Account, ActorId, ActorView, Choice, ChoiceKind, CompId, Describe, Detail, Edge, Event, Facts,
    Fault, FixedModel, LeftOut, Location, Noun, Only, OpenSection, Pool, Property, Reduce,
    SearchWorker, SectionView, Sink, StateStatus, StateView, Target, Turn, Watcher, Worker,
};

use super::{ENDED, Goal, Graph, Out};

impl FixedModel for Graph {
    fn facts(&self) -> Facts {
        Facts {
            may_choose: true,
            has_sections: true,
            left_out: LeftOut::None,
            has_turns: false,
            abstraction: None,
        }
    }

    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        Box::new(Hand { graph: self, pool })
    }

    fn watcher<'a>(&'a self, pool: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>> {
        Some(Box::new(Eye { graph: self, pool }))
    }
}

fn number(pool: &dyn Pool, state: &[CompId]) -> u32 {
    pool.get(state[0])[0] as u32
}

struct Hand<'g> {
    graph: &'g Graph,
    pool: &'g dyn Pool,
}

impl Hand<'_> {
    /// What a step from a state does, in words if they are asked for.
    fn did(&self, from: Option<u32>, out: &Out) -> Event {
        let scene = from.map(|id| self.graph.scene(id)).unwrap_or_default();
        let standing = scene.standings.iter().find(|standing| standing.actor == out.actor);
        let text = standing.map_or("moves", |standing| &standing.next);
        let location = standing.and_then(|standing| standing.location.clone());
        let location = location.unwrap_or_else(|| Location::in_function(""));
        Event::Did { location, text: text.into() }
    }

    fn give(
        &self,
        from: Option<u32>,
        out: &Out,
        detail: Detail,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let environment = ChoiceKind::Environment;
        let choice = Choice { kind: environment, arity: out.arity, value: out.choice };
        let choices = if out.arity > 1 { std::slice::from_ref(&choice) } else { &[] };
        let did = (detail != Detail::Targets).then(|| self.did(from, out));
        let events = did.as_slice();
        let (actor, reopens) = (out.actor, out.reopens);
        let edge = Edge { actor, choices, withheld: false, reopens, turn: Turn::default(), events };
        match &out.goal {
            Goal::State(id) => {
                let state = [self.pool.intern(&[u64::from(*id), 0])];
                sink.edge(&edge, Target::State(&state))
            }
            Goal::Ended(letter) => {
                let state = [self.pool.intern(&[u64::from(ENDED), *letter])];
                sink.edge(&edge, Target::State(&state))
            }
            Goal::Fault(fault) => sink.edge(&edge, Target::Fault(fault)),
            Goal::Unsupported(what) => sink.edge(&edge, Target::Unsupported(what)),
        }
    }
}

impl Worker for Hand<'_> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        let first = self.graph.lock().first.clone();
        if let Some(out) = first {
            let _ = self.give(None, &out, Detail::Targets, sink);
        }
    }

    fn expand(
        &mut self,
        state: &[CompId],
        detail: Detail,
        only: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus {
        let id = number(self.pool, state);
        if id == ENDED {
            return StateStatus::Ended;
        }
        let wanted = |out: &&Out| {
            only.is_none_or(|only| {
                let value = only.choices.first().copied().unwrap_or(0);
                (only.actor, value) == (out.actor, out.choice)
            })
        };
        for out in self.graph.edges(id).iter().filter(wanted) {
            if self.give(Some(id), out, detail, sink).is_break() {
                break;
            }
        }
        StateStatus::Running
    }

    fn open_sections(&mut self, state: &[CompId], out: &mut Vec<OpenSection>) {
        out.extend(&self.graph.info(number(self.pool, state)).sections);
    }
}

exeunt_model::never_reduces!(impl Reduce for Hand<'_>);

impl Describe for Hand<'_> {
    fn noun(&self) -> Noun {
        Noun::Thread
    }

    fn view(&mut self, state: &[CompId]) -> Vec<ActorView> {
        let id = number(self.pool, state);
        if self.graph.tells && id != ENDED {
            return self.graph.actors(id);
        }
        let info = self.graph.info(id);
        let mut actors: Vec<ActorId> = info.sections.iter().map(|one| one.actor).collect();
        actors.dedup();
        let view = |actor| ActorView {
            actor,
            name: String::new(),
            location: None,
            callers: Vec::new(),
            blocked: None,
            ended: false,
        };
        actors.into_iter().map(view).collect()
    }

    fn describe_section(&mut self, state: &[CompId], section: &OpenSection) -> SectionView {
        let known = self.graph.lock().names.get(&section.slot).map(ToString::to_string);
        let name = known.or_else(|| self.graph.named(number(self.pool, state), section));
        // A lock is known by its address until its story is told.
        let name = name.unwrap_or_else(|| format!("{:x}", section.slot & ((1 << 48) - 1)));
        SectionView { name, ..SectionView::default() }
    }

    fn snapshot(&mut self, state: &[CompId]) -> StateView {
        let id = number(self.pool, state);
        match self.graph.tells && id != ENDED {
            true => self.graph.scene(id).view.clone(),
            false => StateView::of(self.noun(), self.view(state), Vec::new()),
        }
    }

    fn variables(&mut self, state: &[CompId]) -> Vec<(String, String)> {
        let globals = self.snapshot(state).globals;
        globals.into_iter().map(|variable| (variable.name, variable.value)).collect()
    }
}

impl Account for Hand<'_> {
    fn sections_opened(&self) -> u64 {
        0
    }

    fn section_sites(&self) -> Vec<u64> {
        Vec::new()
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn carry(&self, state: &[CompId], from: &dyn Pool, to: &dyn Pool) -> Vec<CompId> {
        exeunt_model::carry_plain(state, from, to)
    }
}

struct Eye<'g> {
    graph: &'g Graph,
    pool: &'g dyn Pool,
}

impl Watcher for Eye<'_> {
    fn letter(&mut self, state: &[CompId]) -> Result<u64, Fault> {
        let wrong = self.graph.lock().wrong.clone();
        match (wrong, number(self.pool, state)) {
            (Some(why), _) => Err(Fault::new(Property::Ltl, why)),
            (None, ENDED) => Ok(self.pool.get(state[0])[1]),
            (None, id) => Ok(self.graph.info(id).letter),
        }
    }
}
