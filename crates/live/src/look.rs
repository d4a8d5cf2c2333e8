//! States of a native program for people to look at: while the program is run along a schedule, it stops before every
//! step, says what is open and who can move, and lets this side read its memory (the runtime's module `look`). What
//! there is in memory says the debug information (`debug`).

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;

use exeunt_model::{
    ActorId, ActorState, FrameState, Lock, Noun, Object, Schedule, SectionKind, SectionState,
    StateView, Variable, Wait,
};

use crate::Options;
use crate::debug::{Frame, Place, Reading, Type, TypeId};
use crate::loaded::{FileId, Files, Placed};
use crate::names;
use crate::process::Running;
use crate::program::{Program, Refusal};
use crate::story::{self, Stand, Story};
use crate::symbols::plain;

/// Which states of a run are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    Never,
    AtTheEnd,
    Always,
}

/// Something that is open in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opened {
    actor: ActorId,
    kind: SectionKind,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// The thread cannot go on because of this object.
    Waits(u64),
    Holds(u64),
    /// A section of the program's own.
    Named(String),
}

impl Opened {
    /// `ACTOR KIND wait|held|name REST`
    pub(crate) fn parse(text: &str) -> Option<Opened> {
        let mut words = text.splitn(4, ' ');
        let actor = ActorId(words.next()?.parse().ok()?);
        let kind = SectionKind::from_u8(words.next()?.parse().ok()?)?;
        let (role, rest) = (words.next()?, words.next().unwrap_or(""));
        let object = || u64::from_str_radix(rest, 16).ok();
        let what = match role {
            "wait" => What::Waits(object()?),
            "held" => What::Holds(object()?),
            _ => What::Named(rest.to_string()),
        };
        Some(Opened { actor, kind, what })
    }
}

/// The states along a schedule, the first one included: one more than there are steps.
pub fn states_along(
    program: &Program,
    schedule: &Schedule,
    options: &Options,
) -> Result<Vec<StateView>, Refusal> {
    Ok(story::tell_looking(program, schedule, options, Looks::Always)?.trace.states)
}

/// Memory that is shown is at most so large.
const LARGE: u64 = 4096;
/// Objects that are shown.
const OBJECTS: usize = 60;

/// The present state of the program, which waits to be asked; `line` says who can move.
pub(crate) fn state(
    story: &mut Story,
    program: &Program,
    line: &str,
    running: &mut Running,
) -> StateView {
    let free = line.trim_start_matches("look").trim().split(',');
    let free: Vec<ActorId> = free.filter_map(|word| Some(ActorId(word.parse().ok()?))).collect();
    let mut view = StateView { noun: Noun::Thread, ..StateView::default() };
    let files = Files::new(program, &mut story.symbols, &story.storages);
    let mut pages = HashMap::new();
    let mut memory = |address: u64, size: u64| read(running, &mut pages, address, size);
    let calls = calls(story, &files);
    let owned = owned(story, &files, &mut memory);
    let mut look = Look { files: &files, calls: &calls, owned: &owned, targets: Vec::new() };
    for global in files.globals(&mut story.symbols) {
        view.globals.extend(look.placed(&global, story, &mut memory));
    }
    for (actor, name) in (0..).map(ActorId).zip(story.trace.actors.clone()) {
        view.actors.push(look.actor(actor, name, &free, story, &mut memory));
    }
    look.objects(&mut view, story, &mut memory);
    sections(&mut view, story);
    view
}

/// Bytes of the program's memory, asked for by the page.
fn read(
    running: &mut Running,
    pages: &mut HashMap<u64, Vec<u8>>,
    address: u64,
    size: u64,
) -> Option<Vec<u8>> {
    const PAGE: u64 = 4096;
    let mut bytes = Vec::with_capacity(size.min(LARGE) as usize);
    let mut at = address;
    let end = address.checked_add(size)?;
    while at < end {
        let page = at / PAGE * PAGE;
        let known = match pages.get(&page) {
            Some(known) => known,
            None => pages.entry(page).or_insert(peek(running, page, PAGE)),
        };
        let next = (page + PAGE).min(end);
        bytes.extend(known.get((at - page) as usize..(next - page) as usize)?);
        at = next;
    }
    Some(bytes)
}

fn peek(running: &mut Running, address: u64, size: u64) -> Vec<u8> {
    let mut line = String::new();
    let asked = running.say(&format!("peek {address:x} {size:x}"));
    if asked.is_err() || running.lines.read_line(&mut line).unwrap_or(0) == 0 {
        return Vec::new();
    }
    let digits = line.trim_end().strip_prefix("memory").unwrap_or("").trim().as_bytes();
    let digit = |byte: &u8| char::from(*byte).to_digit(16).unwrap_or(0) as u8;
    digits.chunks(2).map(|pair| pair.iter().fold(0, |sum, one| sum << 4 | digit(one))).collect()
}

/// A call that a thread is in, and the file that has its function.
struct Call {
    actor: ActorId,
    file: Option<FileId>,
    frame: FrameState,
    locals: Vec<(String, TypeId, Option<Place>)>,
}

/// The calls of all threads, with where their variables are.
fn calls(story: &mut Story, files: &Files) -> Vec<Call> {
    let mut all = Vec::new();
    let stands: Vec<(u32, Stand)> = story.stands.iter().map(|(a, one)| (*a, one.clone())).collect();
    for (actor, stand) in stands {
        for (index, &address) in stand.places.iter().enumerate() {
            let Some((location, place, path)) = story.symbols.call(address) else { continue };
            let registers = stand.registers.get(index).copied();
            let canonical = stand.registers.get(index + 1).map(|above| above[0]);
            let file = files.by_path(&path);
            let mut locals = Vec::new();
            if let (Some(id), Some(registers)) = (file, registers) {
                let loaded = files.get(id);
                let frame = Frame { registers, canonical, bias: loaded.bias };
                let shown = loaded.debug.locals(place, location.line, &frame).into_iter();
                locals.extend(shown.map(|one| (one.name.to_string(), one.ty, one.place)));
            }
            let function = location.function.to_string();
            let frame = FrameState { function, location: Some(location), locals: Vec::new() };
            all.push(Call { actor: ActorId(actor), file, frame, locals });
        }
    }
    all
}

/// The thread-local variables of each thread.
fn owned<'f>(
    story: &Story,
    files: &'f Files,
    memory: &mut Memory<'_>,
) -> Vec<(ActorId, Placed<'f>)> {
    let mut word = |at: u64| Some(u64::from_le_bytes(memory(at, 8)?.try_into().ok()?));
    let mut all = Vec::new();
    for (actor, local) in &story.locals {
        let variables = files.of_thread(*local, &mut word).into_iter();
        all.extend(variables.map(|variable| (ActorId(*actor), variable)));
    }
    all
}

type Memory<'m> = dyn FnMut(u64, u64) -> Option<Vec<u8>> + 'm;

/// What is being put together.
struct Look<'l> {
    files: &'l Files,
    calls: &'l [Call],
    owned: &'l [(ActorId, Placed<'l>)],
    /// Memory without a name that pointers lead to, in the order in which it was seen.
    targets: Vec<(u64, FileId, TypeId)>,
}

impl Look<'_> {
    fn reading<R>(
        &mut self,
        file: FileId,
        story: &mut Story,
        memory: &mut Memory<'_>,
        what: impl FnOnce(&mut Reading<'_>) -> R,
    ) -> R {
        let (files, calls, owned) = (self.files, self.calls, self.owned);
        let mut named = |address: u64| {
            let global = files.global_at(address).map(|name| format!("&{name}"));
            let of_thread = || {
                let (actor, one) = owned.iter().find(|(_, one)| {
                    let size = files.get(one.file).debug.types.size(one.variable.ty).max(1);
                    (one.address..one.address + size).contains(&address)
                })?;
                Some(format!("&{} of thread {}", one.variable.name, actor.0 + 1))
            };
            let of_call = || {
                calls.iter().find_map(|call| {
                    let types = &files.get(call.file?).debug.types;
                    let here = |(_, ty, place): &&(String, TypeId, Option<Place>)| match place {
                        Some(Place::Memory(start)) => {
                            (*start..start + types.size(*ty).max(1)).contains(&address)
                        }
                        Some(Place::Value(_)) | None => false,
                    };
                    let (name, ..) = call.locals.iter().find(here)?;
                    Some(format!("&{name} of thread {}", call.actor.0 + 1))
                })
            };
            let symbol = || {
                let (name, offset, _) = story.symbols.name(address)?;
                let name = plain(&name);
                Some(if offset == 0 { name } else { format!("{name}+{offset}") })
            };
            global.or_else(of_thread).or_else(of_call).or_else(symbol)
        };
        let debug = &files.get(file).debug;
        what(&mut Reading { debug, memory, named: &mut named })
    }

    /// The number of the object that a pointer leads to.
    fn target(&mut self, file: FileId, target: Option<(u64, TypeId)>) -> Option<usize> {
        let (address, ty) = target?;
        if let Some(known) = self.targets.iter().position(|(one, ..)| *one == address) {
            return Some(known);
        }
        if self.targets.len() >= OBJECTS || self.files.get(file).debug.types.size(ty) > LARGE {
            return None;
        }
        self.targets.push((address, file, ty));
        Some(self.targets.len() - 1)
    }

    fn variable(
        &mut self,
        name: &str,
        place: Option<Place>,
        (file, ty): (FileId, TypeId),
        story: &mut Story,
        memory: &mut Memory<'_>,
    ) -> Variable {
        let found = self.reading(file, story, memory, |reading| reading.show(place, ty));
        let target = self.target(file, found.target);
        Variable { name: name.to_string(), value: found.value, target }
    }

    /// A variable that is no local one, unless it is nothing to look at.
    fn placed(
        &mut self,
        one: &Placed<'_>,
        story: &mut Story,
        memory: &mut Memory<'_>,
    ) -> Option<Variable> {
        let (file, ty) = (one.file, one.variable.ty);
        let types = &self.files.get(file).debug.types;
        if types.is_of_library(ty) || types.size(ty) > LARGE {
            return None;
        }
        let name = match one.twice {
            true => format!("{} of {}", one.variable.name, self.files.name(file)),
            false => one.variable.name.clone(),
        };
        Some(self.variable(&name, Some(Place::Memory(one.address)), (file, ty), story, memory))
    }

    fn actor(
        &mut self,
        actor: ActorId,
        name: String,
        free: &[ActorId],
        story: &mut Story,
        memory: &mut Memory<'_>,
    ) -> ActorState {
        let waits = story.waits(actor).map(|waits| waits.clause);
        let waits = waits.filter(|_| !free.contains(&actor));
        let ended = !free.contains(&actor) && waits.is_none();
        let waits = waits.map(|text| Wait { text, on: awaited(actor, &story.open) });
        let calls = self.calls;
        let mut frames = Vec::new();
        for call in calls.iter().filter(|call| call.actor == actor && !ended) {
            let mut frame = call.frame.clone();
            for (name, ty, place) in &call.locals {
                let Some(file) = call.file else { continue };
                if !self.files.get(file).debug.types.is_of_library(*ty) {
                    frame.locals.push(self.variable(name, *place, (file, *ty), story, memory));
                }
            }
            frames.push(frame);
        }
        let mut own = Vec::new();
        for (_, one) in self.owned.iter().filter(|(other, _)| *other == actor && !ended) {
            own.extend(self.placed(one, story, memory));
        }
        ActorState { actor, name, ended, frames, own, waits }
    }

    /// What pointers lead to, and what pointers in that lead to.
    fn objects(&mut self, view: &mut StateView, story: &mut Story, memory: &mut Memory<'_>) {
        let mut at = 0;
        while let Some(&(address, file, ty)) = self.targets.get(at) {
            let parts = self.reading(file, story, memory, |reading| reading.parts(address, ty));
            let parts = parts.into_iter().map(|(name, found)| {
                let target = self.target(file, found.target);
                Variable { name, value: found.value, target }
            });
            let parts = parts.collect();
            let kind = match self.files.get(file).debug.types.get(ty) {
                Type::Struct { name, .. } if !name.is_empty() => format!("{name} "),
                _ => String::new(),
            };
            let name = format!("{kind}at {address:#x}");
            view.objects.push(Object { id: address, name, parts });
            at += 1;
        }
    }
}

/// The threads that a thread waits for: those that hold what it needs, or the one that must end.
fn awaited(actor: ActorId, open: &[Opened]) -> Vec<ActorId> {
    let own = open.iter().find_map(|one| match one.what {
        What::Waits(object) if one.actor == actor => Some((one.kind, object)),
        What::Waits(_) | What::Holds(_) | What::Named(_) => None,
    });
    let Some((kind, object)) = own else { return Vec::new() };
    if kind == SectionKind::Join {
        return vec![ActorId(object as u32)];
    }
    let holds = |one: &&Opened| one.what == What::Holds(object) && one.actor != actor;
    open.iter().filter(holds).map(|one| one.actor).collect()
}

/// Locks with owners and waiters, and all that is open.
fn sections(view: &mut StateView, story: &mut Story) {
    let mut locks: BTreeMap<u64, Lock> = BTreeMap::new();
    for Opened { actor, kind, what } in story.open.clone() {
        let (object, holds) = match what {
            What::Waits(object) => (object, false),
            What::Holds(object) => (object, true),
            What::Named(name) => {
                view.sections.push(SectionState { actor, kind, name });
                continue;
            }
        };
        let name = match names::of_section(kind) {
            Some(verb) if kind != SectionKind::Join => story.name(object, verb),
            Some(_) => format!("thread {}", object + 1),
            None => format!("{object:x}"),
        };
        if let Some(noun) = kind.thing() {
            let new =
                Lock { kind: noun, name: name.clone(), owners: Vec::new(), waiters: Vec::new() };
            let lock = locks.entry(object).or_insert(new);
            if holds { &mut lock.owners } else { &mut lock.waiters }.push(actor);
        }
        view.sections.push(SectionState { actor, kind, name });
    }
    view.locks = locks.into_values().collect();
}
