//! The state a worker computes on: all components side by side in one buffer.
//!
//! Invariant: between expansions the buffer holds exactly the state that was
//! loaded last. A step writes in place and logs what was there; when its
//! target has been handed over, the log is played back. So a step costs what
//! it touches, and loading a state costs the components that differ from the
//! state before.

use std::cell::Cell as Noted;

use exeunt_model::{CompId, Pool};

use crate::code::{Cell, ChanDeclId, ProcId, Program, Space, header};

use super::memo::MOST_COMPONENTS;
use super::recent::Recent;

/// What lies in a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Globals,
    Channel(ChanDeclId),
    Process(ProcId),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Component {
    pub start: u32,
    pub words: u32,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Process {
    pub proc: ProcId,
    /// The first word of its component.
    pub base: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Channel {
    pub decl: ChanDeclId,
    /// The first word of its component; a rendezvous channel has none.
    pub base: u32,
}

/// How many things there are; going back to a mark drops the later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    log: u32,
    components: u32,
    processes: u32,
    channels: u32,
}

const NO_COMPONENT: u16 = u16::MAX;

pub(crate) struct Memory<'a> {
    program: &'a Program,
    words: Vec<u64>,
    /// The component of each word.
    owner: Vec<u16>,
    /// Counts are kept apart: a process that ends leaves its entry behind
    /// until the step is undone.
    components: Vec<Component>,
    processes: Vec<Process>,
    channels: Vec<Channel>,
    live: Mark,
    log: Vec<(u32, u64)>,
    /// The state that was loaded.
    ids: Vec<CompId>,
    /// For handing over targets.
    target: Vec<CompId>,
    stamps: Vec<u32>,
    stamp: u32,
    /// Components that every state has.
    fixed: usize,
    recent: Recent,
    /// The components that were read or written since `forget_touches`, by
    /// bits; the last bit stands for all without one.
    touched: Noted<u64>,
}

impl<'a> Memory<'a> {
    /// The globals and their channels, all zero, and no process.
    pub fn new(program: &'a Program) -> Self {
        let mut memory = Memory {
            program,
            words: Vec::new(),
            owner: Vec::new(),
            components: Vec::new(),
            processes: Vec::new(),
            channels: Vec::new(),
            live: Mark { log: 0, components: 0, processes: 0, channels: 0 },
            log: Vec::new(),
            ids: Vec::new(),
            target: Vec::new(),
            stamps: Vec::new(),
            stamp: 0,
            fixed: program.fixed_components(),
            recent: Recent::new(),
            touched: Noted::new(0),
        };
        program.global_parts().for_each(|words| {
            memory.push_component(Kind::Globals, words);
        });
        let end = memory.words.len() + program.hidden_words as usize;
        memory.words.resize(end, 0);
        memory.owner.resize(end, NO_COMPONENT);
        for decl in &program.global_channels {
            memory.push_channel(*decl);
        }
        memory
    }

    #[inline]
    pub fn process(&self, pid: u32) -> Process {
        self.processes[pid as usize]
    }

    /// The component that a process of the loaded state was loaded from.
    #[inline]
    pub fn component_of(&self, pid: u32) -> CompId {
        self.ids[self.owner[self.process(pid).base as usize] as usize]
    }

    #[inline]
    pub fn process_count(&self) -> u32 {
        self.live.processes
    }

    pub fn channel_count(&self) -> u32 {
        self.live.channels
    }

    #[inline]
    pub fn channel(&self, index: u32) -> Channel {
        self.channels[index as usize]
    }

    #[inline]
    pub fn state_of(&self, pid: u32) -> u16 {
        let word = self.word(self.process(pid).base);
        ((word >> header::STATE_SHIFT) & header::STATE_MASK) as u16
    }

    #[inline]
    pub fn set_state(&mut self, pid: u32, state: u16) {
        let index = self.process(pid).base;
        let word = self.word(index);
        let cleared = word & !(header::STATE_MASK << header::STATE_SHIFT);
        self.write(index, cleared | u64::from(state) << header::STATE_SHIFT);
    }

    pub fn priority(&self, pid: u32) -> u8 {
        (self.word(self.process(pid).base) >> header::PRIORITY_SHIFT) as u8
    }

    pub fn set_priority(&mut self, pid: u32, priority: u8) {
        let index = self.process(pid).base;
        let cleared = self.word(index) & !(0xff << header::PRIORITY_SHIFT);
        self.write(index, cleared | u64::from(priority) << header::PRIORITY_SHIFT);
    }

    /// The process that alone may move, if a long atomic sequence was cut.
    pub fn holder(&self) -> Option<u32> {
        ((self.word(0) & header::HOLDER_MASK) as u32).checked_sub(1)
    }

    pub fn set_holder(&mut self, holder: Option<u32>) {
        let number = holder.map_or(0, |pid| u64::from(pid) + 1);
        let word = self.word(0) & !header::HOLDER_MASK | number;
        self.write(0, word);
    }

    #[inline]
    pub fn load(&self, cell: &Cell, base: u32) -> i32 {
        let index = match cell.space {
            Space::Global => cell.word,
            Space::Local => base + cell.word,
        };
        extract(self.word(index), cell.shift, cell.width.bits, cell.width.signed)
    }

    #[inline]
    pub fn store(&mut self, cell: &Cell, base: u32, value: i32) {
        let index = match cell.space {
            Space::Global => cell.word,
            Space::Local => base + cell.word,
        };
        self.store_bits(index, cell.shift, cell.width.bits, value);
    }

    #[inline]
    pub fn store_bits(&mut self, index: u32, shift: u8, bits: u8, value: i32) {
        let mask = (u64::MAX >> (64 - u32::from(bits))) << shift;
        let old = self.word(index);
        self.write(index, old & !mask | (u64::from(value as u32) << shift) & mask);
    }

    /// A word, which counts as touched.
    #[inline]
    pub fn word(&self, index: u32) -> u64 {
        self.touch(index);
        self.words[index as usize]
    }

    #[inline]
    fn touch(&self, index: u32) {
        let bit = u32::from(self.owner[index as usize]).min(MOST_COMPONENTS as u32);
        self.touched.set(self.touched.get() | 1 << bit);
    }

    /// The component of a global word, and which of its words that is.
    pub fn part_of(&self, word: u32) -> (usize, usize) {
        let component = self.owner[word as usize] as usize;
        (component, (word - self.components[component].start) as usize)
    }

    /// All words, for comparing whole states.
    pub fn all_words(&self) -> &[u64] {
        self.touched.set(u64::MAX);
        &self.words
    }

    /// The words of a process, to be looked at outside of steps.
    pub fn words_of(&self, pid: u32) -> &[u64] {
        &self.words[self.process(pid).base as usize..]
    }

    pub fn forget_touches(&mut self) {
        self.touched.set(0);
    }

    /// What was touched; `None` if something was that belongs to no component
    /// of the state.
    pub fn touches(&self) -> Option<u64> {
        let touched = self.touched.get();
        (touched >> MOST_COMPONENTS == 0).then_some(touched)
    }

    #[inline]
    pub fn write(&mut self, index: u32, word: u64) {
        self.touch(index);
        let old = std::mem::replace(&mut self.words[index as usize], word);
        if old != word {
            self.log.push((index, old));
            self.live.log += 1;
        }
    }

    pub fn mark(&self) -> Mark {
        self.live
    }

    /// Goes back to an earlier mark.
    pub fn undo(&mut self, mark: Mark) {
        while self.live.log > mark.log {
            let (index, word) = self.log.pop().expect("the log is as long as counted");
            self.words[index as usize] = word;
            self.live.log -= 1;
        }
        if self.live.components > mark.components {
            self.truncate(mark);
        }
        self.live = mark;
    }

    /// Drops what was created since the mark.
    fn truncate(&mut self, mark: Mark) {
        let start = self.components[mark.components as usize].start as usize;
        self.words.truncate(start);
        self.owner.truncate(start);
        self.components.truncate(mark.components as usize);
        self.processes.truncate(mark.processes as usize);
        self.channels.truncate(mark.channels as usize);
    }

    fn push_component(&mut self, kind: Kind, words: u32) -> u32 {
        let start = self.words.len() as u32;
        let number = self.components.len() as u16;
        self.words.resize((start + words) as usize, 0);
        self.owner.resize((start + words) as usize, number);
        self.components.push(Component { start, words, kind });
        self.live.components += 1;
        start
    }

    /// A new channel; its name in the model is its number counted from one.
    fn push_channel(&mut self, decl: ChanDeclId) {
        let shape = &self.program.channels[decl.0 as usize];
        let base = match shape.capacity {
            0 => u32::MAX,
            capacity => self.push_component(Kind::Channel(decl), shape.words(capacity)),
        };
        self.channels.push(Channel { decl, base });
        self.live.channels += 1;
    }

    /// A new process with its channels, all zero; its number.
    pub fn push_process(&mut self, proc: ProcId) -> u32 {
        let shape = &self.program.procs[proc.0 as usize];
        let base = self.push_component(Kind::Process(proc), shape.words);
        self.words[base as usize] = u64::from(proc.0);
        self.processes.push(Process { proc, base });
        self.live.processes += 1;
        for decl in &shape.channels {
            self.push_channel(*decl);
        }
        self.live.processes - 1
    }

    /// The youngest process and its channels are gone.
    pub fn pop_process(&mut self) {
        let process = self.process(self.live.processes - 1);
        self.live.processes -= 1;
        let component = self.owner[process.base as usize];
        self.live.components = u32::from(component);
        let channels = self.program.procs[process.proc.0 as usize].channels.len();
        self.live.channels -= channels as u32;
    }

    /// Makes the buffer hold this state.
    pub fn load_state(&mut self, state: &[CompId], pool: &dyn Pool) {
        let mut index = 0;
        while index < state.len() {
            if self.ids.get(index) == Some(&state[index]) {
                index += 1;
                continue;
            }
            let words = pool.get(state[index]);
            let fits = self.components.get(index).is_some_and(|own| fits(own.kind, words));
            if index < self.ids.len() && fits {
                self.fill(index, words);
                self.ids[index] = state[index];
                index += 1;
            } else {
                self.cut(index);
                self.append(state, index, pool);
                return;
            }
        }
        if state.len() < self.ids.len() {
            self.cut(index);
        }
    }

    /// Forgets the components from `index` on, but never the globals'.
    fn cut(&mut self, index: usize) {
        let keep = index.max(self.fixed).min(self.components.len());
        self.ids.truncate(index);
        if keep == self.components.len() {
            return;
        }
        let start = self.components[keep].start;
        self.words.truncate(start as usize);
        self.owner.truncate(start as usize);
        self.components.truncate(keep);
        self.processes.retain(|process| process.base < start);
        let owned = self
            .processes
            .iter()
            .map(|process| self.program.procs[process.proc.0 as usize].channels.len());
        let channels = self.program.global_channels.len() + owned.sum::<usize>();
        self.channels.truncate(channels);
        self.recount();
    }

    fn recount(&mut self) {
        self.live.components = self.components.len() as u32;
        self.live.processes = self.processes.len() as u32;
        self.live.channels = self.channels.len() as u32;
    }

    /// Reads the components from `index` on.
    fn append(&mut self, state: &[CompId], mut index: usize, pool: &dyn Pool) {
        while index < state.len() {
            if index >= self.fixed && index == self.components.len() {
                let header = pool.get(state[index])[0];
                let number = header & ((1 << header::TYPE_BITS) - 1);
                self.push_process(ProcId(number as u16));
            }
            self.fill(index, pool.get(state[index]));
            self.ids.push(state[index]);
            index += 1;
        }
    }

    fn fill(&mut self, index: usize, words: &[u64]) {
        let Component { start, words: length, .. } = self.components[index];
        let room = &mut self.words[start as usize..(start + length) as usize];
        room[..words.len()].copy_from_slice(words);
        room[words.len()..].fill(0);
    }

    /// The components of the current contents. Only what was written or
    /// created since loading is interned.
    pub fn target(&mut self, pool: &dyn Pool) -> &[CompId] {
        let known = self.ids.len().min(self.live.components as usize);
        self.target.clear();
        self.target.extend_from_slice(&self.ids[..known]);
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamps.len() < self.components.len() {
            self.stamps.resize(self.components.len(), self.stamp.wrapping_sub(1));
        }
        for position in 0..self.log.len() {
            let component = self.owner[self.log[position].0 as usize] as usize;
            if component < known && self.stamps[component] != self.stamp {
                self.stamps[component] = self.stamp;
                self.target[component] = self.intern(component, pool);
            }
        }
        for component in known..self.live.components as usize {
            let id = self.intern(component, pool);
            self.target.push(id);
        }
        &self.target
    }

    fn intern(&mut self, component: usize, pool: &dyn Pool) -> CompId {
        let Component { start, mut words, kind } = self.components[component];
        if let Kind::Channel(decl) = kind {
            let length = (self.words[start as usize] & 0xff) as u32;
            words = self.program.channels[decl.0 as usize].words(length);
        }
        let words = &self.words[start as usize..(start + words) as usize];
        self.recent.id(words, || pool.intern(words))
    }
}

fn fits(kind: Kind, words: &[u64]) -> bool {
    match kind {
        Kind::Globals | Kind::Channel(_) => true,
        Kind::Process(proc) => words[0] & ((1 << header::TYPE_BITS) - 1) == u64::from(proc.0),
    }
}

#[inline]
pub(crate) fn extract(word: u64, shift: u8, bits: u8, signed: bool) -> i32 {
    let drop = 32 - u32::from(bits);
    let value = (word >> shift) as u32;
    if signed { ((value << drop) as i32) >> drop } else { ((value << drop) >> drop) as i32 }
}
