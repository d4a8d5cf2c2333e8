//! What one worker has found, and the sum over all of them.

use exeunt_model::{Label, Session, Unsupported};

use super::part::Number;
use super::wire::{self, Reader, put, put_all, put_text};

/// Something that is wrong, at a state of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A transition of the state, by its place.
    Fault {
        state: Number,
        place: u16,
    },
    Deadlock {
        state: Number,
    },
}

#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub states: u64,
    /// Of these, those that were found but not expanded.
    pub waiting: u64,
    pub transitions: u64,
    pub revisits: u64,
    pub opened: u64,
    pub sites: Vec<u64>,
    pub components: u64,
    pub bytes: u64,
    pub peak_memory: u64,
    /// Bytes of letters to other workers.
    pub sent: u64,
    pub chooses: bool,
    /// Limits that cut something off.
    pub hit: Vec<String>,
    pub unsupported: Vec<Unsupported>,
    /// Reasons why nothing is established although all was seen.
    pub doubts: Vec<String>,
    pub notes: Vec<Label>,
    pub remarks: Vec<String>,
    /// What is wrong, by worker.
    pub findings: Vec<(usize, Finding)>,
}

impl Tally {
    /// What a session knows beyond states.
    pub fn ask(&mut self, session: &dyn Session) {
        self.doubts = session.incompleteness();
        self.notes = session.notes();
        self.remarks = session.remarks();
    }

    pub fn add(&mut self, other: Tally) {
        self.states += other.states;
        self.waiting += other.waiting;
        self.transitions += other.transitions;
        self.revisits += other.revisits;
        self.opened += other.opened;
        self.sites.extend(other.sites);
        self.sites.sort_unstable();
        self.sites.dedup();
        self.components += other.components;
        self.bytes += other.bytes;
        self.peak_memory += other.peak_memory;
        self.sent += other.sent;
        self.chooses |= other.chooses;
        add_new(&mut self.hit, other.hit);
        add_new(&mut self.unsupported, other.unsupported);
        add_new(&mut self.doubts, other.doubts);
        add_new(&mut self.notes, other.notes);
        add_new(&mut self.remarks, other.remarks);
        self.findings.extend(other.findings);
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        let numbers = [
            self.states,
            self.waiting,
            self.transitions,
            self.revisits,
            self.opened,
            self.components,
            self.bytes,
            self.peak_memory,
            self.sent,
            u64::from(self.chooses),
        ];
        numbers.into_iter().for_each(|number| put(out, number));
        let text = |out: &mut Vec<u8>, text: &String| put_text(out, text);
        put_all(out, &self.sites, |out, &site| put(out, site));
        put_all(out, &self.hit, text);
        put_all(out, &self.unsupported, wire::put_unsupported);
        put_all(out, &self.doubts, text);
        put_all(out, &self.notes, wire::put_label);
        put_all(out, &self.remarks, text);
        put_all(out, &self.findings, |out, &(worker, finding)| {
            let (code, state, place) = match finding {
                Finding::Fault { state, place } => (0, state, place),
                Finding::Deadlock { state } => (1, state, 0),
            };
            for number in [worker as u64, code, u64::from(state), u64::from(place)] {
                put(out, number);
            }
        });
    }

    pub fn read(letter: &mut Reader<'_>) -> Tally {
        Tally {
            states: letter.take(),
            waiting: letter.take(),
            transitions: letter.take(),
            revisits: letter.take(),
            opened: letter.take(),
            components: letter.take(),
            bytes: letter.take(),
            peak_memory: letter.take(),
            sent: letter.take(),
            chooses: letter.take() != 0,
            sites: letter.all(Reader::take),
            hit: letter.all(Reader::text),
            unsupported: letter.all(Reader::unsupported),
            doubts: letter.all(Reader::text),
            notes: letter.all(Reader::label),
            remarks: letter.all(Reader::text),
            findings: letter.all(|letter| {
                let (worker, code) = (letter.take() as usize, letter.take());
                let (state, place) = (letter.take() as Number, letter.take() as u16);
                let finding = match code {
                    0 => Finding::Fault { state, place },
                    _ => Finding::Deadlock { state },
                };
                (worker, finding)
            }),
        }
    }
}

/// Adds what is not there yet.
pub fn add_new<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}
