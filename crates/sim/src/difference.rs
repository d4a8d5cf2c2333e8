//! What changed between two states.

use std::collections::BTreeMap;
use std::fmt;

use exeunt_model::{StateView, Variable};

/// Something that has another value than before; `None` is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub what: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => write!(f, "{}: {after} (was {before})", self.what),
            (None, Some(after)) => write!(f, "{}: {after} (new)", self.what),
            (before, _) => {
                let before = before.as_deref().unwrap_or("?");
                let now = if before.starts_with(HELD) { "held by nobody" } else { "gone" };
                write!(f, "{}: {now} (was {before})", self.what)
            }
        }
    }
}

/// What is said of a lock that somebody holds.
const HELD: &str = "held by ";

/// All changes, in the order of their names.
pub fn changes(before: &StateView, after: &StateView) -> Vec<Change> {
    let (old, new) = (facts(before), facts(after));
    let mut changes = Vec::new();
    for (what, value) in &new {
        if old.get(what) != Some(value) {
            let (before, after) = (old.get(what).cloned(), Some(value.clone()));
            changes.push(Change { what: what.clone(), before, after });
        }
    }
    for (what, value) in old {
        if !new.contains_key(&what) {
            changes.push(Change { what, before: Some(value), after: None });
        }
    }
    changes
}

/// Everything in a state by name.
fn facts(view: &StateView) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    let mut add = |prefix: &str, variables: &[Variable]| {
        for variable in variables {
            facts.insert(format!("{prefix}{}", variable.name), variable.value.clone());
        }
    };
    add("", &view.globals);
    for object in &view.objects {
        add(&format!("{} #{}: ", object.name, object.id & 0xffff), &object.parts);
    }
    for actor in &view.actors {
        let who = view.noun.call(actor.actor);
        for frame in &actor.frames {
            add(&format!("{who}, {}: ", frame.function), &frame.locals);
        }
        add(&format!("{who}: "), &actor.own);
    }
    for actor in &view.actors {
        let status = match (&actor.waits, actor.ended) {
            (_, true) => "has ended".to_string(),
            (Some(wait), false) => wait.text.clone(),
            (None, false) => "can move".to_string(),
        };
        facts.insert(view.noun.call(actor.actor), status);
    }
    // One that nobody holds or waits for may be listed or not.
    for lock in view.locks.iter().filter(|lock| !lock.owners.is_empty()) {
        let owners = view.noun.call_all(&lock.owners);
        facts.insert(format!("{} {}", lock.kind, lock.name), format!("{HELD}{owners}"));
    }
    for channel in &view.channels {
        facts.insert(channel.name.clone(), format!("[{}]", channel.messages.join(" | ")));
    }
    facts
}
