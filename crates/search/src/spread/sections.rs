//! Which sections the environment can keep open, among the states from which it can keep the program
//! from ending. All sections at once: a state has the set of those that may be stuck
//! there, at first all that are open, and loses each that it must let go of. Whenever the set of a state
//! gets smaller, the states before it are told.
//!
//! For each section this is the backward removal of `stuck/fixpoint.rs`.

use std::collections::HashMap;
use std::ops::ControlFlow;

use exeunt_model::{Detail, Edge, Event, OpenSection, SectionKind, Sink, Target};

use super::explore::{Hand, Lost};
use super::part::{Kind, Number, REMOVED, REOPENS};
use super::post::Turn;
use super::removal::Dead;
use super::sets::{EMPTY, SetId, Sets};
use super::wire::{Reader, put};
use crate::explore::Movers;
use crate::stuck::all_answered;

struct Sections<'s, 'h, 'm> {
    hand: &'s mut Hand<'h, 'm>,
    dead: Dead,
    sets: Sets,
    /// What may be stuck in each state.
    current: Vec<SetId>,
    /// States whose set is not told to their predecessors, and whether a state is among them.
    waiting: Vec<Number>,
    waits: Vec<bool>,
    /// Where the environment chooses: what may be stuck behind each transition, as far as it was told.
    behind: HashMap<Number, HashMap<u16, SetId>>,
    /// And what each closes.
    closes: HashMap<(Number, u16), Vec<OpenSection>>,
    letters: Vec<Vec<u8>>,
}

/// How many sets are told before letters are looked at.
const BATCH: usize = 4096;
const LONG: usize = 1 << 15;

/// A state of this worker in which a section is stuck.
pub fn stuck(hand: &mut Hand<'_, '_>, dead: Dead) -> Result<Option<(Number, OpenSection)>, Lost> {
    let (peers, states) = (hand.post.peers(), hand.part.len() as usize);
    let mut sections = Sections {
        hand,
        dead,
        sets: Sets::new(peers),
        current: vec![EMPTY; states],
        waiting: Vec::new(),
        waits: vec![false; states],
        behind: HashMap::new(),
        closes: HashMap::new(),
        letters: vec![Vec::new(); peers],
    };
    sections.begin();
    sections.run()?;
    Ok(sections.found())
}

impl Sections<'_, '_, '_> {
    fn is_removed(&self, number: Number) -> bool {
        self.hand.part.flags[number as usize] & REMOVED != 0
    }

    fn begin(&mut self) {
        let (mut state, mut open) = (Vec::new(), Vec::new());
        for number in 0..self.hand.part.len() {
            if self.is_removed(number) {
                continue;
            }
            self.hand.part.load(number, &mut state);
            open.clear();
            self.hand.worker.open_sections(&state, &mut open);
            let wanted = &self.hand.options.sections;
            open.retain(|section| wanted.contains(section.kind));
            let reopens = self.hand.part.flags[number as usize] & REOPENS != 0;
            let awaits = open.iter().any(|section| section.kind == SectionKind::Await);
            if !open.is_empty() && (reopens || awaits) {
                let mut closing = Closing { number, place: 0, open, closes: &mut self.closes };
                self.hand.worker.expand(&state, Detail::Story, None, &mut closing);
                open = closing.open;
            }
            self.current[number as usize] = self.sets.number(&open);
            let left = self.answered(number);
            self.current[number as usize] = left;
            self.queue(number);
        }
    }

    fn queue(&mut self, number: Number) {
        if !std::mem::replace(&mut self.waits[number as usize], true) {
            self.waiting.push(number);
        }
    }

    fn run(&mut self) -> Result<(), Lost> {
        self.hand.post.begin();
        loop {
            while let Some((from, letter)) = self.hand.post.receive() {
                let mut letter = Reader(&letter);
                while !letter.is_empty() {
                    let (number, code) = (letter.take() as Number, letter.take());
                    let set = self.sets.read(from, &mut letter);
                    self.narrow(number, code.checked_sub(1).map(|place| place as u16), set);
                }
            }
            for _ in 0..BATCH {
                let Some(number) = self.waiting.pop() else { break };
                self.waits[number as usize] = false;
                self.tell_predecessors(number);
            }
            let idle = self.waiting.is_empty();
            for (to, letter) in self.letters.iter_mut().enumerate() {
                if letter.len() >= LONG || (idle && !letter.is_empty()) {
                    self.hand.post.send(to, std::mem::take(letter));
                }
            }
            match self.hand.post.turn(idle) {
                Turn::Going => {}
                Turn::Over => return Ok(()),
                Turn::Lost { process } => return Err(Lost { process }),
            }
        }
    }

    /// Behind a transition of this state only so much may be stuck: one that cannot be prevented, or
    /// the one at a place.
    fn narrow(&mut self, number: Number, place: Option<u16>, set: SetId) {
        let current = self.current[number as usize];
        if current == EMPTY {
            return;
        }
        let left = match place {
            None => self.sets.common(current, set),
            Some(place) => {
                self.behind.entry(number).or_default().insert(place, set);
                self.answered(number)
            }
        };
        if left != current {
            self.current[number as usize] = left;
            self.queue(number);
        }
    }

    /// What of the set of a state the environment can keep open by its answers, as far as is known.
    fn answered(&mut self, number: Number) -> SetId {
        let current = self.current[number as usize];
        let Some(labels) = self.hand.part.shape(number) else { return current };
        let (dead, behind) = (self.dead.get(&number), self.behind.get(&number));
        let nowhere = self.hand.part.nowhere(number);
        let is_kept = |section: &OpenSection| {
            let keeps = |at: usize| {
                let place = at as u16;
                let closed = self.closes.get(&(number, place));
                let set = behind.and_then(|behind| behind.get(&place));
                !nowhere.contains(&place)
                    && dead.is_none_or(|dead| !dead.contains(&place))
                    && closed.is_none_or(|closed| !closed.contains(section))
                    && set.is_none_or(|&set| self.sets.contains(set, section))
            };
            all_answered(labels.len(), &|at| labels[at], &keeps)
        };
        let kept: Vec<OpenSection> =
            self.sets.get(current).iter().filter(|section| is_kept(section)).copied().collect();
        self.sets.number(&kept)
    }

    fn tell_predecessors(&mut self, number: Number) {
        let me = self.hand.post.index();
        let set = self.current[number as usize];
        let origins: Vec<_> = self.hand.part.origins(number).collect();
        for origin in origins {
            let place = match origin.kind {
                Kind::Withheld | Kind::Initial => continue,
                Kind::Forced => None,
                Kind::Chosen => Some(origin.place),
            };
            if origin.worker == me {
                self.narrow(origin.state, place, set);
                continue;
            }
            let letter = &mut self.letters[origin.worker];
            put(letter, u64::from(origin.state));
            put(letter, place.map_or(0, |place| u64::from(place) + 1));
            self.sets.write(set, origin.worker, letter);
        }
    }

    /// A state in which something is stuck; a busy wait only if nothing else is, and if its
    /// thread moves there: otherwise it waits for something else.
    fn found(self) -> Option<(Number, OpenSection)> {
        let mut busy = None;
        for number in 0..self.hand.part.len() {
            for &section in self.sets.get(self.current[number as usize]) {
                if section.kind != SectionKind::Await {
                    return Some((number, section));
                }
                if busy.is_none() && moves(self.hand, number, section) {
                    busy = Some((number, section));
                }
            }
        }
        busy
    }
}

fn moves(hand: &mut Hand<'_, '_>, number: Number, section: OpenSection) -> bool {
    let (mut state, mut movers) = (Vec::new(), Movers::default());
    hand.part.load(number, &mut state);
    hand.worker.expand(&state, Detail::Targets, None, &mut movers);
    movers.actors.contains(&section.actor)
}

/// Sees what the transitions of a state close although it may be open again behind them. What
/// the environment cannot prevent is no longer open.
struct Closing<'c> {
    number: Number,
    place: u16,
    open: Vec<OpenSection>,
    closes: &'c mut HashMap<(Number, u16), Vec<OpenSection>>,
}

impl Sink for Closing<'_> {
    fn edge(&mut self, edge: &Edge<'_>, _: Target<'_>) -> ControlFlow<()> {
        let place = self.place;
        self.place = self.place.saturating_add(1);
        let closed = edge.events.iter().filter_map(|event| match event {
            Event::Closed { section, .. } => Some(*section),
            _ => None,
        });
        let closed: Vec<OpenSection> = closed.collect();
        if edge.withheld || closed.is_empty() {
            return ControlFlow::Continue(());
        }
        if edge.has_environment_choice() {
            self.closes.insert((self.number, place), closed);
        } else {
            self.open.retain(|section| !closed.contains(section));
        }
        ControlFlow::Continue(())
    }
}
