//! What native threads do and wait for, in the words that all machines share (`exeunt_model::words`).

use exeunt_model::words::{Access, Doing, Holder, Wait, Woken, held_for};
use exeunt_model::{ActorId, Location, OpenSection, SectionKind, SectionReport};

use crate::graph::Standing;
use crate::names::{self, Said, Topic, Verb};
use crate::story::{Held, Stand, Story};

/// A wait of a thread, in words.
pub(crate) struct Waits {
    /// What is waited for: `m`, `thread 2`.
    pub(crate) name: String,
    /// "waits for mutex `m`, held by thread 2"
    pub(crate) clause: String,
    kind: SectionKind,
    object: u64,
}

impl Story {
    /// What a step did: "locks `forks[1]`".
    pub(crate) fn words(&mut self, stand: &Stand, reply: &str) -> String {
        let verb = stand.verb;
        let thread = ActorId(stand.objects.first().map_or(0, |&object| object as u32));
        let places = match verb.said.topic() == Topic::Thread {
            true => Vec::new(),
            false => stand.objects.clone(),
        };
        let names: Vec<String> =
            places.into_iter().map(|object| self.quoted(object, verb)).collect();
        let name = names.first().map_or("", String::as_str);
        let mutex = names.get(1).map_or("", String::as_str);
        let doing = match (verb.said, reply) {
            (_, "cancelled") => Doing::IsCancelled,
            (Said::Locks, "busy") if verb.call.contains("timed") => Doing::GivesUp(name),
            (Said::Locks, "busy") => Doing::FindsLocked(name),
            (Said::LocksFor(_), "busy") => Doing::DoesNotGet(name),
            (Said::Wakes, "busy") => Doing::TimesOut(name),
            (Said::WakesUnasked, "busy") => Doing::WakesUpUnasked(name),
            (Said::LeavesBarrier, "first") => Doing::OpensBarrier(name),
            (_, "busy") => return format!("{} in vain", calls(verb, &names)),
            (_, "held") => return format!("{} fails: it is held already", calls(verb, &names)),
            (_, "not-held") => return format!("{} fails: it is not held", calls(verb, &names)),
            (Said::Locks, _) => Doing::Locks(name),
            (Said::Unlocks, _) => Doing::Unlocks(name),
            (Said::LocksFor(access), _) => Doing::LocksFor(name, access),
            (Said::WaitsToWrite, _) => Doing::WaitsToWrite(name),
            (Said::MakesConsistent, _) => Doing::MakesConsistent(name),
            (Said::WaitsOn, _) => Doing::WaitsOn(name, mutex),
            // A thread that is woken takes its mutex, and that is the step.
            (Said::Wakes | Said::WakesUnasked, _) if !mutex.is_empty() => Doing::Locks(mutex),
            (Said::Wakes | Said::WakesUnasked, _) => Doing::WakesUp(name),
            (Said::Signals, _) => Doing::Signals(name, self.hearers(stand)),
            (Said::Broadcasts, _) => Doing::Broadcasts(name, self.hearers(stand)),
            (Said::WakesFutex, _) => {
                let futex = format!("futex {name}");
                return Doing::WakesFutex(&futex, self.hearers(stand)).words();
            }
            (Said::ArrivesAt, _) => Doing::ArrivesAt(name),
            (Said::LeavesBarrier, _) => Doing::LeavesBarrier(name),
            (Said::Takes, _) => Doing::Takes(name, None),
            (Said::Posts, _) => Doing::Posts(name, None),
            (Said::BeginsOnce, "first") => Doing::BeginsOnce(name),
            (Said::BeginsOnce, _) => return format!("finds {name} initialised"),
            (Said::CompletesOnce, _) => Doing::CompletesOnce(name),
            (Said::AbandonsOnce, _) => Doing::AbandonsOnce(name),
            (Said::Joins, _) => Doing::Joins(thread),
            (Said::Cancels, _) => Doing::Cancels(thread),
            (Said::Ends, _) => Doing::Ends,
            (Said::Memory, _) => {
                let place = stand.objects.first().map(|&object| self.name(object, verb));
                return format!("{} {}", verb.call, place.unwrap_or_default());
            }
            (Said::AsCalled, "done" | "first" | "misuse") => return calls(verb, &names),
            (Said::AsCalled, value) => return format!("{} = {value}", calls(verb, &names)),
        };
        doing.words()
    }

    /// Who hears a signal, as far as that is known.
    fn hearers(&self, signal: &Stand) -> Woken<'static> {
        if self.is_heard(signal) { Woken::Unknown } else { Woken::Known(&[]) }
    }

    fn quoted(&mut self, object: u64, verb: &Verb) -> String {
        format!("`{}`", self.name(object, verb))
    }

    /// What a thread waits for, if its next operation can wait.
    pub(crate) fn waits(&mut self, actor: ActorId) -> Option<Waits> {
        let stand = self.stands.get(&actor.0).cloned()?;
        let kind = stand.verb.waits?;
        let object = stand.objects.first().copied().unwrap_or(0);
        // One that was signalled waits for its mutex.
        if let [condition, mutex] = *stand.objects.as_slice()
            && stand.verb.said == Said::Wakes
            && self.is_signalled(condition)
            && let Some(lock) = names::verb("lock")
        {
            let name = self.name(mutex, lock);
            let holder = self.holder(mutex, actor);
            let shown = format!("`{name}`");
            let clause = Wait::Lock { class: lock.noun, name: &shown, holder }.words();
            return Some(Waits { name, clause, kind: SectionKind::MutexWait, object: mutex });
        }
        let (name, noun) = (self.name(object, stand.verb), stand.verb.noun);
        let shown = format!("`{name}`");
        let (class, shown) = (noun, shown.as_str());
        let wait = match stand.verb.said.topic() {
            Topic::Thread => {
                let thread = ActorId(object as u32);
                let name = format!("thread {thread}");
                return Some(Waits { name, clause: Wait::End(thread).words(), kind, object });
            }
            Topic::ReadersWriter(access) => {
                let holders = self.held.get(&object).map_or(String::new(), Held::words);
                let wait =
                    Wait::ReadersWriter { class: "", name: shown, access, holders: &holders };
                return Some(Waits { clause: wait.words(), name, kind, object });
            }
            Topic::Lock => Wait::Lock { class, name: shown, holder: self.holder(object, actor) },
            Topic::Wake if noun == "futex" => Wait::Futex(shown),
            Topic::Wake => Wait::Signal { class, name: shown },
            Topic::Barrier => Wait::Barrier { name: shown, missing: None },
            Topic::Semaphore => Wait::Semaphore(shown),
            Topic::Once => Wait::Once { name: shown, runner: Holder::Unknown },
            // A call into the kernel; signals never wait.
            Topic::Rest | Topic::Signal | Topic::Broadcast => {
                let name = stand.verb.call.to_string();
                return Some(Waits { clause: Wait::Forever(&name).words(), name, kind, object });
            }
        };
        let clause = wait.words();
        Some(Waits { name, clause, kind, object })
    }

    /// The same with its subject, for messages: they are the same whatever the schedule is.
    pub(crate) fn waiting(&mut self, actor: ActorId) -> Option<String> {
        Some(format!("thread {actor} {}", self.waits(actor)?.clause))
    }

    fn holder(&self, object: u64, actor: ActorId) -> Holder {
        match self.held.get(&object).and_then(|held| held.by.last().copied()) {
            None => Holder::Unknown,
            Some(owner) if owner == actor => Holder::Itself,
            Some(owner) if self.ended.contains(&owner) => Holder::Ended(owner),
            Some(owner) => Holder::Other(owner),
        }
    }

    /// What a thread waits for, where, and why the last signal did not end that.
    pub(crate) fn wait(&mut self, actor: ActorId) -> Option<(SectionReport, Option<Location>)> {
        let Waits { name, clause, kind, object: slot } = self.waits(actor)?;
        let opened = self.stands.get(&actor.0)?.location.clone();
        let last = self.trace.last_signal(OpenSection { actor, slot, kind });
        let last = last.map_or(String::new(), |clause| format!(" ({clause})"));
        let why = format!("thread {actor} {clause}{last}");
        let section =
            SectionReport { kind, actor, name, opened: opened.clone(), callers: Vec::new(), why };
        Some((section, opened))
    }

    /// What the next step of a thread does. Whether an attempt to get something succeeds is told only where it is certain.
    fn next(&mut self, actor: ActorId, stand: &Stand) -> String {
        let verb = stand.verb;
        let object = stand.objects.first().copied().unwrap_or(0);
        let held = self.held.get(&object).filter(|held| !held.by.is_empty());
        let others = held.is_some_and(|held| !held.by.contains(&actor));
        let timed = verb.name.contains("timed");
        match verb.said.topic() {
            Topic::Lock | Topic::ReadersWriter(_) if verb.waits.is_some() || held.is_none() => {
                self.words(stand, "done")
            }
            Topic::Lock if others && !timed => self.words(stand, "busy"),
            Topic::Lock | Topic::ReadersWriter(_) => {
                format!("tries to lock {}", self.quoted(object, verb))
            }
            Topic::Semaphore if verb.waits.is_none() => {
                format!("tries to take semaphore {}", self.quoted(object, verb))
            }
            Topic::Once => {
                format!("comes to the initialisation of {}", self.quoted(object, verb))
            }
            Topic::Semaphore
            | Topic::Wake
            | Topic::Signal
            | Topic::Broadcast
            | Topic::Barrier
            | Topic::Thread
            | Topic::Rest => self.words(stand, "done"),
        }
    }

    /// Where each thread stands at the end, what it does next, and what it waits for if it cannot.
    pub(crate) fn standings(&mut self) -> Vec<Standing> {
        let names = self.trace.actors.clone();
        let mut standings = Vec::new();
        for (actor, name) in (0..).map(ActorId).zip(names) {
            let stand = self.stands.get(&actor.0).cloned();
            let next = stand.as_ref().map(|stand| self.next(actor, stand));
            let waits = self.waits(actor);
            let location = stand.and_then(|stand| stand.location);
            let next = next.unwrap_or_else(|| "begins".to_string());
            standings.push(Standing { actor, name, location, next, waits });
        }
        standings
    }
}

/// An operation without a clause of its own: what it is called, and on what.
fn calls(verb: &Verb, names: &[String]) -> String {
    match names {
        [] => verb.call.to_string(),
        names => format!("{} {}", verb.call, names.join(", ")),
    }
}

impl Held {
    /// ", held for writing by thread 2"
    fn words(&self) -> String {
        match self.by.as_slice() {
            [] => String::new(),
            by => held_for(self.access, by),
        }
    }
}

impl Default for Held {
    fn default() -> Self {
        Held { by: Vec::new(), access: Access::Writing }
    }
}
