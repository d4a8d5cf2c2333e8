//! Sets of sections, each once, by number; and on their way to other workers.

use std::collections::HashMap;

use exeunt_model::{ActorId, OpenSection, SectionKind};

use super::wire::{Reader, put};

/// The number of a set.
pub type SetId = u32;

/// The set without sections.
pub const EMPTY: SetId = 0;

pub struct Sets {
    /// Each sorted.
    sets: Vec<Box<[OpenSection]>>,
    numbers: HashMap<Box<[OpenSection]>, SetId>,
    common: HashMap<(SetId, SetId), SetId>,
    /// Of each other worker: the sets that it knows, and its numbers in ours.
    known: Vec<Vec<bool>>,
    theirs: Vec<Vec<SetId>>,
}

impl Sets {
    pub fn new(peers: usize) -> Sets {
        let mut sets = Sets {
            sets: Vec::new(),
            numbers: HashMap::new(),
            common: HashMap::new(),
            known: vec![Vec::new(); peers],
            theirs: vec![Vec::new(); peers],
        };
        sets.number(&[]);
        sets
    }

    pub fn get(&self, set: SetId) -> &[OpenSection] {
        &self.sets[set as usize]
    }

    /// The number of a sorted set.
    pub fn number(&mut self, set: &[OpenSection]) -> SetId {
        if let Some(&number) = self.numbers.get(set) {
            return number;
        }
        let number = self.sets.len() as SetId;
        self.sets.push(set.into());
        self.numbers.insert(set.into(), number);
        number
    }

    pub fn contains(&self, set: SetId, section: &OpenSection) -> bool {
        self.get(set).binary_search(section).is_ok()
    }

    /// What two sets have in common.
    pub fn common(&mut self, one: SetId, other: SetId) -> SetId {
        if one == other || one == EMPTY {
            return one;
        }
        if let Some(&common) = self.common.get(&(one, other)) {
            return common;
        }
        let both: Vec<OpenSection> =
            self.get(one).iter().filter(|section| self.contains(other, section)).copied().collect();
        let common = self.number(&both);
        self.common.insert((one, other), common);
        common
    }

    /// Writes a set, in full the first time.
    pub fn write(&mut self, set: SetId, to: usize, out: &mut Vec<u8>) {
        let known = &mut self.known[to];
        if known.len() <= set as usize {
            known.resize(set as usize + 1, false);
        }
        let new = !std::mem::replace(&mut known[set as usize], true);
        put(out, u64::from(set) << 1 | u64::from(new));
        if new {
            let sections = self.get(set);
            put(out, sections.len() as u64);
            for section in sections {
                write_section(section, out);
            }
        }
    }

    pub fn read(&mut self, from: usize, letter: &mut Reader<'_>) -> SetId {
        let code = letter.take();
        let theirs = (code >> 1) as usize;
        if code & 1 == 1 {
            let mut sections = letter.all(read_section);
            sections.sort_unstable();
            let number = self.number(&sections);
            if self.theirs[from].len() <= theirs {
                self.theirs[from].resize(theirs + 1, EMPTY);
            }
            self.theirs[from][theirs] = number;
        }
        self.theirs[from][theirs]
    }
}

pub fn write_section(section: &OpenSection, out: &mut Vec<u8>) {
    let kind = SectionKind::ALL.iter().position(|&kind| kind == section.kind);
    put(out, u64::from(section.actor.0));
    put(out, section.slot);
    put(out, kind.expect("all kinds are listed") as u64);
}

pub fn read_section(letter: &mut Reader<'_>) -> OpenSection {
    let (actor, slot) = (ActorId(letter.take() as u32), letter.take());
    OpenSection { actor, slot, kind: SectionKind::ALL[letter.take() as usize] }
}
