//! The first component of a state: what belongs to no thread and no object.

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
}

impl System {
    /// The directory of dynamic objects follows the fixed part.
    pub fn encode(&self, directory: &[u64], out: &mut Vec<u64>) {
        out.push(
            self.ended as u64
                | (self.alive as u64) << 8
                | (self.threads as u64) << 20
                | (self.exclusive as u64) << 32
                | (self.at_exit.len() as u64) << 54,
        );
        let counts = self.ignored.len() as u64 | (self.keys.len() as u64) << 16;
        out.push(self.seed as u64 | counts << 32);
        out.extend(&self.keys);
        out.extend(self.at_exit.iter().flat_map(|entry| [entry.handler, entry.argument]));
        out.extend(self.ignored.iter().flat_map(|&(addr, len)| [addr, len]));
        out.extend(directory);
    }

    /// Where the directory begins in its encoded form.
    pub fn directory_start(&self) -> usize {
        2 + self.keys.len() + 2 * self.at_exit.len() + 2 * self.ignored.len()
    }

    pub fn decode(&mut self, words: &[u64]) {
        let word = words[0];
        self.ended = word & 1 != 0;
        self.alive = (word >> 8 & 0xfff) as u32;
        self.threads = (word >> 20 & 0xfff) as u32;
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
        let directory = end + 2 * (words[1] >> 32 & 0xffff) as usize;
        self.ignored.clear();
        self.ignored.extend(words[end..directory].chunks_exact(2).map(|r| (r[0], r[1])));
    }
}
