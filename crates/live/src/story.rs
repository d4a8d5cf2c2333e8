//! The story of a schedule: the program is run along it once more, and says
//! where each thread was.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::time::Instant;

use exeunt_model::{
    ActorId, Event, Location, Noun, OpenSection, Schedule, SectionKind, SectionReport, Stream,
    Trace, TraceStep,
};

use crate::Options;
use crate::graph::Standing;
use crate::look::{self, Looks, Opened};
use crate::names::{self, Effect, Verb};
use crate::process::{Output, Running, memory_file};
use crate::program::{Program, Refusal};
use crate::session::{Found, Line, readable};
use crate::symbols::{Symbols, plain};

/// An operation that a thread stands before.
#[derive(Clone)]
pub(crate) struct Stand {
    verb: &'static Verb,
    objects: Vec<u64>,
    location: Option<Location>,
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
    owners: BTreeMap<u64, u32>,
    pub(crate) symbols: Symbols,
    /// Objects without a name, in the order in which they were seen.
    nameless: Vec<u64>,
    printed: [u64; 2],
    /// What was printed before the first step.
    early: Vec<Event>,
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
            owners: BTreeMap::new(),
            symbols: Symbols::new(),
            nameless: Vec::new(),
            printed: [0, 0],
            early: Vec::new(),
            plan: String::new(),
            open: Vec::new(),
            storages: Vec::new(),
            locals: BTreeMap::new(),
        }
    }

    fn hear(&mut self, line: &str, streams: &mut [File; 2]) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
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
        let text = format!("create thread {}", self.trace.actors.len());
        let mine = self.trace.steps.last_mut().filter(|step| step.actor.0 == actor);
        if let (Some(step), Some(location)) = (mine, stand.location.clone()) {
            step.events.push(Event::Did { location, text: Arc::from(text) });
        }
    }

    /// `ACTOR REPLY`
    fn step(&mut self, rest: &str) {
        let Some((actor, reply)) = rest.split_once(' ') else { return };
        let Ok(actor) = actor.parse::<u32>() else { return };
        let stand = self.stands.get(&actor).cloned();
        let action =
            stand.as_ref().map_or("computes".to_string(), |stand| self.words(stand, reply));
        let location = stand.as_ref().and_then(|stand| stand.location.clone());
        let place = location.clone().unwrap_or_else(|| Location::in_function(""));
        let did = Event::Did { location: place, text: Arc::from(action.as_str()) };
        let mut events = std::mem::take(&mut self.early);
        events.push(did);
        events.extend(stand.as_ref().and_then(|stand| self.signalled(stand)));
        let callers = Vec::new();
        let step = TraceStep { actor: ActorId(actor), location, action, callers, events };
        self.trace.steps.push(step);
        self.made.push(stand.clone());
        self.replies.push(reply.to_string());
        if let Some(stand) = stand
            && reply == "done"
        {
            self.hold(actor, &stand);
        }
    }

    /// Whether anybody waited for a signal. Who is woken of several is not known, nor whether one that
    /// stands in a wait was woken before.
    fn signalled(&self, signal: &Stand) -> Option<Event> {
        let signals = matches!(signal.verb.name, "signal" | "broadcast" | "futex_signal");
        let slot = *signal.objects.first().filter(|_| signals)?;
        let waits = |stand: &&Stand| {
            stand.objects.first() == Some(&slot) && stand.verb.name.contains("wake")
        };
        let heard = self.stands.values().any(|stand| waits(&stand));
        let woken = if heard { None } else { Some(Arc::from([])) };
        Some(Event::Signalled { slot, woken })
    }

    fn hold(&mut self, actor: u32, stand: &Stand) {
        let first = stand.objects.first().copied();
        match (stand.verb.effect, first) {
            (Effect::Takes, Some(object)) => {
                self.owners.insert(object, actor);
            }
            (Effect::Gives, Some(object)) => {
                self.owners.remove(&object);
            }
            (Effect::Takes | Effect::Gives | Effect::None, _) => {}
        }
        // A condition variable gives its mutex back and takes it again.
        if let [_, mutex] = stand.objects.as_slice() {
            match stand.verb.name {
                "wake" => self.owners.insert(*mutex, actor),
                _ => self.owners.remove(mutex),
            };
        }
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
                None => self.early.push(output),
            }
        }
    }

    /// The operation as a call: `lock(forks[1])`.
    fn words(&mut self, stand: &Stand, reply: &str) -> String {
        let verb = stand.verb;
        let objects: Vec<String> = match verb.name {
            "join" | "tryjoin" | "cancel" => {
                stand.objects.iter().map(|thread| format!("thread {}", thread + 1)).collect()
            }
            _ => stand.objects.clone().iter().map(|&object| self.name(object, verb)).collect(),
        };
        let call = match objects.is_empty() {
            true => format!("{}()", verb.call),
            false => format!("{}({})", verb.call, objects.join(", ")),
        };
        match reply {
            "busy" if verb.call.contains("timed") => format!("{call}, the time is over"),
            "busy" if verb.name == "wake-up" => format!("{call} without a signal"),
            "cancelled" => format!("{call}: the thread is cancelled"),
            "busy" => format!("{call} fails"),
            "held" => format!("{call} fails: it is held already"),
            "not-held" => format!("{call} fails: it is not held"),
            "first" if verb.name == "leave" => format!("{call} as the serial thread"),
            "done" | "first" | "misuse" => call,
            value => format!("{call} = {value}"),
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

    /// What a thread waits for, and where.
    pub(crate) fn wait(&mut self, actor: ActorId) -> Option<(SectionReport, Option<Location>)> {
        let stand = self.stands.get(&actor.0).cloned()?;
        let kind = stand.verb.waits?;
        let object = stand.objects.first().copied().unwrap_or(0);
        let noun = stand.verb.noun;
        let (name, why) = match stand.verb.name {
            "join" => {
                let name = format!("thread {}", object + 1);
                (name.clone(), format!("waits for the end of {name}"))
            }
            "pause" => ("pause".to_string(), "waits in pause()".to_string()),
            "wake" | "wake-up" | "futex_wake" => {
                let name = self.name(object, stand.verb);
                let wait = OpenSection { actor, slot: object, kind };
                let last = self.trace.last_signal(wait).map(|clause| format!(" ({clause})"));
                let why = format!("waits for a signal on {noun} `{name}`");
                (name, why + &last.unwrap_or_default())
            }
            _ => {
                let name = self.name(object, stand.verb);
                let why = match self.owners.get(&object) {
                    Some(&owner) if owner == actor.0 => {
                        format!("waits for {noun} `{name}`, which it holds itself")
                    }
                    Some(&owner) => {
                        format!("waits for {noun} `{name}`, held by thread {}", owner + 1)
                    }
                    None => format!("waits for {noun} `{name}`"),
                };
                (name, why)
            }
        };
        let opened = stand.location.clone();
        let section =
            SectionReport { kind, actor, name, opened: opened.clone(), callers: Vec::new(), why };
        Some((section, opened))
    }

    /// Where each thread stands at the end, what it does next, and what it waits for if it cannot.
    pub(crate) fn standings(&mut self) -> Vec<Standing> {
        let names = self.trace.actors.clone();
        let mut standings = Vec::new();
        for (actor, name) in (0..).map(ActorId).zip(names) {
            let stand = self.stands.get(&actor.0).cloned();
            let next = stand.as_ref().map(|stand| self.words(stand, "done"));
            let waits = self.wait(actor).map(|(section, _)| section.why);
            let location = stand.and_then(|stand| stand.location);
            let next = next.unwrap_or_else(|| "begins".to_string());
            standings.push(Standing { actor, name, location, next, waits });
        }
        standings
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
        let why = format!("never gives {} `{name}` back", stand.verb.noun);
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
