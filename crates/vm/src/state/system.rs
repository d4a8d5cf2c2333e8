//! The first component of a state: what belongs to no thread and no object.

use exeunt_ir::LocId;
use exeunt_ir::address::ObjId;

use super::directory;
use crate::blocks::InProgress;
use crate::clock::{CauseId, Instant, Site};

/// A function to call at the end, and its argument (0 for `atexit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtExit {
    pub handler: u64,
    pub argument: u64,
}

/// Process-wide facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// The program has ended.
    pub ended: bool,
    /// Threads that still run.
    pub alive: u32,
    /// One more than the highest thread number in use.
    pub threads: u32,
    /// The thread that alone may move (cut off inside an atomic block), plus one.
    pub exclusive: u32,
    /// Destructors of thread-specific data keys by key; 0 is none, 1 "deleted".
    pub keys: Vec<u64>,
    /// What is called when the program ends, last registered last.
    pub at_exit: Vec<AtExit>,
    /// State of `rand`.
    pub seed: u32,
    /// Memory that is tracked but not matched: address and length.
    pub ignored: Vec<(u64, u64)>,
    /// Heap objects that are gone and whose address may be known in disguise.
    pub hidden: Vec<ObjId>,
    /// What block operations that are under way touch.
    pub blocks: Vec<InProgress>,
    /// What the clock showed last, if it moves.
    pub now: Instant,
    /// Why it showed that.
    pub cause: CauseId,
    /// Threads that sleep or wait for some time.
    pub wakes: Vec<Wake>,
    /// Where threads have looked at it, and what it showed there last.
    pub looked: Vec<(Site, Instant)>,
}

/// A thread that sleeps or waits for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wake {
    pub thread: u32,
    pub until: Instant,
    pub cause: CauseId,
}

impl System {
    /// The list of dynamic objects follows the fixed part.
    pub fn encode(&self, objects: &[u64], out: &mut Vec<u64>) {
        out.push(
            self.ended as u64
                | (self.hidden.len() as u64) << 1
                | (self.has_time() as u64) << 4
                | (self.alive as u64) << 8
                | (self.threads as u64) << 20
                | (self.exclusive as u64) << 32
                | (self.blocks.len() as u64) << 44
                | (self.at_exit.len() as u64) << 54,
        );
        let counts = self.ignored.len() as u64 | (self.keys.len() as u64) << 16;
        out.push(self.seed as u64 | counts << 32);
        out.extend(&self.keys);
        out.extend(self.at_exit.iter().flat_map(|entry| [entry.handler, entry.argument]));
        out.extend(self.ignored.iter().flat_map(|&(addr, len)| [addr, len]));
        out.extend(self.hidden.iter().map(|id| id.0 as u64));
        for range in &self.blocks {
            let packed =
                range.thread as u64 | (range.write as u64) << 16 | (range.site.0 as u64) << 32;
            out.extend([packed, range.start, range.end]);
        }
        if self.has_time() {
            let counts = (self.wakes.len() as u64) << 32 | (self.looked.len() as u64) << 48;
            out.extend([self.now as u64, self.cause.0 as u64 | counts]);
            out.extend(self.wakes.iter().flat_map(|wake| {
                [wake.thread as u64 | (wake.cause.0 as u64) << 32, wake.until as u64]
            }));
            out.extend(self.looked.iter().flat_map(|&(site, at)| [site as u64, at as u64]));
        }
        directory::encode(objects, out);
    }

    /// Whether time has passed, as far as the program can tell.
    fn has_time(&self) -> bool {
        self.now != 0 || !self.wakes.is_empty() || !self.looked.is_empty()
    }

    /// Where the directory begins in its encoded form.
    pub fn directory_start(&self) -> usize {
        2 + self.keys.len()
            + 2 * self.at_exit.len()
            + 2 * self.ignored.len()
            + self.hidden.len()
            + 3 * self.blocks.len()
            + if self.has_time() { 2 + 2 * (self.wakes.len() + self.looked.len()) } else { 0 }
    }

    /// Whether the program has ended, in an encoded form.
    pub fn is_ended(words: &[u64]) -> bool {
        words[0] & 1 != 0
    }

    /// How many threads there are, in an encoded form.
    pub fn thread_count(words: &[u64]) -> u32 {
        (words[0] >> 20 & 0xfff) as u32
    }

    /// The directory of dynamic objects, in its encoded form.
    pub fn directory(words: &[u64]) -> &[u64] {
        let mut system = System::default();
        system.decode(words);
        &words[system.directory_start()..]
    }

    pub fn decode(&mut self, words: &[u64]) {
        let word = words[0];
        self.ended = System::is_ended(words);
        self.alive = (word >> 8 & 0xfff) as u32;
        self.threads = System::thread_count(words);
        self.exclusive = (word >> 32 & 0xfff) as u32;
        self.seed = words[1] as u32;
        let keys = (words[1] >> 48) as usize;
        let at_exit = (word >> 54) as usize;
        self.keys.clear();
        self.keys.extend(&words[2..2 + keys]);
        self.at_exit.clear();
        let end = 2 + keys + 2 * at_exit;
        let entries = words[2 + keys..end].chunks(2);
        self.at_exit.extend(entries.map(|e| AtExit { handler: e[0], argument: e[1] }));
        let hidden = end + 2 * (words[1] >> 32 & 0xffff) as usize;
        let blocks = hidden + (word >> 1 & 7) as usize;
        let time = blocks + 3 * (word >> 44 & 0x3ff) as usize;
        self.ignored.clear();
        self.hidden.clear();
        self.hidden.extend(words[hidden..blocks].iter().map(|&id| ObjId(id as u32)));
        self.ignored.extend(words[end..hidden].chunks_exact(2).map(|r| (r[0], r[1])));
        self.blocks.clear();
        self.blocks.extend(words[blocks..time].chunks_exact(3).map(|r| InProgress {
            thread: r[0] as u32 & 0xffff,
            site: LocId((r[0] >> 32) as u32),
            start: r[1],
            end: r[2],
            write: r[0] >> 16 & 1 != 0,
        }));
        self.now = 0;
        self.cause = CauseId::NONE;
        self.wakes.clear();
        self.looked.clear();
        if word >> 4 & 1 != 0 {
            self.now = words[time] as i64;
            self.cause = CauseId(words[time + 1] as u32);
            let looked = time + 2 + 2 * (words[time + 1] >> 32 & 0xffff) as usize;
            let wakes = words[time + 2..looked].chunks_exact(2);
            self.wakes.extend(wakes.map(|wake| Wake {
                thread: wake[0] as u32,
                until: wake[1] as i64,
                cause: CauseId((wake[0] >> 32) as u32),
            }));
            let count = (words[time + 1] >> 48) as usize;
            let looks = words[looked..looked + 2 * count].chunks_exact(2);
            self.looked.extend(looks.map(|look| (look[0] as Site, look[1] as Instant)));
        }
    }
}
