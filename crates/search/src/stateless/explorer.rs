//! Runs a program under one schedule after another, so that every run that is
//! different in more than the order of independent steps is seen once.
//!
//! Optimal dynamic partial-order reduction with wake-up trees and sleep sets
//! (Abdulla, Aronis, Jonsson, Sagonas, 2017). We deviate in one thing: threads
//! can block. Reversing a race is only asked for if the later step is possible
//! without the earlier one and all that depends on it, which is looked up by
//! replaying the meaning of the operations; a step that never got its turn
//! because it was blocked or cut off races as if it had been the last one.

mod arrive;
mod cycles;
mod look;
mod marks;
mod pick;
mod races;
mod share;

use std::hash::{Hash, Hasher};
use std::ops::Range;

use exeunt_model::{
    Action, ActorId, Arrival, Director, End, Move, Operation, Property, Reply, Schedule, Step,
};
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::clock::Clock;
use super::objects::Objects;
use super::order::Order;
use super::pct::{Guarantee, Pct};
use super::relation::{are_apart, traces};
use super::tree::{self, Branch, Item, Key};
use marks::Marks;
pub use share::Claim;
use share::Share;

/// Which runs are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// One of each class of equivalent runs.
    Optimal,
    /// Every enabled step of every state but for sleep sets: also right where
    /// runs are cut off at a depth, so it finds a shortest schedule.
    Sleep,
    /// Run after run, until the caller has had enough. In about half of the runs each
    /// enabled thread moves with the same probability, at every step; the others
    /// follow priorities, so that something can be said about bugs of depth two.
    Random { seed: u64 },
    /// By priorities that change at few points, for bugs of a certain depth.
    Pct { seed: u64, depth: u32 },
    /// Every schedule with at most so many switches away from a thread that
    /// could have gone on.
    Preemptions(u32),
}

/// The depth of the bugs that random runs say something about if nobody asks for one.
const USUAL_DEPTH: u32 = 2;

/// How many steps an actor makes in a row if nothing else decides: in an
/// endless loop it must not keep the others from their first steps.
const PATIENCE: usize = 32;

/// How one run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// All threads ended, or the program exited.
    Ended(i32),
    Fault {
        property: Property,
        message: String,
    },
    /// These steps access the same memory and nothing orders them.
    Race {
        first: usize,
        second: usize,
    },
    /// No thread can move, and these have not ended.
    Deadlock(Vec<ActorId>),
    /// These threads wait for each other for ever; others ran on to the bound.
    Circle(Vec<ActorId>),
    /// The bound on the depth was reached.
    Bounded,
    /// Only steps that were explored elsewhere are left.
    Redundant,
    /// Another job explores what begins like this.
    Elsewhere,
    Unsupported(String),
    /// The program did not do again what it did before, at this step.
    Differs(usize),
}

#[derive(Clone, Debug)]
struct Actor {
    /// What it does next; `None` once it has ended.
    next: Option<Operation>,
    /// The clock of the step that created it.
    birth: Clock,
    steps: u32,
}

/// A step that was made.
#[derive(Clone, Debug)]
pub struct Event {
    pub key: Key,
    /// As it was made, with what became known by that.
    pub operation: Operation,
    reply: Reply,
    /// How many switches were preemptions, up to this step.
    preemptions: u32,
    /// As its thread announced it.
    announced: Operation,
    /// The number of the step among those of its actor, from one.
    ordinal: u32,
    clock: Clock,
    /// See [`traces`].
    traces: u64,
    spawned: Range<u32>,
    /// A hash of what the threads arrived at by it.
    arrivals: u64,
}

impl Event {
    /// What its order with others depends on: a thread that ended instead did less
    /// than it had announced.
    fn effective(&self) -> &Operation {
        if self.reply == Reply::Cancelled { &self.operation } else { &self.announced }
    }
}

/// A step that need not be made: it was made first, here or before.
#[derive(Clone, Copy, Debug)]
struct Asleep {
    key: Key,
    operation: Operation,
    /// That was in a state in which every step is explored.
    shared: bool,
}

/// What is known about the state before a step.
#[derive(Clone, Debug, Default)]
struct Node {
    sleep: Vec<Asleep>,
    tree: Vec<Branch>,
}

pub struct Explorer {
    strategy: Strategy,
    pub max_depth: usize,
    objects: Objects,
    actors: Vec<Actor>,
    pub events: Vec<Event>,
    /// Where the steps of each actor are among the events, if races are reversed.
    places: Vec<Vec<usize>>,
    nodes: Vec<Node>,
    /// Nodes to be used again.
    spare: Vec<Node>,
    /// How many of the events were made in the present run.
    position: usize,
    /// How many of the events were also in the run before: their races have
    /// been reversed already.
    known: usize,
    /// What the wake-up tree says about the state after the last event.
    carried: Vec<Branch>,
    beginning: Option<u64>,
    outcome: Option<RunEnd>,
    /// The last actor gave its turn away.
    yields: bool,
    /// Who knows what, if races are looked for.
    order: Option<Order>,
    /// Words of memory that were freed during the last step.
    freed: Vec<Range<u64>>,
    /// The reply to the last step.
    reply: Reply,
    /// The thread that ends the program: only that one still moves.
    exiting: Option<ActorId>,
    /// Priorities, if they decide.
    pct: Option<Pct>,
    /// They decide in the present run.
    prioritised: bool,
    /// A schedule with too many preemptions was left out.
    pub cut: bool,
    /// The steps to make, if they are given.
    script: Option<Vec<Key>>,
    /// A run may begin in a state of the run before.
    pub resumes: bool,
    /// States of the present run that later ones may begin with.
    marks: Marks,
    /// Which part of the runs is explored here.
    share: Option<Share>,
    /// The number of the next run, what is added to it, and the seed of random
    /// runs.
    run: u64,
    step: u64,
    first_seed: u64,
    pub transitions: u64,
}

impl Explorer {
    pub fn new(strategy: Strategy, max_depth: usize) -> Self {
        let pct = match strategy {
            Strategy::Pct { seed, depth } => Some(Pct::new(seed, depth)),
            Strategy::Random { seed } => Some(Pct::new(seed, USUAL_DEPTH)),
            Strategy::Optimal | Strategy::Sleep | Strategy::Preemptions(_) => None,
        };
        Explorer {
            pct,
            prioritised: false,
            cut: false,
            strategy,
            max_depth,
            objects: Objects::default(),
            actors: Vec::new(),
            events: Vec::new(),
            places: Vec::new(),
            nodes: Vec::new(),
            spare: Vec::new(),
            position: 0,
            known: 0,
            carried: Vec::new(),
            beginning: None,
            outcome: None,
            yields: false,
            order: None,
            freed: Vec::new(),
            reply: Reply::Done,
            exiting: None,
            script: None,
            resumes: true,
            marks: Marks::default(),
            share: None,
            run: 0,
            step: 1,
            first_seed: match strategy {
                Strategy::Random { seed } | Strategy::Pct { seed, .. } => seed,
                Strategy::Optimal | Strategy::Sleep | Strategy::Preemptions(_) => 0,
            },
            transitions: 0,
        }
    }

    /// Has runs with data races reported.
    pub fn watch_races(&mut self) {
        self.order = Some(Order::default());
    }

    /// An explorer that makes one run, along a schedule.
    pub fn following(schedule: &Schedule, max_depth: usize) -> Self {
        let key = |step: &Move| Key {
            actor: step.actor,
            choice: step.choices.first().copied().unwrap_or(0),
        };
        let script = Some(schedule.moves.iter().map(key).collect());
        Explorer { script, ..Explorer::new(Strategy::Optimal, max_depth) }
    }

    /// Before each run.
    pub fn begin(&mut self) {
        self.objects.reset();
        self.actors.clear();
        self.position = 0;
        self.outcome = None;
        self.yields = false;
        self.exiting = None;
        if let Some(order) = &mut self.order {
            order.reset();
        }
        self.seed();
    }

    /// What random runs say about bugs that they did not show.
    pub fn guarantee(&self) -> Option<Guarantee> {
        self.pct.as_ref().map(Pct::guarantee)
    }

    /// How the run that was made ended.
    pub fn outcome(&mut self) -> RunEnd {
        self.outcome.take().unwrap_or(RunEnd::Unsupported("the run stopped".to_string()))
    }

    /// Takes account of the run that was made and goes back to where another
    /// one must begin to differ; `false` if there is none.
    pub fn backtrack(&mut self) -> bool {
        match self.strategy {
            Strategy::Optimal => self.reverse_races(),
            Strategy::Sleep | Strategy::Preemptions(_) => {}
            Strategy::Random { .. } | Strategy::Pct { .. } => {
                if let Some(pct) = &mut self.pct {
                    pct.end(self.actors.len(), self.events.len(), self.prioritised);
                }
                self.events.clear();
                self.nodes.clear();
                return true;
            }
        }
        self.carried.clear();
        while let Some(event) = self.events.pop() {
            if let Some(places) = self.places.get_mut(event.key.actor.0 as usize) {
                places.pop();
            }
            self.drop_nodes(self.events.len() + 1);
            let shared = self.is_shared(self.events.len());
            let node = self.nodes.last_mut().expect("each event has a node before it");
            node.tree.retain(|branch| branch.key != event.key);
            let (key, operation) = (event.key, *event.effective());
            node.sleep.push(Asleep { key, operation, shared });
            if !node.tree.is_empty() {
                self.known = self.events.len();
                return true;
            }
        }
        false
    }

    /// Drops the nodes behind the first so many.
    fn drop_nodes(&mut self, left: usize) {
        for mut node in self.nodes.drain(left..) {
            node.sleep.clear();
            node.tree.clear();
            self.spare.push(node);
        }
    }

    fn is_enabled(&self, actor: ActorId) -> bool {
        if self.exiting.is_some_and(|exiting| exiting != actor) {
            return false;
        }
        let Some(operation) = &self.actors[actor.0 as usize].next else { return false };
        (self.joins_ended(operation) || self.objects.cancelled(operation))
            && self.objects.enabled(actor, operation)
    }

    /// Whether the threads that the operation waits for have ended.
    fn joins_ended(&self, operation: &Operation) -> bool {
        let joined = operation.accesses().iter().filter(|access| access.action == Action::Join);
        let mut targets = joined.map(|access| access.object.0 as usize);
        targets.all(|target| self.actors.get(target).is_some_and(|actor| actor.next.is_none()))
    }

    fn enabled(&self) -> SmallVec<[ActorId; 8]> {
        (0..self.actors.len() as u32).map(ActorId).filter(|&actor| self.is_enabled(actor)).collect()
    }

    /// Makes a step of the present run again.
    fn repeat(&mut self) -> Option<Step> {
        let event = &self.events[self.position];
        let (key, announced) = (event.key, event.announced);
        let reply = match self.objects.apply(key.actor, &announced) {
            Ok((reply, _)) => reply,
            Err(_) => return self.ended(RunEnd::Differs(self.position)),
        };
        self.actors[key.actor.0 as usize].steps += 1;
        self.position += 1;
        self.reply = reply;
        self.yields = reply == Reply::Busy || announced.everything;
        self.exiting = self.exiting.or(announced.exits.then_some(key.actor));
        Some(Step { actor: key.actor, reply: answer(&announced, key, reply) })
    }

    /// What happens before the next step of a thread that follows from its own past,
    /// if all events were made in the present run.
    fn clock_at(&self, actor: ActorId) -> &Clock {
        let at = actor.0 as usize;
        match self.places.get(at).and_then(|places| places.last()) {
            Some(last) => &self.events[*last].clock,
            None => &self.actors[at].birth,
        }
    }

    fn ended(&mut self, outcome: RunEnd) -> Option<Step> {
        self.outcome = Some(outcome);
        None
    }

    /// Makes a new step.
    fn advance(&mut self) -> Option<Step> {
        let is_new = self.nodes.len() == self.events.len();
        if is_new {
            let node = self.node();
            self.nodes.push(node);
        }
        // A wake-up tree holds possible steps only.
        let wakes = self.nodes.last().is_some_and(|node| !node.tree.is_empty());
        if !wakes && !self.is_able() {
            let left: Vec<ActorId> = self.unfinished().collect();
            let outcome = match left.is_empty() {
                true => RunEnd::Ended(0),
                false => RunEnd::Deadlock(left),
            };
            return self.ended(outcome);
        }
        if self.events.len() >= self.max_depth {
            let circle = self.circle();
            let outcome = circle.map_or(RunEnd::Bounded, RunEnd::Circle);
            return self.ended(outcome);
        }
        if let Some(script) = &self.script {
            return match script.get(self.events.len()).copied() {
                Some(key) if self.can_move(key.actor) => self.make(key),
                Some(_) => self.ended(RunEnd::Differs(self.position)),
                None => self.ended(self.circle().map_or(RunEnd::Bounded, RunEnd::Circle)),
            };
        }
        if matches!(self.strategy, Strategy::Random { .. } | Strategy::Pct { .. }) {
            let key = self.any(&self.enabled());
            return self.make(key);
        }
        if is_new && self.is_elsewhere() {
            return self.ended(RunEnd::Elsewhere);
        }
        match self.pick() {
            Some(key) => self.make(key),
            None => self.ended(RunEnd::Redundant),
        }
    }

    /// Whether some thread can move.
    fn is_able(&self) -> bool {
        (0..self.actors.len() as u32).any(|actor| self.is_enabled(ActorId(actor)))
    }

    /// The same for a thread that may not exist.
    fn can_move(&self, actor: ActorId) -> bool {
        (actor.0 as usize) < self.actors.len() && self.is_enabled(actor)
    }

    fn unfinished(&self) -> impl Iterator<Item = ActorId> + '_ {
        (0..self.actors.len() as u32)
            .map(ActorId)
            .filter(|actor| self.actors[actor.0 as usize].next.is_some())
    }

    fn make(&mut self, key: Key) -> Option<Step> {
        let index = key.actor.0 as usize;
        let preemptions = match self.strategy {
            Strategy::Preemptions(_) => self.preemptions_with(key.actor),
            Strategy::Optimal | Strategy::Sleep => 0,
            Strategy::Random { .. } | Strategy::Pct { .. } => 0,
        };
        let announced = self.actors[index].next.expect("only enabled steps are made");
        debug_assert!(self.is_enabled(key.actor), "wake-up trees hold possible steps only");
        let applied = self.objects.apply(key.actor, &announced);
        let operation = applied.as_ref().map_or(announced, |(_, operation)| *operation);
        let cancelled = applied.as_ref().is_ok_and(|(reply, _)| *reply == Reply::Cancelled);
        let effective = if cancelled { operation } else { announced };
        let reverses = self.script.is_none() && self.strategy == Strategy::Optimal;
        // Where nothing is reversed, nobody asks what happened before what.
        let mut clock = match reverses {
            false => Clock::default(),
            true => self.clock_of(key.actor, &effective),
        };
        let actor = &mut self.actors[index];
        actor.steps += 1;
        let ordinal = actor.steps;
        if reverses {
            clock.set(key.actor, ordinal);
            if self.places.len() <= index {
                self.places.resize_with(index + 1, Vec::new);
            }
            self.places[index].push(self.events.len());
        }
        let spawned = 0..0;
        let arrivals = 0;
        self.events.push(Event {
            key,
            operation,
            reply: applied.as_ref().map_or(Reply::Done, |(reply, _)| *reply),
            preemptions,
            announced,
            ordinal,
            clock,
            traces: traces(&announced) | traces(&operation),
            spawned,
            arrivals,
        });
        self.position += 1;
        self.transitions += !self.is_counted() as u64;
        match applied {
            Err(misuse) => self
                .ended(RunEnd::Fault { property: Property::Misuse, message: misuse.to_string() }),
            Ok((reply, _)) => {
                self.reply = reply;
                self.yields = reply == Reply::Busy || announced.everything;
                self.exiting = self.exiting.or(announced.exits.then_some(key.actor));
                Some(Step { actor: key.actor, reply: answer(&announced, key, reply) })
            }
        }
    }

    /// The first step of the run that a clock does not cover.
    fn first_unknown(&self, clock: &Clock) -> usize {
        let known = |at: usize| clock.steps(ActorId(at as u32)) as usize;
        let unknown = |(at, places): (usize, &Vec<usize>)| places.get(known(at)).copied();
        self.places.iter().enumerate().filter_map(unknown).min().unwrap_or(usize::MAX)
    }

    /// Everything that happens before a step that this actor makes now.
    fn clock_of(&self, actor: ActorId, operation: &Operation) -> Clock {
        let mut clock = self.clock_at(actor).clone();
        for access in operation.accesses() {
            let target = ActorId(access.object.0 as u32);
            if access.action == Action::Join && (target.0 as usize) < self.actors.len() {
                clock.join(self.clock_at(target));
            }
        }
        let traces = traces(operation);
        let mut first = self.first_unknown(&clock);
        for (index, event) in self.events.iter().enumerate().rev() {
            if index < first {
                break;
            }
            let Event { key, ordinal, operation: made, spawned, .. } = event;
            if !are_apart(event.traces, traces)
                && !clock.covers(key.actor, *ordinal)
                && tree::tied(key.actor, made, spawned, actor, operation)
            {
                clock.join(&event.clock);
                first = self.first_unknown(&clock);
            }
        }
        clock
    }
}

impl Director for Explorer {
    fn next(&mut self, arrivals: &[Arrival], end: Option<&End>) -> Option<Step> {
        let hash = hash_of(arrivals);
        let known = match self.position.checked_sub(1) {
            None => *self.beginning.get_or_insert(hash),
            Some(last) => {
                let event = &mut self.events[last];
                if event.arrivals == 0 {
                    event.arrivals = hash;
                }
                event.arrivals
            }
        };
        if known != hash {
            return self.ended(RunEnd::Differs(self.position));
        }
        let race = self.race(arrivals);
        self.absorb(arrivals);
        if let Some(race) = race {
            return self.ended(race);
        }
        match end {
            Some(End::Exited { code }) => self.ended(RunEnd::Ended(*code)),
            Some(End::Fault { property, message }) => {
                let (property, message) = (*property, message.clone());
                self.ended(RunEnd::Fault { property, message })
            }
            Some(End::Unsupported(what)) => self.ended(RunEnd::Unsupported(what.clone())),
            None if self.position < self.events.len() => self.repeat(),
            None => self.advance(),
        }
    }

    fn freed(&mut self, words: Range<u64>) {
        self.freed.push(words);
    }

    fn resumes(&mut self) -> usize {
        self.resume()
    }

    fn keeps(&mut self, cost: usize) -> bool {
        self.mark(cost)
    }
}

fn item(event: &Event) -> Item<'_> {
    Item { key: event.key, operation: &event.operation, spawned: &event.spawned }
}

/// What the thread is told: the choice, if the environment had one.
fn answer(operation: &Operation, key: Key, reply: Reply) -> Reply {
    if operation.arity > 1 { Reply::Value(key.choice) } else { reply }
}

/// Never zero, which stands for unknown.
fn hash_of(arrivals: &[Arrival]) -> u64 {
    let mut hasher = FxHasher::default();
    arrivals.hash(&mut hasher);
    hasher.finish() | 1
}
