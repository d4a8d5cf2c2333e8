//! Which sections the environment can keep open, among the states from which it can keep the program
//! from ending. All sections at once: a state has the set of those that may be stuck
//! there, at first all that are open, and loses each that it must let go of. Whenever the set of a state
//! gets smaller, the states before it are told.
//!
//! For each section this is the backward removal of `stuck/fixpoint.rs`.

use std::collections::HashMap;
use std::ops::ControlFlow;

use exeunt_model::{Detail, Edge, Event, OpenSection, SectionKind, Sink, Target};

use super::backward::{self, Losing};
use super::explore::{Hand, Lost};
use super::part::{Number, REMOVED, REOPENS};
use super::removal::Dead;
use super::sets::{EMPTY, SetId, Sets};
use super::wire::Reader;
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
}

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
    };
    sections.begin();
    backward::run(&mut sections)?;
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

impl<'h, 'm> Losing<'h, 'm> for Sections<'_, 'h, 'm> {
    /// What may be stuck there.
    type News = SetId;

    fn hand(&mut self) -> &mut Hand<'h, 'm> {
        self.hand
    }

    fn next(&mut self) -> Option<Number> {
        let state = self.waiting.pop()?;
        self.waits[state as usize] = false;
        Some(state)
    }

    fn is_idle(&self) -> bool {
        self.waiting.is_empty()
    }

    fn news(&self, state: Number) -> SetId {
        self.current[state as usize]
    }

    fn write(&mut self, news: SetId, to: usize, letter: &mut Vec<u8>) {
        self.sets.write(news, to, letter);
    }

    fn read(&mut self, from: usize, letter: &mut Reader<'_>) -> SetId {
        self.sets.read(from, letter)
    }

    fn hear(&mut self, state: Number, place: Option<u16>, set: SetId) {
        let current = self.current[state as usize];
        if current == EMPTY {
            return;
        }
        let left = match place {
            None => self.sets.common(current, set),
            Some(place) => {
                self.behind.entry(state).or_default().insert(place, set);
                self.answered(state)
            }
        };
        if left != current {
            self.current[state as usize] = left;
            self.queue(state);
        }
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
