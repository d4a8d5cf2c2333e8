//! A state as people look at it: what actors are doing, what variables have for
//! values, who holds what and who waits for it. Plain data; machines fill in what
//! they know.

use crate::{ActorId, ActorView, Location, Noun, SectionKind};

/// All that can be looked at in one state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateView {
    pub noun: Noun,
    pub actors: Vec<ActorState>,
    pub globals: Vec<Variable>,
    /// Memory that was allocated and not freed.
    pub objects: Vec<Object>,
    pub locks: Vec<Lock>,
    pub channels: Vec<Channel>,
    pub sections: Vec<SectionState>,
}

/// What one actor is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActorState {
    pub actor: ActorId,
    pub name: String,
    pub ended: bool,
    /// The calls it is in, innermost first. A process has one.
    pub frames: Vec<FrameState>,
    /// Variables of which each thread has its own: `thread_local`, `_Thread_local`.
    pub own: Vec<Variable>,
    /// What it waits for, if it cannot move.
    pub waits: Option<Wait>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameState {
    pub function: String,
    pub location: Option<Location>,
    pub locals: Vec<Variable>,
}

/// Why an actor cannot move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wait {
    /// "waits for mutex `m`, held by thread 2"
    pub text: String,
    /// The actors that could let it go on, as far as that is known.
    pub on: Vec<ActorId>,
}

/// A variable, member or element with its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub value: String,
    /// The object that it points to, as an index of [`StateView::objects`].
    pub target: Option<usize>,
}

/// An object of the heap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// A number that it keeps as long as it lives.
    pub id: u64,
    /// "heap memory allocated at line 12"
    pub name: String,
    pub parts: Vec<Variable>,
}

/// Something that actors hold and wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    /// What it is: "mutex", "condition"…
    pub kind: &'static str,
    pub name: String,
    pub owners: Vec<ActorId>,
    pub waiters: Vec<ActorId>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Channel {
    pub name: String,
    pub capacity: u32,
    pub messages: Vec<String>,
}

/// A section that an actor is inside of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionState {
    pub actor: ActorId,
    pub kind: SectionKind,
    pub name: String,
}

impl StateView {
    /// What is known where a machine only describes actors and variables.
    pub fn of(noun: Noun, actors: Vec<ActorView>, variables: Vec<(String, String)>) -> StateView {
        let actor = |view: ActorView| ActorState {
            actor: view.actor,
            ended: view.ended,
            frames: vec![FrameState {
                function: view.name.clone(),
                location: view.location,
                locals: Vec::new(),
            }],
            name: view.name,
            own: Vec::new(),
            waits: view.blocked.map(|text| Wait { text, on: Vec::new() }),
        };
        let variable = |(name, value)| Variable { name, value, target: None };
        StateView {
            noun,
            actors: actors.into_iter().map(actor).collect(),
            globals: variables.into_iter().map(variable).collect(),
            ..StateView::default()
        }
    }
}
