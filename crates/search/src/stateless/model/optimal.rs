//! Models whose machine says what steps touch: one schedule of each class is run, and
//! none is begun in vain.
//!
//! Optimal dynamic partial-order reduction with wake-up trees and sleep sets (Abdulla,
//! Aronis, Jonsson, Sagonas: Source Sets: A Foundation for Optimal Dynamic Partial
//! Order Reduction, 2017), as for native programs (`explorer`). States are values here,
//! so whether a step is possible earlier is looked up by making it there. A move that the
//! environment may withhold, and a step that leads nowhere, is ordered with every other
//! step: what other actors do without it must be seen.
//!
//! Invariant: the frames are the states of the present schedule, and each event leads
//! from its frame to the next one.

use exeunt_model::{
    ActorId, CompId, Detail, Next, Schedule, SearchWorker, Session, StateStatus, Touched,
};

use crate::check::is_refuted;
use crate::limits::Meter;
use crate::store::{ComponentPool, StateStore};

use super::super::clock::Clock;
use super::{Count, Edges, Goal, Key, follow};

/// A step that was made.
struct Event {
    key: Key,
    touched: Touched,
    /// The number of the step among those of its actor, from one.
    ordinal: u32,
    clock: Clock,
    /// The actors that began by it, or could move again.
    enabled: Vec<ActorId>,
}

/// A step of a sequence.
#[derive(Clone)]
struct Item {
    key: Key,
    touched: Touched,
    enabled: Vec<ActorId>,
}

impl Item {
    /// Whether the order with a step of this actor matters.
    fn is_ordered(&self, actor: ActorId, touched: &Touched) -> bool {
        self.key.actor == actor || self.enabled.contains(&actor) || self.touched.conflicts(touched)
    }
}

/// A beginning of schedules that must still be run, as a tree.
struct Branch {
    key: Key,
    touched: Touched,
    children: Vec<Branch>,
}

/// A state of the present schedule.
struct Frame {
    state: Vec<CompId>,
    moves: Vec<(Key, Goal)>,
    /// Who has not ended, and what each is about to do.
    next: Vec<Next>,
    /// Steps that were run first, here or before.
    sleep: Vec<(Key, Touched)>,
    tree: Vec<Branch>,
}

impl Frame {
    /// What a move touches.
    fn touched(&self, key: &Key) -> Touched {
        let goal = self.moves.iter().find(|(other, _)| other == key).map(|(_, goal)| goal);
        let leads_on = goal.is_some_and(Goal::leads_on);
        match self.next.iter().find(|(actor, _)| *actor == key.actor) {
            Some((_, touched)) if leads_on && !key.withheld => touched.clone(),
            _ => Touched::everything(),
        }
    }

    fn is_asleep(&self, key: &Key) -> bool {
        self.sleep.iter().any(|(other, _)| other == key)
    }

    /// The moves of an actor that were not run and are not asked for.
    fn awake(&self, actor: ActorId) -> Vec<Key> {
        let mine = self.moves.iter().map(|(key, _)| key).filter(|key| key.actor == actor);
        let asked = |key: &Key| self.tree.iter().any(|branch| branch.key == *key);
        mine.filter(|key| !self.is_asleep(key) && !asked(key)).cloned().collect()
    }
}

struct Optimal<'w> {
    worker: &'w mut dyn SearchWorker,
    frames: Vec<Frame>,
    events: Vec<Event>,
    /// How many of the events were also in the schedule before: their races have been
    /// reversed already.
    known: usize,
    /// What the wake-up tree says about the next state.
    carried: Vec<Branch>,
}

/// How a step ended.
enum Made {
    On,
    /// The schedule ends here.
    Over,
    Violated(Schedule),
}

/// The schedule of the first violation; `None` in the outer option if the machine does
/// not say what steps touch.
pub(super) fn explore(
    session: &dyn Session,
    meter: &mut Meter<'_>,
    count: &mut Count,
) -> Option<Option<Schedule>> {
    let (pool, store) = (ComponentPool::new(), StateStore::new());
    let mut worker = session.worker(&pool);
    let mut first = Edges::default();
    worker.initial(&mut first);
    let Some((_, Goal::State(initial))) = first.0.pop() else { return None };
    if !worker.touched(&initial, &mut Vec::new()) {
        return None;
    }
    let mut optimal = Optimal {
        worker: &mut *worker,
        frames: Vec::new(),
        events: Vec::new(),
        known: 0,
        carried: Vec::new(),
    };
    if optimal.enter(initial, count) {
        return Some(Some(Schedule::default()));
    }
    loop {
        let over = match optimal.pick(count) {
            None => true,
            Some(key) => match optimal.make(key, meter, count) {
                Made::Violated(schedule) => return Some(Some(schedule)),
                Made::Over => true,
                Made::On => false,
            },
        };
        let depth = optimal.events.len() as u64;
        if meter.must_stop(depth, &store, &pool) || is_refuted(session) {
            return Some(None);
        }
        if over {
            optimal.reverse_races();
            if !optimal.backtrack() {
                return Some(None);
            }
        }
    }
}

impl Optimal<'_> {
    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("there is a state")
    }

    /// Goes on to a state. `true` if it is a deadlock.
    fn enter(&mut self, state: Vec<CompId>, count: &mut Count) -> bool {
        let mut edges = Edges::default();
        let status = self.worker.expand(&state, Detail::Targets, None, &mut edges);
        let mut moves = edges.0;
        let mut next = Vec::new();
        self.worker.touched(&state, &mut next);
        self.put_off(&mut moves, &next);
        if let (Some(event), Some(before)) = (self.events.last_mut(), self.frames.last()) {
            // What made a step possible comes before it, whatever else it touches: the end
            // of a thread is a part of its last step.
            let can_move = |moves: &[(Key, Goal)], actor: ActorId| {
                moves.iter().any(|(key, _)| key.actor == actor && !key.withheld)
            };
            let new = |actor: &ActorId| {
                !before.next.iter().any(|(other, _)| other == actor)
                    || (can_move(&moves, *actor) && !can_move(&before.moves, *actor))
            };
            event.enabled = next.iter().map(|(actor, _)| *actor).filter(new).collect();
        }
        let sleep = match (self.events.last(), self.frames.last()) {
            (Some(event), Some(before)) => {
                let item = item(event);
                let stays = |(key, touched): &&(Key, Touched)| !item.is_ordered(key.actor, touched);
                before.sleep.iter().filter(stays).cloned().collect()
            }
            _ => Vec::new(),
        };
        let real = |(key, goal): &(Key, Goal)| !key.withheld && !matches!(goal, Goal::Dropped);
        let dropped = moves.iter().any(|(_, goal)| matches!(goal, Goal::Dropped));
        let stuck = status == StateStatus::Running && !moves.iter().any(real) && !dropped;
        count.schedules += (moves.is_empty() && !stuck) as u64;
        let tree = std::mem::take(&mut self.carried);
        self.frames.push(Frame { state, moves, next, sleep, tree });
        stuck
    }

    /// Leaves out first steps of actors that only get as far as to their operation, and wait
    /// there: they are made together with the operation. If there are no others, they stay.
    fn put_off(&mut self, moves: &mut Vec<(Key, Goal)>, next: &[Next]) {
        let mut waits: Vec<ActorId> = Vec::new();
        for (actor, touched) in next {
            let begun = self.events.iter().any(|event| event.key.actor == *actor);
            let mut mine = moves.iter().filter(|(key, _)| key.actor == *actor);
            let (Some((_, goal)), None) = (mine.next(), mine.next()) else { continue };
            if !begun && self.only_waits(*actor, touched, goal) {
                waits.push(*actor);
            }
        }
        if moves.iter().any(|(key, _)| !key.withheld && !waits.contains(&key.actor)) {
            moves.retain(|(key, _)| !waits.contains(&key.actor));
        }
    }

    /// Whether the first step of an actor that is about to touch this only gets it there.
    fn only_waits(&mut self, actor: ActorId, touched: &Touched, goal: &Goal) -> bool {
        let Goal::State(state) = goal else { return false };
        if touched.announced {
            return false;
        }
        let (mut edges, mut later) = (Edges::default(), Vec::new());
        self.worker.touched(state, &mut later);
        if !later.iter().any(|(other, after)| *other == actor && after == touched) {
            return false;
        }
        self.worker.expand_some(state, &[actor], &mut edges);
        edges.0.is_empty()
    }

    /// The step to make: the one that a wake-up tree asks for, or any that is not asleep.
    /// All moves of its actor are run: others are choices of the environment.
    fn pick(&mut self, count: &mut Count) -> Option<Key> {
        let last = self.events.last().map(|event| event.key.actor);
        let frame = self.top();
        if frame.moves.is_empty() {
            return None;
        }
        let possible = |branch: &Branch| frame.moves.iter().any(|(key, _)| *key == branch.key);
        if !frame.tree.iter().all(possible) {
            // The machine said too little of what a step touches: run everything.
            frame.tree.clear();
            let mut actors: Vec<ActorId> = frame.moves.iter().map(|(key, _)| key.actor).collect();
            actors.dedup();
            actors.into_iter().for_each(|actor| frame.ask_for(actor));
        }
        if frame.tree.is_empty() {
            let actors = frame.moves.iter().map(|(key, _)| key.actor);
            let first = last.filter(|last| actors.clone().any(|actor| actor == *last));
            let actors: Vec<ActorId> = first.into_iter().chain(actors).collect();
            let actor = actors.into_iter().find(|actor| !frame.awake(*actor).is_empty());
            match actor {
                Some(actor) => frame.ask_for(actor),
                None => {
                    count.vain += 1;
                    return None;
                }
            }
        }
        let key = frame.tree[0].key.clone();
        frame.ask_for(key.actor);
        self.carried = std::mem::take(&mut self.top().tree[0].children);
        Some(key)
    }

    fn make(&mut self, key: Key, meter: &mut Meter<'_>, count: &mut Count) -> Made {
        let frame = self.frames.last().expect("there is a state");
        let goal = frame.moves.iter().find(|(other, _)| *other == key).map(|(_, goal)| goal);
        let goal = goal.expect("only possible moves are picked").clone();
        let touched = frame.touched(&key);
        let (ordinal, clock) = self.clock_of(key.actor, &touched);
        self.events.push(Event { key, touched, ordinal, clock, enabled: Vec::new() });
        count.steps += 1;
        let depth = self.events.len() as u64;
        count.deepest = count.deepest.max(depth);
        meter.transitions = count.steps;
        match goal {
            Goal::Fault => Made::Violated(self.schedule()),
            Goal::Dropped => Made::Over,
            Goal::Unsupported(what) => {
                if !count.unsupported.contains(&what) {
                    count.unsupported.push(what);
                }
                Made::Over
            }
            Goal::State(state) => {
                if self.frames.iter().any(|frame| frame.state == state) {
                    count.endless = true;
                    return Made::Over;
                }
                if meter.too_deep(depth) {
                    return Made::Over;
                }
                match self.enter(state, count) {
                    true => Made::Violated(self.schedule()),
                    false => Made::On,
                }
            }
        }
    }

    fn schedule(&self) -> Schedule {
        Schedule { moves: self.events.iter().map(|event| event.key.step()).collect() }
    }

    /// The number of the next step of an actor, and everything that happens before it.
    fn clock_of(&self, actor: ActorId, touched: &Touched) -> (u32, Clock) {
        let (steps, mut clock) = self.last_clock(actor, self.events.len());
        for event in self.events.iter().rev() {
            let known = clock.covers(event.key.actor, event.ordinal);
            let ordered = event.enabled.contains(&actor) || event.touched.conflicts(touched);
            if !known && ordered {
                clock.join(&event.clock);
            }
        }
        clock.set(actor, steps + 1);
        (steps + 1, clock)
    }

    /// How many of the first so many steps are of an actor, and what it knows by the last
    /// one, or by what made its first one possible.
    fn last_clock(&self, actor: ActorId, end: usize) -> (u32, Clock) {
        let events = || self.events[..end].iter();
        if let Some(last) = events().rfind(|event| event.key.actor == actor) {
            return (last.ordinal, last.clock.clone());
        }
        let birth = events().find(|event| event.enabled.contains(&actor));
        (0, birth.map(|event| event.clock.clone()).unwrap_or_default())
    }

    /// Asks for a schedule in which each race of this one goes the other way. A step that
    /// never got its turn races as if it had been the last one.
    fn reverse_races(&mut self) {
        for index in self.known..self.events.len() {
            let (key, touched) = {
                let event = &self.events[index];
                (event.key.clone(), event.touched.clone())
            };
            self.reverse_races_of(index, &key, &touched);
        }
        for (actor, touched) in self.left() {
            let key = Key { actor, choices: Vec::new(), withheld: false };
            self.reverse_races_of(self.events.len(), &key, &touched);
        }
    }

    /// The actors that have steps left which were not made.
    fn left(&self) -> Vec<Next> {
        let last = self.frames.last().expect("there is a state");
        let events = self.events.len();
        // The last step led nowhere, or the program ended with it.
        let ended = match self.frames.len() > events {
            true => last.next.is_empty().then(|| events.checked_sub(1)).flatten(),
            false => events.checked_sub(1),
        };
        match ended {
            Some(before) => {
                let mover = self.events[before].key.actor;
                let next = self.frames[before].next.iter();
                next.filter(|(actor, _)| *actor != mover).cloned().collect()
            }
            None => last.next.clone(),
        }
    }

    fn reverse_races_of(&mut self, end: usize, key: &Key, touched: &Touched) {
        let (_, before) = self.last_clock(key.actor, end);
        let mut races: Vec<usize> = Vec::new();
        for index in (0..end).rev() {
            let event = &self.events[index];
            let (actor, ordinal) = (event.key.actor, event.ordinal);
            let apart = actor == key.actor || before.covers(actor, ordinal);
            if apart || !event.touched.conflicts(touched) {
                continue;
            }
            if races.iter().any(|&later| self.events[later].clock.covers(actor, ordinal)) {
                continue;
            }
            if self.reverse(index, end, key, touched) {
                races.push(index);
            }
        }
    }

    /// Asks for a schedule in which the later step comes before the first one, unless that
    /// is run anyway. `false` if the later step is not possible then.
    fn reverse(&mut self, first: usize, second: usize, key: &Key, touched: &Touched) -> bool {
        let Event { key: Key { actor, .. }, ordinal, .. } = self.events[first];
        let rest = self.events.iter().enumerate().skip(first + 1);
        let apart = rest
            .filter(|(index, later)| *index < second && !later.clock.covers(actor, ordinal))
            .map(|(_, later)| item(later));
        let mut sequence: Vec<Item> = apart.collect();
        let Some((key, leads_on)) = self.possible(first, &sequence, key) else { return false };
        let touched = if leads_on { touched.clone() } else { Touched::everything() };
        sequence.push(Item { key, touched, enabled: Vec::new() });
        let frame = &mut self.frames[first];
        let covered = |(key, touched): &(Key, Touched)| can_begin(key, touched, &sequence);
        if !frame.sleep.iter().any(covered) {
            insert(&mut frame.tree, sequence);
        }
        true
    }

    /// The move of the same actor behind these steps, if there is one, and whether it leads
    /// on.
    fn possible(&mut self, first: usize, steps: &[Item], wanted: &Key) -> Option<(Key, bool)> {
        let mut state = self.frames[first].state.clone();
        for item in steps {
            state = follow(self.worker, &state, &item.key)?;
        }
        let (mut edges, mut next) = (Edges::default(), Vec::new());
        self.worker.touched(&state, &mut next);
        let (_, touched) = next.iter().find(|(actor, _)| *actor == wanted.actor)?;
        self.worker.expand_some(&state, &[wanted.actor], &mut edges);
        let moves = || edges.0.iter().filter(|(key, _)| key.actor == wanted.actor);
        let same = moves().find(|(key, _)| key == wanted);
        let found = same.or_else(|| moves().find(|(key, _)| key.withheld == wanted.withheld));
        let (key, goal) = found.cloned()?;
        let begun = |key: &Key| key.actor == wanted.actor;
        let before = self.events[..first].iter().map(|event| &event.key);
        let begun = before.chain(steps.iter().map(|item| &item.key)).any(begun);
        let waits = !begun && self.only_waits(wanted.actor, touched, &goal);
        (!waits).then(|| (key, goal.leads_on()))
    }

    /// Goes back to where another schedule must begin to differ; `false` if there is none.
    fn backtrack(&mut self) -> bool {
        self.carried.clear();
        while let Some(event) = self.events.pop() {
            self.frames.truncate(self.events.len() + 1);
            let frame = self.top();
            frame.tree.retain(|branch| branch.key != event.key);
            frame.sleep.push((event.key, event.touched));
            if !frame.tree.is_empty() {
                self.known = self.events.len();
                return true;
            }
        }
        false
    }
}

impl Frame {
    /// Asks for all moves of an actor that are awake: next, if it is asked for first anyway.
    fn ask_for(&mut self, actor: ActorId) {
        let first = self.tree.first().is_some_and(|branch| branch.key.actor == actor);
        let at = if first { 1 } else { self.tree.len() };
        let branch = |key: Key| {
            let touched = self.touched(&key);
            Branch { key, touched, children: Vec::new() }
        };
        let branches: Vec<Branch> = self.awake(actor).into_iter().map(branch).collect();
        self.tree.splice(at..at, branches);
    }
}

fn item(event: &Event) -> Item {
    Item { key: event.key.clone(), touched: event.touched.clone(), enabled: event.enabled.clone() }
}

/// Whether a schedule that begins with the sequence is equivalent to one that begins with
/// this step.
fn can_begin(key: &Key, touched: &Touched, sequence: &[Item]) -> bool {
    for item in sequence {
        if item.key == *key {
            return true;
        }
        if item.is_ordered(key.actor, touched) {
            return false;
        }
    }
    true
}

/// Adds a sequence to the branches unless some branch covers it.
fn insert(mut branches: &mut Vec<Branch>, mut sequence: Vec<Item>) {
    loop {
        let fits = |branch: &Branch| can_begin(&branch.key, &branch.touched, &sequence);
        let Some(at) = branches.iter().position(fits) else {
            branches.push(chain(sequence));
            return;
        };
        let key = &branches[at].key;
        if let Some(first) = sequence.iter().position(|item| item.key == *key) {
            sequence.remove(first);
        }
        if branches[at].children.is_empty() || sequence.is_empty() {
            return;
        }
        branches = &mut branches[at].children;
    }
}

fn chain(sequence: Vec<Item>) -> Branch {
    let mut steps = sequence.into_iter().rev();
    let last = steps.next().expect("a reversed race has a step");
    let leaf = Branch { key: last.key, touched: last.touched, children: Vec::new() };
    steps.fold(leaf, |below, item| Branch {
        key: item.key,
        touched: item.touched,
        children: vec![below],
    })
}
