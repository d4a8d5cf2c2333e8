//! A thread without its frames: status, held sections, thread-specific data.
//!
//! Component layout: a packed head word, then the variable parts it counts,
//! then the frames (see `frame.rs`).

use exeunt_mem::Bits;
use exeunt_model::SectionKind;

use crate::blocks::{Block, Logged, Piece, Progress};

/// Where a thread is in its life, beyond its program counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Runs, or tries, its next instruction.
    Ready,
    /// Inside `pthread_cond_wait`, the mutex released, not yet woken.
    CondWait { cond: u64, mutex: u64, timed: bool },
    /// Woken; has to get the mutex back. `result` is what the wait returns.
    CondRelock { mutex: u64, result: u64 },
    /// Arrived at a barrier that is not yet full.
    BarrierWait { barrier: u64 },
    /// The barrier opened; `serial` is what the wait returns.
    BarrierLeave { serial: bool },
    /// Inside a wait at a futex, for a wake-up that has one of these bits.
    FutexWait { addr: u64, mask: u32, timed: bool },
    /// Woken there.
    FutexWoken,
    /// Finished, not yet joined; `result` is its return value.
    Ended { result: u64 },
    /// No such thread (any more).
    Free,
}

/// What a thread does when its bottom frame returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Running,
    /// Running destructors of thread-specific data.
    ThreadExit,
    /// Running `atexit` handlers and global destructors.
    ProcessExit,
    /// The same, between two of them: frames of before `exit` are not to be
    /// continued.
    BetweenHandlers,
}

/// A section that the thread has entered and not left. Two are the same if
/// kind and resource are.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    pub kind: SectionKind,
    /// What it is about: the address of a mutex, a name…
    pub resource: u64,
    /// Where it was entered (a `LocId`); only kept for user sections, whose
    /// misuse has to name both places.
    pub site: u32,
}

impl Section {
    pub fn new(kind: SectionKind, resource: u64) -> Section {
        Section { kind, resource, site: 0 }
    }
}

impl PartialEq for Section {
    fn eq(&self, other: &Section) -> bool {
        (self.kind, self.resource) == (other.kind, other.resource)
    }
}

impl Eq for Section {}

/// Everything about a thread but its frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub status: Status,
    pub phase: Phase,
    pub detached: bool,
    /// `pthread_cancel` was called on it.
    pub cancelled: bool,
    pub cancel_disabled: bool,
    pub cancel_async: bool,
    /// Depth of `exeunt_atomic_begin`.
    pub atomic: u16,
    /// What `pthread_exit` or the exit code was given, while exiting.
    pub result: u64,
    pub sections: Vec<Section>,
    /// Thread-specific data: key, value (never null).
    pub keys: Vec<(u32, u64)>,
    /// The round of destructors it is in, from 0.
    pub round: u8,
    /// Keys whose destructor has run in this round.
    pub destroyed: Vec<u32>,
    /// Addresses of `pthread_cleanup_push` buffers, innermost last.
    pub cleanup: Vec<u64>,
    /// The start routine, for names.
    pub start: u32,
    /// The size of the stack that its attributes ask for; 0 if none do.
    pub stack: u64,
    /// An operation on several words that is done in pieces and not complete.
    pub block: Option<Block>,
}

impl Head {
    pub fn new(start: u32) -> Head {
        Head {
            status: Status::Ready,
            phase: Phase::Running,
            detached: false,
            cancelled: false,
            cancel_disabled: false,
            cancel_async: false,
            atomic: 0,
            result: 0,
            sections: Vec::new(),
            keys: Vec::new(),
            round: 0,
            destroyed: Vec::new(),
            cleanup: Vec::new(),
            start,
            stack: 0,
            block: None,
        }
    }

    pub fn free() -> Head {
        Head { status: Status::Free, ..Head::new(0) }
    }

    /// Whether the thread still has something to run.
    pub fn is_alive(&self) -> bool {
        !matches!(self.status, Status::Ended { .. } | Status::Free)
    }

    pub fn encode(&self, out: &mut Vec<u64>) {
        let (tag, a, b) = encode_status(self.status);
        let bits = self.detached as u64
            | (self.cancelled as u64) << 1
            | (self.cancel_disabled as u64) << 2
            | (self.cancel_async as u64) << 3
            | (self.phase as u64) << 4
            | ((self.result != 0) as u64) << 6
            | ((self.stack != 0) as u64) << 7;
        out.push(
            tag | bits << 4
                | (self.keys.len() as u64) << 12
                | (self.cleanup.len() as u64) << 28
                | (self.atomic as u64) << 44
                | (self.round as u64) << 60
                | (self.block.is_some() as u64) << 63,
        );
        let counts = self.sections.len() as u64 | (self.destroyed.len() as u64) << 16;
        out.push(self.start as u64 | counts << 32);
        if has_words(tag) {
            out.extend([a, b]);
        }
        if self.result != 0 {
            out.push(self.result);
        }
        if self.stack != 0 {
            out.push(self.stack);
        }
        for section in &self.sections {
            out.extend([section.kind as u64 | (section.site as u64) << 8, section.resource]);
        }
        for &(key, value) in &self.keys {
            out.extend([key as u64, value]);
        }
        out.extend(&self.cleanup);
        out.extend(self.destroyed.iter().map(|&key| key as u64));
        if let Some(block) = &self.block {
            encode_block(block, out);
        }
    }

    /// Reads a head; returns it and the number of words it took.
    pub fn decode(words: &[u64]) -> (Head, usize) {
        let word = words[0];
        let mut at = 2;
        let mut next = || {
            at += 1;
            words[at - 1]
        };
        let tag = word & 15;
        let (a, b) = if has_words(tag) { (next(), next()) } else { (0, 0) };
        let phase = match word >> 8 & 3 {
            0 => Phase::Running,
            1 => Phase::ThreadExit,
            2 => Phase::ProcessExit,
            _ => Phase::BetweenHandlers,
        };
        let result = if word >> 10 & 1 != 0 { next() } else { 0 };
        let stack = if word >> 11 & 1 != 0 { next() } else { 0 };
        let sections = (0..words[1] >> 32 & 0xffff)
            .map(|_| {
                let word = next();
                let kind = SectionKind::from_u8(word as u8).expect("encoded by encode");
                Section { kind, resource: next(), site: (word >> 8) as u32 }
            })
            .collect();
        let keys = (0..word >> 12 & 0xffff).map(|_| (next() as u32, next())).collect();
        let cleanup = (0..word >> 28 & 0xffff).map(|_| next()).collect();
        let destroyed = (0..words[1] >> 48).map(|_| next() as u32).collect();
        let block = (word >> 63 != 0).then(|| decode_block(&mut next));
        let head = Head {
            status: decode_status(tag, a, b),
            phase,
            detached: word >> 4 & 1 != 0,
            cancelled: word >> 5 & 1 != 0,
            cancel_disabled: word >> 6 & 1 != 0,
            cancel_async: word >> 7 & 1 != 0,
            atomic: (word >> 44) as u16,
            round: (word >> 60 & 7) as u8,
            destroyed,
            result,
            sections,
            keys,
            cleanup,
            start: words[1] as u32,
            stack,
            block,
        };
        (head, at)
    }
}

fn encode_block(block: &Block, out: &mut Vec<u64>) {
    let (tag, count) = match &block.progress {
        Progress::Reading(log) => (0, log.len()),
        Progress::Writing { pieces, .. } => (1, pieces.len()),
    };
    out.push(block.depth as u64 | tag << 31 | (count as u64) << 32);
    match &block.progress {
        Progress::Reading(log) => {
            for word in log {
                out.extend([word.addr, word.bits.value, word.bits.undefined]);
            }
        }
        Progress::Writing { results, pieces } => {
            out.extend(results.iter().flat_map(|bits| [bits.value, bits.undefined]));
            for piece in pieces {
                out.extend([piece.addr, piece.len as u64, piece.bits.value, piece.bits.undefined]);
            }
        }
    }
}

fn decode_block(next: &mut impl FnMut() -> u64) -> Block {
    let word = next();
    let bits = |next: &mut dyn FnMut() -> u64| Bits { value: next(), undefined: next() };
    let count = word >> 32;
    let progress = match word >> 31 & 1 {
        0 => {
            let word = |_| Logged { addr: next(), bits: bits(next) };
            Progress::Reading((0..count).map(word).collect())
        }
        _ => {
            let results = [bits(next), bits(next)];
            let piece = |_| Piece { addr: next(), len: next() as u32, bits: bits(next) };
            Progress::Writing { results, pieces: (0..count).map(piece).collect() }
        }
    };
    Block { depth: word as u32 & 0x7fff_ffff, progress }
}

/// Whether a status has two words of its own.
fn has_words(tag: u64) -> bool {
    matches!(tag, 1..=5 | 9 | 10)
}

fn encode_status(status: Status) -> (u64, u64, u64) {
    match status {
        Status::Ready => (0, 0, 0),
        Status::CondWait { cond, mutex, timed: false } => (1, cond, mutex),
        Status::CondWait { cond, mutex, timed: true } => (2, cond, mutex),
        Status::CondRelock { mutex, result } => (3, mutex, result),
        Status::BarrierWait { barrier } => (4, barrier, 0),
        Status::Ended { result } => (5, result, 0),
        Status::BarrierLeave { serial: false } => (6, 0, 0),
        Status::BarrierLeave { serial: true } => (7, 0, 0),
        Status::Free => (8, 0, 0),
        Status::FutexWait { addr, mask, timed: false } => (9, addr, mask.into()),
        Status::FutexWait { addr, mask, timed: true } => (10, addr, mask.into()),
        Status::FutexWoken => (11, 0, 0),
    }
}

fn decode_status(tag: u64, a: u64, b: u64) -> Status {
    match tag {
        0 => Status::Ready,
        1 => Status::CondWait { cond: a, mutex: b, timed: false },
        2 => Status::CondWait { cond: a, mutex: b, timed: true },
        3 => Status::CondRelock { mutex: a, result: b },
        4 => Status::BarrierWait { barrier: a },
        5 => Status::Ended { result: a },
        6 => Status::BarrierLeave { serial: false },
        7 => Status::BarrierLeave { serial: true },
        9 => Status::FutexWait { addr: a, mask: b as u32, timed: false },
        10 => Status::FutexWait { addr: a, mask: b as u32, timed: true },
        11 => Status::FutexWoken,
        _ => Status::Free,
    }
}

/// Only the status, without decoding the rest.
pub fn peek_status(words: &[u64]) -> Status {
    let tag = words[0] & 15;
    let (a, b) = if has_words(tag) { (words[2], words[3]) } else { (0, 0) };
    decode_status(tag, a, b)
}

/// The encoded frames of an encoded thread.
pub fn frames_of(words: &[u64]) -> &[u64] {
    &words[Head::decode(words).1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_survive_encoding() {
        let mut head = Head::new(7);
        head.status = Status::CondWait { cond: 5, mutex: 6, timed: true };
        head.phase = Phase::ThreadExit;
        head.result = 99;
        head.stack = 1 << 16;
        head.cancelled = true;
        head.atomic = 2;
        head.sections.push(Section::new(SectionKind::Critical, 1 << 60));
        head.keys.push((3, 4));
        head.cleanup.push(77);
        head.round = 3;
        head.destroyed = vec![2, 5];
        for status in [
            head.status,
            Status::Ready,
            Status::Ended { result: 3 },
            Status::BarrierLeave { serial: true },
            Status::CondRelock { mutex: 1, result: 110 },
            Status::FutexWait { addr: 1 << 40, mask: u32::MAX, timed: true },
            Status::FutexWoken,
        ] {
            head.status = status;
            let mut words = Vec::new();
            head.encode(&mut words);
            assert_eq!(Head::decode(&words), (head.clone(), words.len()));
            assert_eq!(peek_status(&words), status);
        }
    }
}
