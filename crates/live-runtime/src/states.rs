//! The program as a graph of states: the controller asks for the steps that
//! leave a state, and this side goes to the state, makes each of them, and says
//! where it led.
//!
//! A state is all memory that the program has changed, without the dead part
//! of its stacks, its threads, and its synchronisation objects. Two states are one
//! only if all of that is equal. Memory below the frames of a thread is cleared
//! after each step, so that what earlier calls left there does not make equal
//! states different. What SimGrid compares (Cooperman and Quinson: Sthread,
//! 2020) leaves parts of memory out by heuristics; nothing else is left out here.
//!
//! Invariant: the memory of the program is always one of the kept states, but for
//! the time in which a step is made.

use std::fmt::Write;
use std::rc::Rc;

use exeunt_model::{ActorId, Arrival, End, ObjectId, OpenSection, SectionKind, Step};
use exeunt_search::{Known, Standings};

use crate::contents::{ContentId, Contents, PAGE, Table};
use crate::machine::{Machine, World};
use crate::snapshot;
use crate::watch::Watches;
use crate::{raw, tell};

/// How much memory the states may take.
const MOST: usize = 2 << 30;

/// No state has this number.
const ENDED: u32 = 0;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    world: u32,
    standings: u32,
    /// The content of each page that some run has written, by its number in
    /// the snapshot; zero is what it began with, and zeros at the end are left out.
    pages: Box<[ContentId]>,
}

#[derive(Default)]
struct States {
    contents: Contents,
    worlds: Vec<Rc<World>>,
    world_ids: Table<Rc<World>, u32>,
    standings: Vec<Rc<Standings>>,
    standing_ids: Table<(u32, Known), u32>,
    states: Vec<Rc<State>>,
    ids: Table<Rc<State>, u32>,
    /// What each page has now.
    now: Vec<ContentId>,
    watches: Watches,
    /// Sections whose names were said.
    named: Vec<u64>,
    /// Lines for the controller.
    out: String,
}

/// Serves until the controller hangs up.
pub fn serve(machine: &mut Machine, commands: i32) {
    let mut states = States::default();
    let mut input = Input::new(commands);
    for (name, place, size) in machine.propositions.clone() {
        tell::line(&format!("proposition {place:x} {size:x} {name}"));
    }
    tell::line("ready");
    while let Some(line) = input.line() {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "watch" => states.watches.add(rest),
            "start" => states.start(machine),
            "expand" => states.expand(machine, rest.parse().unwrap_or(ENDED)),
            _ => return,
        }
        states.flush();
    }
}

impl States {
    /// The first state, which has the number one.
    fn start(&mut self, machine: &mut Machine) {
        self.states.push(Rc::new(State { world: 0, standings: 0, pages: Box::new([]) }));
        let arrivals = machine.begin_run();
        let mut standings = Standings::default();
        match self.ends(machine) {
            Some(words) => self.out.push_str(&format!("edge 0 0 1 0 {words}\n")),
            None => {
                standings.absorb(None, &arrivals);
                let id = self.keep(machine, standings);
                let _ = writeln!(self.out, "edge 0 0 1 0 state {id}");
            }
        }
        self.out.push_str("expanded\n");
    }

    fn expand(&mut self, machine: &mut Machine, id: u32) {
        let Some(state) = self.states.get(id as usize).filter(|_| id != ENDED).cloned() else {
            self.out.push_str("expanded\n");
            return;
        };
        let standings = Rc::clone(&self.standings[state.standings as usize]);
        for (actor, arity) in standings.enabled() {
            for choice in 0..arity {
                self.restore(machine, &state);
                self.step(machine, &standings, actor, choice, arity);
            }
        }
        self.out.push_str("expanded\n");
    }

    /// Makes one step from the present state.
    fn step(
        &mut self,
        machine: &mut Machine,
        standings: &Standings,
        actor: ActorId,
        choice: u32,
        arity: u32,
    ) {
        let mut after = standings.clone();
        let edge = |reopens: bool, words: &str| {
            format!("edge {} {choice} {arity} {} {words}\n", actor.0, reopens as u8)
        };
        let line = match after.make(actor, choice) {
            Err(misuse) => edge(false, &format!("fault misuse {misuse}")),
            Ok(_) if self.contents.size() > MOST => {
                edge(false, "unsupported a program whose states take more than 2 GiB")
            }
            Ok((operation, reply)) => {
                let closes = waits(standings, actor);
                let arrivals: Vec<Arrival> = machine.step(Step { actor, reply });
                match self.ends(machine) {
                    Some(words) => edge(false, &words),
                    None => {
                        after.absorb(Some((actor, operation)), &arrivals);
                        let reopens = closes && waits(&after, actor);
                        let thread = &mut machine.world.threads[actor.0 as usize];
                        let reopens = std::mem::take(&mut thread.reopens) || reopens;
                        let id = self.keep(machine, after);
                        edge(reopens, &format!("state {id}"))
                    }
                }
            }
        };
        self.out.push_str(&line);
    }

    /// How the program ended, if it did.
    fn ends(&self, machine: &Machine) -> Option<String> {
        Some(match machine.world.end()? {
            End::Exited { .. } => format!("ended {:x}", self.watches.letter()),
            End::Fault { property, message } => {
                format!("fault {} {}", property.name(), message.replace('\n', " "))
            }
            End::Unsupported(what) => format!("unsupported {}", what.replace('\n', " ")),
        })
    }

    /// The number of the present state. A new one is told.
    fn keep(&mut self, machine: &mut Machine, standings: Standings) -> u32 {
        self.look(machine);
        let last = self.now.iter().rposition(|&id| id != 0).map_or(0, |at| at + 1);
        let pages: Box<[ContentId]> = self.now[..last].into();
        let world = Rc::new(machine.world.at_rest());
        let world = match self.world_ids.get(&world) {
            Some(&id) => id,
            None => {
                let id = self.worlds.len() as u32;
                self.worlds.push(Rc::clone(&world));
                self.world_ids.insert(world, id);
                id
            }
        };
        let known = standings.known();
        let next = self.standings.len() as u32;
        let number = *self.standing_ids.entry((world, known)).or_insert(next);
        if number == next {
            self.standings.push(Rc::new(standings));
        }
        let state = Rc::new(State { world, standings: number, pages });
        if let Some(&id) = self.ids.get(&state) {
            return id;
        }
        let id = self.states.len() as u32;
        self.states.push(Rc::clone(&state));
        self.ids.insert(state, id);
        self.describe(machine, id, number);
        id
    }

    /// `state ID LETTER ACTOR:KIND:SLOT…`
    fn describe(&mut self, machine: &Machine, id: u32, standings: u32) {
        let letter = self.watches.letter();
        if self.watches.may_write {
            self.put_back();
        }
        let sections = sections(machine, &self.standings[standings as usize]);
        for (section, name) in &sections {
            if let Some(name) = name
                && !self.named.contains(&section.slot)
            {
                self.named.push(section.slot);
                let _ = writeln!(self.out, "name {} {name}", section.slot);
            }
        }
        let _ = write!(self.out, "state {id} {letter:x}");
        for (OpenSection { actor, slot, kind }, _) in sections {
            let _ = write!(self.out, " {}:{}:{slot}", actor.0, kind as u8);
        }
        self.out.push('\n');
    }

    /// Notes what the step has changed, and clears what is dead of that.
    fn look(&mut self, machine: &Machine) {
        let Some(snapshot) = snapshot::snapshot() else { return };
        let dead = machine.dead_stacks();
        self.now.resize(snapshot.len(), 0);
        for at in 0..self.now.len() {
            let (place, base) = snapshot.page(at);
            // SAFETY: the page is mapped and writable since it was saved, no
            // thread of the program runs, and the engine uses none of these.
            let page = unsafe { &mut *(place as *mut [u8; PAGE]) };
            let old = self.now[at];
            let same = if old == 0 { *page == *base } else { self.contents.is(old, page) };
            if same {
                continue;
            }
            let inside = dead.iter().find(|range| range.start < place + PAGE && place < range.end);
            if let Some(range) = inside {
                let from = range.start.max(place) - place;
                page[from..(range.end - place).min(PAGE)].fill(0);
            }
            self.now[at] = match *page == *base {
                true => 0,
                false => self.contents.intern(page, (old != 0).then_some(old)),
            };
        }
    }

    /// Undoes what looking at propositions has changed.
    fn put_back(&mut self) {
        let Some(snapshot) = snapshot::snapshot() else { return };
        self.now.resize(snapshot.len(), 0);
        for (at, &id) in self.now.iter().enumerate() {
            let (place, base) = snapshot.page(at);
            // SAFETY: as in `look`.
            let page = unsafe { &mut *(place as *mut [u8; PAGE]) };
            match id {
                0 if *page != *base => page.copy_from_slice(base),
                0 => {}
                id if !self.contents.is(id, page) => self.contents.write(id, page),
                _ => {}
            }
        }
    }

    /// Goes to a state. What the last step changed was looked at, unless the
    /// program ended by it.
    fn restore(&mut self, machine: &mut Machine, state: &State) {
        if machine.world.end().is_some() {
            self.look(machine);
        }
        let Some(snapshot) = snapshot::snapshot() else { return };
        self.now.resize(snapshot.len(), 0);
        for (at, now) in self.now.iter_mut().enumerate() {
            let wanted = state.pages.get(at).copied().unwrap_or(0);
            if *now == wanted {
                continue;
            }
            let (place, base) = snapshot.page(at);
            // SAFETY: as in `look`.
            let page = unsafe { &mut *(place as *mut [u8; PAGE]) };
            match wanted {
                0 => page.copy_from_slice(base),
                id => self.contents.write(id, page),
            }
            *now = wanted;
        }
        machine.world.clone_from(&self.worlds[state.world as usize]);
    }

    fn flush(&mut self) {
        tell::text(&self.out);
        self.out.clear();
    }
}

/// Whether the thread stands before something that can be waited for.
fn waits(standings: &Standings, actor: ActorId) -> bool {
    standings.waits().iter().any(|(who, ..)| *who == actor)
}

/// What is open in the present state, in order, with the names of sections that
/// have one.
fn sections(machine: &Machine, standings: &Standings) -> Vec<(OpenSection, Option<String>)> {
    let held = |object: ObjectId| 1 << 63 | (object.0 & ((1 << 61) - 1));
    let waits = standings.waits().into_iter();
    let waits = waits.map(|(actor, kind, _)| (OpenSection { actor, slot: 0, kind }, None));
    let locks = standings
        .holdings()
        .into_iter()
        .map(|(actor, kind, object)| (OpenSection { actor, slot: held(object), kind }, None));
    let mut all: Vec<(OpenSection, Option<String>)> = waits.chain(locks).collect();
    for (index, thread) in machine.world.threads.iter().enumerate() {
        let actor = ActorId(index as u32);
        for section in &thread.sections {
            let kind = if section.function { SectionKind::Function } else { SectionKind::User };
            let open = OpenSection { actor, slot: section.slot, kind };
            all.push((open, Some(section.name.to_string())));
        }
    }
    all.sort_unstable_by_key(|(section, _)| *section);
    all
}

/// Lines from the controller.
pub struct Input {
    file: i32,
    bytes: Vec<u8>,
}

impl Input {
    pub fn new(file: i32) -> Input {
        Input { file, bytes: Vec::new() }
    }

    pub fn line(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.bytes.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.bytes.drain(..=end).collect();
                return Some(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            let mut part = [0u8; 4096];
            let (place, size) = (part.as_mut_ptr() as usize, part.len());
            // SAFETY: the kernel writes to a buffer of that size.
            let read =
                unsafe { raw::call(libc::SYS_read, self.file as usize, place, size, 0, 0, 0) };
            match usize::try_from(read) {
                Ok(count) if count > 0 => self.bytes.extend_from_slice(&part[..count]),
                _ => return None,
            }
        }
    }
}
