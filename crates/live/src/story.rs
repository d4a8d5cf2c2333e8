//! The story of a schedule: the program is run along it once more, and says
//! where each thread was.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::time::Instant;

use exeunt_model::words::{self, Access, Doing};
use exeunt_model::{
    ActorId, Event, Location, Noun, Schedule, SectionKind, SectionReport, Stream, Trace, TraceStep,
};

use crate::Options;
use crate::look::{self, Looks, Opened};
use crate::names::{self, Effect, Said, Topic, Verb};
use crate::process::{Output, Running, memory_file};
use crate::program::{Program, Refusal};
use crate::session::{Found, Line, readable};
use crate::symbols::{Symbols, plain};

/// An operation that a thread stands before.
#[derive(Clone)]
pub(crate) struct Stand {
    pub(crate) verb: &'static Verb,
    pub(crate) objects: Vec<u64>,
    pub(crate) location: Option<Location>,
    /// The places it was called from, the innermost first.
    pub(crate) places: Vec<u64>,
    /// The registers of these calls, if states are looked at.
    pub(crate) registers: Vec<[u64; 7]>,
}

/// A step of a schedule as the runtime says it: `lock`, `done`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    pub actor: ActorId,
    pub verb: &'static str,
    pub reply: String,
}

/// The operations along a schedule.
pub fn operations(
    program: &Program,
    schedule: &Schedule,
    options: &Options,
) -> Result<Vec<Made>, Refusal> {
    Ok(tell(program, schedule, options)?.operations())
}

/// A lock that is held: by whom, and for what.
pub(crate) struct Held {
    pub(crate) by: Vec<ActorId>,
    pub(crate) access: Access,
}

/// What came of following a schedule.
pub(crate) struct Story {
    pub(crate) trace: Trace,
    pub(crate) found: Option<Found>,
    /// Where the program went wrong, if it did so by itself.
    pub(crate) fault: Option<Stand>,
    /// What the thread of each step stood before.
    made: Vec<Option<Stand>>,
    /// What the step gave.
    replies: Vec<String>,
    pub(crate) stands: BTreeMap<u32, Stand>,
    /// Sections that were entered, in order.
    entered: Vec<(ActorId, Stand)>,
    /// Who holds which lock.
    pub(crate) held: BTreeMap<u64, Held>,
    /// Signals of each condition that were given and not taken yet, at most as many as wait.
    tokens: BTreeMap<u64, usize>,
    /// Threads that have ended.
    pub(crate) ended: Vec<ActorId>,
    /// Threads that wait for mutexes of each other in a circle, and after how many steps they began to.
    pub(crate) circle: Option<(usize, Vec<ActorId>)>,
    pub(crate) symbols: Symbols,
    /// Objects without a name, in the order in which they were seen.
    nameless: Vec<u64>,
    printed: [u64; 2],
    /// How the run was asked for.
    pub(crate) plan: String,
    /// What is open in the present state, where states are looked at.
    pub(crate) open: Vec<Opened>,
    /// The loader's numbers of what has thread-local variables, with what is added to its addresses.
    pub(crate) storages: Vec<(u64, u64)>,
    /// Where the C library keeps what it knows about each thread.
    pub(crate) locals: BTreeMap<u32, u64>,
}

/// Runs the program along a schedule.
pub(crate) fn tell(
    program: &Program,
    schedule: &Schedule,
    options: &Options,
) -> Result<Story, Refusal> {
    tell_looking(program, schedule, options, Looks::Never)
}

/// The same, with the states on the way.
pub(crate) fn tell_looking(
    program: &Program,
    schedule: &Schedule,
    options: &Options,
    looks: Looks,
) -> Result<Story, Refusal> {
    let depth = options.max_depth.max(schedule.moves.len() as u64 + 1);
    let always = options.always() + &program.must_return();
    let mut plan = format!("follow={schedule} max-depth={depth}{always}");
    loop {
        match tell_once(program, schedule, options, &plan, looks)? {
            Ok(story) => return Ok(Story { plan, ..story }),
            Err(key) => plan.push_str(&format!(" {key}=1")),
        }
    }
}

/// The same with this plan; `Err` says what it must have as well.
fn tell_once(
    program: &Program,
    schedule: &Schedule,
    options: &Options,
    plan: &str,
    looks: Looks,
) -> Result<Result<Story, String>, Refusal> {
    let cannot =
        |why: std::io::Error| Refusal::new(format!("cannot run {}: {why}", program.path.display()));
    let out = memory_file(c"stdout").map_err(cannot)?;
    let err = memory_file(c"stderr").map_err(cannot)?;
    let mut streams = [out.try_clone().map_err(cannot)?, err.try_clone().map_err(cannot)?];
    let output = Output::Kept { out, err };
    let started = match looks {
        Looks::Never => Running::start(program, plan, output),
        Looks::AtTheEnd | Looks::Always => Running::start_asked(program, plan, output),
    };
    let mut running = started.map_err(cannot)?;
    let mut story = Story::new(schedule);
    let begun = Instant::now();
    let mut text = String::new();
    while begun.elapsed() < options.patience {
        if !readable(&running) {
            continue;
        }
        if running.lines.read_line(&mut text).unwrap_or(0) == 0 {
            break;
        }
        match Line::parse(text.trim_end_matches('\n')) {
            Line::Found(found) => story.found = Some(found),
            Line::Done(..) => break,
            Line::Other(line) if line.starts_with("look") => {
                let wanted = match looks {
                    Looks::Never => false,
                    Looks::AtTheEnd => story.trace.steps.len() >= schedule.moves.len(),
                    Looks::Always => true,
                };
                if wanted {
                    let state = look::state(&mut story, program, &line, &mut running);
                    story.trace.states.push(state);
                }
                story.open.clear();
                let _ = running.say("go");
            }
            Line::Other(line) => story.hear(&line, &mut streams),
            Line::Needs(key) if !plan.contains(&format!(" {key}=1")) => return Ok(Err(key)),
            Line::Begun | Line::Progress(_) | Line::Needs(_) => {}
        }
        text.clear();
    }
    story.look_for_circle();
    Ok(Ok(story))
}

/// A number, and a place in hexadecimal.
fn pair(text: &str) -> Option<(u64, u64)> {
    let (number, place) = text.split_once(' ')?;
    Some((number.parse().ok()?, u64::from_str_radix(place, 16).ok()?))
}

impl Story {
    fn new(schedule: &Schedule) -> Story {
        let trace = Trace {
            schedule: schedule.clone(),
            noun: Noun::Thread,
            actors: vec!["main".to_string()],
            ..Trace::default()
        };
        Story {
            trace,
            found: None,
            fault: None,
            made: Vec::new(),
            replies: Vec::new(),
            stands: BTreeMap::new(),
            entered: Vec::new(),
            held: BTreeMap::new(),
            tokens: BTreeMap::new(),
            ended: Vec::new(),
            circle: None,
            symbols: Symbols::new(),
            nameless: Vec::new(),
            printed: [0, 0],
            plan: String::new(),
            open: Vec::new(),
            storages: Vec::new(),
            locals: BTreeMap::new(),
        }
    }

    fn hear(&mut self, line: &str, streams: &mut [File; 2]) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "maps" => {
                self.symbols.forget_maps();
                self.storages.clear();
            }
            "map" => self.symbols.map(rest),
            "at" => self.at(rest),
            "step" => self.step(rest),
            "out" => self.output(rest, streams),
            "open" => self.open.extend(Opened::parse(rest)),
            "storage" => self.storages.extend(pair(rest)),
            "local" => self.locals.extend(pair(rest).map(|(actor, place)| (actor as u32, place))),
            _ => {}
        }
    }

    /// `ACTOR VERB OBJECTS PLACES`
    fn at(&mut self, rest: &str) {
        let parts: Vec<&str> = rest.split(' ').collect();
        let [actor, name, objects, places] = parts.as_slice() else { return };
        let hex = |list: &str| -> Vec<u64> {
            list.split(',').filter_map(|text| u64::from_str_radix(text, 16).ok()).collect()
        };
        let (Ok(actor), Some(verb)) = (actor.parse::<u32>(), names::verb(name)) else { return };
        // Each place may be followed by registers.
        let calls: Vec<Vec<u64>> =
            places.split(',').map(|call| hex(&call.replace(':', ","))).collect();
        let places: Vec<u64> = calls.iter().filter_map(|call| call.first().copied()).collect();
        let registers = calls.iter().filter_map(|call| call.get(1..)?.try_into().ok()).collect();
        let location = self.symbols.place(&places);
        let stand = Stand { verb, objects: hex(objects), location, places, registers };
        match verb.name {
            "create" => self.created(actor, &stand),
            "enter" => self.entered.push((ActorId(actor), stand)),
            "fault" | "unsupported" => self.fault = Some(stand),
            _ => {
                self.stands.insert(actor, stand);
            }
        }
    }

    fn created(&mut self, actor: u32, stand: &Stand) {
        let routine = stand.objects.first().and_then(|&place| self.symbols.name(place));
        self.trace.actors.push(routine.map_or_else(String::new, |(name, ..)| plain(&name)));
        let new = ActorId(self.trace.actors.len() as u32 - 1);
        let name = self.trace.actors.last().map_or("", String::as_str);
        let text = Arc::from(Doing::Creates(new, name).words());
        let location = stand.location.clone().unwrap_or_else(|| Location::in_function(""));
        let did = Event::Did { location, text };
        match self.trace.steps.last_mut() {
            Some(step) if step.actor.0 == actor => step.events.push(did),
            Some(_) => {}
            None => self.trace.beginning.push(did),
        }
    }

    /// `ACTOR REPLY`
    fn step(&mut self, rest: &str) {
        let Some((actor, reply)) = rest.split_once(' ') else { return };
        let Ok(actor) = actor.parse::<u32>() else { return };
        self.look_for_circle();
        let stand = self.stands.get(&actor).cloned();
        let action =
            stand.as_ref().map_or("computes".to_string(), |stand| self.words(stand, reply));
        let location = stand.as_ref().and_then(|stand| stand.location.clone());
        let place = location.clone().unwrap_or_else(|| Location::in_function(""));
        let did = Event::Did { location: place, text: Arc::from(action.as_str()) };
        let mut events = vec![did];
        events.extend(stand.as_ref().and_then(|stand| self.signalled(stand)));
        if let Some(stand) = &stand {
            self.count_signals(stand);
        }
        let callers = Vec::new();
        let step = TraceStep { actor: ActorId(actor), location, action, callers, events };
        self.trace.steps.push(step);
        self.made.push(stand.clone());
        self.replies.push(reply.to_string());
        if let Some(stand) = stand
            && reply == "done"
        {
            self.hold(ActorId(actor), &stand);
            if stand.verb.said == Said::Ends {
                self.ended.push(ActorId(actor));
            }
        }
        // It stands before its next operation when it says so.
        self.stands.remove(&actor);
    }

    /// Whether anybody waited for a signal. Who is woken of several is not known, nor whether one that
    /// stands in a wait was woken before.
    fn signalled(&self, signal: &Stand) -> Option<Event> {
        use Said::{Broadcasts, Signals, WakesFutex};
        let signals = matches!(signal.verb.said, Signals | Broadcasts | WakesFutex);
        let slot = *signal.objects.first().filter(|_| signals)?;
        let woken = if self.is_heard(signal) { None } else { Some(Arc::from([])) };
        Some(Event::Signalled { slot, woken })
    }

    /// How many threads stand in a wait for a condition.
    fn waiters(&self, condition: u64) -> usize {
        let waits = |stand: &&Stand| {
            stand.objects.first() == Some(&condition) && stand.verb.name.contains("wake")
        };
        self.stands.values().filter(waits).count()
    }

    fn count_signals(&mut self, stand: &Stand) {
        let Some(&condition) = stand.objects.first() else { return };
        let waiters = self.waiters(condition);
        let tokens = self.tokens.entry(condition).or_default();
        match stand.verb.said.topic() {
            Topic::Signal => *tokens = (*tokens + 1).min(waiters),
            Topic::Broadcast => *tokens = waiters,
            Topic::Wake => *tokens = tokens.saturating_sub(1),
            Topic::Lock
            | Topic::ReadersWriter(_)
            | Topic::Semaphore
            | Topic::Once
            | Topic::Barrier
            | Topic::Thread
            | Topic::Rest => {}
        }
    }

    /// Whether a thread that stands in a wait for a condition was signalled for certain, and waits for its mutex.
    pub(crate) fn is_signalled(&self, condition: u64) -> bool {
        self.tokens.get(&condition).is_some_and(|tokens| *tokens >= self.waiters(condition))
    }

    /// Whether a thread stands in a wait for this signal.
    pub(crate) fn is_heard(&self, signal: &Stand) -> bool {
        signal.objects.first().is_some_and(|condition| self.waiters(*condition) > 0)
    }

    fn hold(&mut self, actor: ActorId, stand: &Stand) {
        let first = stand.objects.first().copied();
        match (stand.verb.effect, first) {
            (Effect::Takes, Some(object)) => self.take(object, actor, stand.verb),
            (Effect::Gives, Some(object)) => self.give(object, actor),
            (Effect::Takes | Effect::Gives | Effect::None, _) => {}
        }
        // A condition variable gives its mutex back and takes it again.
        if let [_, mutex] = stand.objects.as_slice() {
            match stand.verb.name {
                "wake" => self.take(*mutex, actor, stand.verb),
                _ => self.give(*mutex, actor),
            };
        }
    }

    fn take(&mut self, object: u64, actor: ActorId, verb: &Verb) {
        let held = self.held.entry(object).or_default();
        held.by.push(actor);
        held.access = verb.said.access();
    }

    fn give(&mut self, object: u64, actor: ActorId) {
        if let Some(held) = self.held.get_mut(&object)
            && let Some(at) = held.by.iter().rposition(|owner| *owner == actor)
        {
            held.by.remove(at);
        }
    }

    /// Looks whether threads wait for mutexes of each other in a circle: that can never end, whatever other threads do.
    fn look_for_circle(&mut self) {
        if self.circle.is_some() {
            return;
        }
        let holder = |actor: ActorId| {
            let stand = self.stands.get(&actor.0)?;
            let waits = stand.verb.waits == Some(SectionKind::MutexWait);
            let held = self.held.get(stand.objects.first().filter(|_| waits)?)?;
            held.by.last().copied().filter(|owner| *owner != actor)
        };
        let circle = self.stands.keys().find_map(|&first| {
            let mut seen = vec![ActorId(first)];
            loop {
                let next = holder(*seen.last()?)?;
                if next.0 == first {
                    return Some(seen);
                }
                if seen.contains(&next) {
                    return None;
                }
                seen.push(next);
            }
        });
        self.circle = circle.map(|mut actors| {
            actors.sort_unstable();
            (self.trace.steps.len(), actors)
        });
    }

    fn output(&mut self, rest: &str, streams: &mut [File; 2]) {
        for (index, size) in
            rest.split(' ').filter_map(|n| n.parse::<u64>().ok()).enumerate().take(2)
        {
            let from = self.printed[index];
            if size <= from {
                continue;
            }
            let mut bytes = vec![0; (size - from).min(1 << 20) as usize];
            let file = &mut streams[index];
            let back = file.stream_position();
            let read = file.seek(SeekFrom::Start(from)).and_then(|_| file.read(&mut bytes));
            // The position is shared with the program.
            let _ = back.and_then(|back| file.seek(SeekFrom::Start(back)));
            bytes.truncate(read.unwrap_or(0));
            self.printed[index] = size;
            let stream = if index == 0 { Stream::Out } else { Stream::Err };
            let output = Event::Output { stream, bytes };
            match self.trace.steps.last_mut() {
                Some(step) => step.events.push(output),
                None => self.trace.beginning.push(output),
            }
        }
    }

    pub(crate) fn name(&mut self, object: u64, verb: &Verb) -> String {
        match self.symbols.name(object) {
            Some((name, 0, size)) if size <= verb.size.max(8) => plain(&name),
            // Mutexes also stand second, beside a condition variable.
            Some((name, offset, size)) => {
                let sizes = [verb.size, 40];
                let element = sizes.into_iter().find(|&one| {
                    one > 0 && size > one && size.is_multiple_of(one) && offset.is_multiple_of(one)
                });
                match element {
                    Some(one) => format!("{}[{}]", plain(&name), offset / one),
                    None if offset == 0 => plain(&name),
                    None => format!("{}+{offset}", plain(&name)),
                }
            }
            None => {
                let known = self.nameless.iter().position(|&other| other == object);
                let number = known.unwrap_or_else(|| {
                    self.nameless.push(object);
                    self.nameless.len() - 1
                });
                let noun = verb.noun.split(' ').next().filter(|noun| !noun.is_empty());
                format!("{}#{}", noun.unwrap_or("object"), number + 1)
            }
        }
    }

    /// The operation of each step.
    pub(crate) fn operations(self) -> Vec<Made> {
        let steps = self.trace.steps.iter().map(|step| step.actor);
        let verbs = self.made.iter().map(|made| made.as_ref().map_or("", |stand| stand.verb.name));
        let all = steps.zip(verbs).zip(self.replies);
        all.map(|((actor, verb), reply)| Made { actor, verb, reply }).collect()
    }

    /// The place of a step, and the calls that led to it.
    pub(crate) fn stack(&mut self, step: usize) -> (Option<Location>, Vec<Location>) {
        let places = self.made.get(step).cloned().flatten().map(|stand| stand.places);
        self.symbols.stack(&places.unwrap_or_default())
    }

    /// The place where the program went wrong, and the calls that led to it.
    pub(crate) fn fault_stack(&mut self) -> (Option<Location>, Vec<Location>) {
        let places = self.fault.as_ref().map(|stand| stand.places.clone());
        self.symbols.stack(&places.unwrap_or_default())
    }

    /// What two steps access, and how: "wrote", "reads".
    pub(crate) fn conflict(
        &mut self,
        first: usize,
        second: usize,
    ) -> (String, &'static str, &'static str) {
        let verb = |step: usize, made: &[Option<Stand>]| {
            made.get(step).and_then(|stand| Some(stand.as_ref()?.verb.name)).unwrap_or("write")
        };
        let did = match verb(first, &self.made) {
            "read" => "read",
            "load" => "atomically read",
            "store" | "update" => "atomically wrote",
            _ => "wrote",
        };
        let does = match verb(second, &self.made) {
            "read" => "reads",
            "load" => "atomically reads",
            "store" | "update" => "atomically writes",
            _ => "writes",
        };
        let stand = self.made.get(second).cloned().flatten();
        let object = stand.and_then(|stand| Some((*stand.objects.first()?, stand.verb)));
        let known = object.filter(|(place, _)| self.symbols.name(*place).is_some());
        let object = match known {
            Some((place, verb)) => format!("`{}`", self.name(place, verb)),
            None => "memory".to_string(),
        };
        (object, did, does)
    }

    /// The locks that a thread holds.
    pub(crate) fn locks_of(&self, actor: ActorId) -> Vec<u64> {
        let own = self.held.iter().filter(|(_, held)| held.by.contains(&actor));
        own.map(|(object, _)| *object).collect()
    }

    /// A lock that a thread holds, and where it was taken.
    pub(crate) fn held(&mut self, actor: ActorId, place: u64) -> Option<SectionReport> {
        let steps = self.trace.steps.iter().zip(&self.made).rev();
        let mut mine = steps.filter(|(step, _)| step.actor == actor);
        let stand = mine.find_map(|(_, stand)| {
            let stand = stand.as_ref()?;
            let takes = stand.verb.effect == Effect::Takes || stand.verb.name == "wake";
            (takes && stand.objects.contains(&place)).then(|| stand.clone())
        })?;
        let kind = match stand.verb.noun {
            "spin lock" => SectionKind::SpinHeld,
            "readers-writer lock" => SectionKind::RwlockHeld,
            _ => SectionKind::Critical,
        };
        let name = self.name(place, stand.verb);
        let shown = format!("`{name}`");
        let why = match self.last_of(actor) {
            Some(place) => words::never_released(&actor.to_string(), place.line, &shown),
            None => words::ended_holding(&actor.to_string(), &shown),
        };
        let opened = stand.location;
        Some(SectionReport { kind, actor, name, opened, callers: Vec::new(), why })
    }

    /// Where a thread entered a section with one of these slots last.
    pub(crate) fn entered(&self, actor: ActorId, slots: &[u64]) -> Option<Location> {
        let matches = |(who, stand): &&(ActorId, Stand)| {
            *who == actor && stand.objects.iter().any(|slot| slots.contains(slot))
        };
        self.entered.iter().rev().find(matches).and_then(|(_, stand)| stand.location.clone())
    }

    /// Where a thread stands, or was last.
    pub(crate) fn last_of(&self, actor: ActorId) -> Option<Location> {
        self.stands.get(&actor.0).and_then(|stand| stand.location.clone())
    }

    /// Where the last step was.
    pub(crate) fn last(&self) -> Option<Location> {
        self.trace.steps.last().and_then(|step| step.location.clone())
    }
}
