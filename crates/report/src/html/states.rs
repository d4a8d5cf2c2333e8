//! The states along a trace. Neighbouring states are nearly the same, so every part
//! is stored once, and every list of parts.

use std::collections::HashMap;

use exeunt_model::{ActorState, Object, StateView, Variable};
use serde::Serialize;
use serde_json::{Value, json};

use super::data::Files;

#[derive(Default, Serialize)]
pub(super) struct States {
    pool: Vec<Value>,
    lists: Vec<Vec<usize>>,
    /// Lists of actors, globals, objects, locks, channels and sections.
    states: Vec<[usize; 6]>,
}

pub(super) fn states(views: &[StateView], files: &mut Files<'_>) -> States {
    let mut store = Store::default();
    for view in views {
        let sections = view.sections.iter().map(
            |section| json!({ "a": section.actor.0, "k": section.kind.name(), "n": section.name }),
        );
        let channels = view.channels.iter().map(
            |channel| json!({ "n": channel.name, "c": channel.capacity, "m": channel.messages }),
        );
        let numbers = |actors: &[exeunt_model::ActorId]| -> Vec<u32> {
            actors.iter().map(|actor| actor.0).collect()
        };
        let locks = view.locks.iter().map(|lock| {
            json!({ "k": lock.kind, "n": lock.name, "o": numbers(&lock.owners), "w": numbers(&lock.waiters) })
        });
        let state = [
            store.list(view.actors.iter().map(|one| actor(one, files)).collect()),
            store.list(view.globals.iter().map(variable).collect()),
            store.list(view.objects.iter().map(object).collect()),
            store.list(locks.collect()),
            store.list(channels.collect()),
            store.list(sections.collect()),
        ];
        store.out.states.push(state);
    }
    store.out
}

/// Numbers what it has seen.
#[derive(Default)]
struct Store {
    out: States,
    parts: HashMap<String, usize>,
    known: HashMap<Vec<usize>, usize>,
}

impl Store {
    fn list(&mut self, values: Vec<Value>) -> usize {
        let list: Vec<usize> = values.into_iter().map(|value| self.part(value)).collect();
        let lists = &mut self.out.lists;
        *self.known.entry(list).or_insert_with_key(|list| {
            lists.push(list.clone());
            lists.len() - 1
        })
    }

    fn part(&mut self, value: Value) -> usize {
        let pool = &mut self.out.pool;
        *self.parts.entry(value.to_string()).or_insert_with(|| {
            pool.push(value);
            pool.len() - 1
        })
    }
}

fn actor(actor: &ActorState, files: &mut Files<'_>) -> Value {
    let frames: Vec<Value> = actor
        .frames
        .iter()
        .map(|frame| {
            let at = frame.location.as_ref().and_then(|at| files.place(at));
            let vars: Vec<Value> = frame.locals.iter().map(variable).collect();
            json!({ "n": frame.function, "at": at, "vars": vars })
        })
        .collect();
    let waits = actor.waits.as_ref().map(|wait| {
        let on: Vec<u32> = wait.on.iter().map(|actor| actor.0).collect();
        json!({ "t": wait.text, "on": on })
    });
    let own: Vec<Value> = actor.own.iter().map(variable).collect();
    json!({
        "a": actor.actor.0, "n": actor.name, "ended": actor.ended, "frames": frames, "own": own, "waits": waits,
    })
}

fn variable(variable: &Variable) -> Value {
    match variable.target {
        None => json!({ "n": variable.name, "v": variable.value }),
        Some(target) => json!({ "n": variable.name, "v": variable.value, "to": target }),
    }
}

fn object(object: &Object) -> Value {
    let parts: Vec<Value> = object.parts.iter().map(variable).collect();
    json!({ "id": object.id, "n": object.name, "parts": parts })
}
