//! Exploration by workers that share nothing: a state belongs to the worker that its hash
//! names, which stores and expands it. Targets are sent to the workers that they belong to,
//! with where they were reached from.
//!
//! The states of a worker are expanded in the order in which they arrived, so paths are
//! nearly as short as they can be.

use std::time::{Duration, Instant};

use exeunt_model::{CompId, Detail, Fault, SearchWorker, Session, StateStatus, Unsupported};

use super::gather::{Gather, Gathered};
use super::link::{Hashes, Incoming, Outgoing, owner};
use super::part::{Kind, MOST_PLACES, OUT, Origin, Part, REOPENS};
use super::post::{Post, Turn};
use super::tally::{Finding, Tally};
use super::wire::{Reader, put};
use crate::limits::{self, Meter};
use crate::options::Options;
use crate::snapshot::Keeper;
use crate::store::ComponentPool;

/// A process is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    pub process: usize,
}

/// How an exploration came to its end, for all workers alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explored {
    /// There is nothing left to expand.
    All,
    /// It was stopped: by a limit, or because something is wrong.
    Stopped,
    /// It stands still so that it can be kept, and goes on afterwards.
    Paused,
}

/// One of the workers.
pub struct Hand<'h, 'm> {
    pub post: &'h mut dyn Post,
    pub worker: Box<dyn SearchWorker + 'h>,
    pub part: Part<'h>,
    pub meter: Meter<'m>,
    pub options: &'h Options,
    session: &'h dyn Session,
    outgoing: Vec<Outgoing>,
    incoming: Vec<Incoming>,
    hashes: Hashes,
    gathered: Gathered,
    state: Vec<CompId>,
    pub tally: Tally,
    /// What earlier runs of the same search counted that is counted by sessions.
    before: Tally,
    pub unsupported: Vec<Unsupported>,
    /// Whether choices of the environment matter.
    chooses: bool,
    /// Somebody has stopped, for all workers alike once the round is over.
    pub stopped: bool,
    paused: bool,
    /// Of each worker, what it last told the first one: states, waiting, transitions.
    told: Vec<[u64; 3]>,
    last_told: Instant,
}

/// What a letter of the exploration is about.
const STATES: u8 = 0;
pub const STOP: u8 = 1;
const PAUSE: u8 = 2;
const COUNTS: u8 = 3;

/// A letter is sent when it is as long as this, and after so many expansions.
const LONG: usize = 1 << 15;
const STRIDE: u32 = 512;
/// How many states are expanded before letters are looked at.
const BATCH: u32 = 64;
/// How often the first worker is told how far the others are.
const TELL: Duration = Duration::from_millis(100);

impl<'h, 'm> Hand<'h, 'm> {
    pub fn new(
        post: &'h mut dyn Post,
        session: &'h dyn Session,
        pool: &'h ComponentPool,
        options: &'h Options,
        meter: Meter<'m>,
    ) -> Hand<'h, 'm> {
        let peers = post.peers();
        Hand {
            post,
            worker: session.worker(pool),
            part: Part::new(pool, options.liveness()),
            meter,
            options,
            session,
            outgoing: (0..peers).map(|_| Outgoing::default()).collect(),
            incoming: (0..peers).map(|_| Incoming::default()).collect(),
            hashes: Hashes::default(),
            gathered: Gathered::default(),
            state: Vec::new(),
            tally: Tally::default(),
            before: Tally::default(),
            unsupported: Vec::new(),
            chooses: options.liveness() && session.facts().may_choose,
            stopped: false,
            paused: false,
            told: vec![[0; 3]; peers],
            last_told: Instant::now(),
        }
    }

    /// Takes the initial state if it belongs to this worker. `Err` is a fault before the first step.
    pub fn start(&mut self) -> Result<(), Fault> {
        self.gathered.clear();
        let Hand { gathered, unsupported, .. } = self;
        self.worker.initial(&mut Gather { gathered, labels: None, unsupported });
        if let Some((_, fault)) = self.gathered.fault.take() {
            return Err(fault);
        }
        let initial = self.gathered.steps.iter().find_map(|step| step.target.clone());
        if let Some(initial) = initial {
            let state = &self.gathered.components[initial];
            let home = owner(state, &*self.worker, self.part.pool, &self.hashes, self.post.peers());
            if home == self.post.index() {
                self.part.arrive(state, Origin::initial().pack());
            }
        }
        Ok(())
    }

    /// Explores until nothing is left or somebody stops it.
    pub fn explore(&mut self, keeper: Option<&dyn Keeper>) -> Result<Explored, Lost> {
        self.post.begin();
        self.paused = false;
        let mut expanded = 0u32;
        // A worker that is idle may send letters only when one has arrived: then the round
        // is not over for it. Those that have work write to the first one now and then.
        let mut idle = false;
        loop {
            while let Some((from, letter)) = self.post.receive() {
                self.read(from, &letter);
                idle = false;
            }
            let mut left = BATCH;
            while left > 0 && self.has_work() {
                self.expand();
                left -= 1;
                expanded += 1;
                if self.meter.must_stop(0, &self.part.store, self.part.pool) {
                    self.stop();
                }
            }
            if !idle && !self.has_work() && !self.stopped && self.meter_looks() {
                self.stop();
            }
            let due = keeper.is_some_and(|keeper| keeper.is_due());
            if due && !idle && self.post.index() == 0 && !self.paused {
                self.paused = true;
                self.send_others(&[PAUSE]);
            }
            idle = !self.has_work();
            self.flush(idle || expanded >= STRIDE);
            if expanded >= STRIDE {
                expanded = 0;
            }
            self.tell();
            match self.post.turn(idle) {
                Turn::Going => {}
                Turn::Over => break,
                Turn::Lost { process } => return Err(Lost { process }),
            }
        }
        Ok(match () {
            () if self.stopped => Explored::Stopped,
            () if self.paused => Explored::Paused,
            () => Explored::All,
        })
    }

    fn has_work(&self) -> bool {
        !self.stopped && !self.paused && self.part.next < self.part.len()
    }

    /// Looks at clock, memory and interrupts.
    pub fn meter_looks(&mut self) -> bool {
        self.meter.look(0, &self.part.store, self.part.pool)
    }

    fn expand(&mut self) {
        let number = self.part.next;
        self.part.next += 1;
        self.part.load(number, &mut self.state);
        let Hand { gathered, unsupported, part, worker, state, .. } = self;
        gathered.clear();
        let labels = self.chooses.then_some(&mut part.labels);
        let mut gather = Gather { gathered, labels, unsupported };
        let status: StateStatus = worker.expand(state, Detail::Targets, None, &mut gather);
        gathered.finish(status);
        self.look_at(number);
        self.send_targets(number);
    }

    /// Keeps what is known of a state besides its targets.
    fn look_at(&mut self, number: u32) {
        let Hand { gathered, part, tally, options, .. } = self;
        let flags = &mut part.flags[number as usize];
        *flags |= if gathered.is_out() { OUT } else { 0 };
        *flags |= if gathered.reopens { REOPENS } else { 0 };
        tally.chooses |= gathered.chooses;
        if gathered.chooses && options.liveness() {
            let labels: Vec<_> = gathered.steps.iter().map(|step| step.label).collect();
            let steps = gathered.steps.iter().enumerate().take(MOST_PLACES);
            let nowhere = steps.filter(|(_, step)| step.target.is_none());
            let nowhere: Vec<u16> = nowhere.map(|(place, _)| place as u16).collect();
            part.set_shape(number, &labels, &nowhere);
        }
        let deadlock = gathered.is_deadlock() && (options.deadlock || options.liveness());
        let finding = match gathered.fault {
            Some((place, _)) => {
                let place = place.min(MOST_PLACES) as u16;
                Some(Finding::Fault { state: number, place })
            }
            None => deadlock.then_some(Finding::Deadlock { state: number }),
        };
        if let Some(finding) = finding {
            self.tally.findings.push((self.post.index(), finding));
            self.stop();
        }
    }

    fn send_targets(&mut self, number: u32) {
        if self.gathered.steps.len() > MOST_PLACES || self.part.is_full() {
            self.meter.note("a search has room for no more transitions".to_string());
            self.stop();
        }
        let (me, peers) = (self.post.index(), self.post.peers());
        let Hand { gathered, part, worker, outgoing, tally, hashes, .. } = self;
        for (place, step) in gathered.steps.iter().enumerate().take(MOST_PLACES) {
            let Some(target) = step.target.clone() else { continue };
            let target = &gathered.components[target];
            tally.transitions += 1;
            let home = match peers {
                1 => me,
                _ => owner(target, &**worker, part.pool, hashes, peers),
            };
            if home == me {
                let place = place as u16;
                let origin = Origin { worker: me, state: number, place, kind: step.kind };
                tally.revisits += u64::from(!part.arrive(target, origin.pack()));
                continue;
            }
            let link = &mut outgoing[home];
            if link.letter.is_empty() {
                link.letter.push(STATES);
            }
            put(&mut link.letter, u64::from(number));
            put(&mut link.letter, (place as u64) << 2 | step.kind.code());
            link.add(target, &**worker, part.pool);
        }
    }

    fn read(&mut self, from: usize, letter: &[u8]) {
        let (&tag, rest) = letter.split_first().expect("a letter is about something");
        let mut letter = Reader(rest);
        match tag {
            STATES => self.take_states(from, &mut letter),
            STOP => self.stopped = true,
            PAUSE => self.paused = true,
            COUNTS => self.told[from] = [letter.take(), letter.take(), letter.take()],
            _ => unreachable!("no letter of the exploration begins with {tag}"),
        }
    }

    fn take_states(&mut self, from: usize, letter: &mut Reader<'_>) {
        while !letter.is_empty() {
            let state = letter.take() as u32;
            let code = letter.take();
            let kind = Kind::of_code(code & 3);
            let origin = Origin { worker: from, state, place: (code >> 2) as u16, kind };
            let target = self.incoming[from].take(letter, &*self.worker, self.part.pool);
            self.tally.revisits += u64::from(!self.part.arrive(&target, origin.pack()));
        }
    }

    /// Sends the letters that are long, or all.
    fn flush(&mut self, all: bool) {
        for (to, link) in self.outgoing.iter_mut().enumerate() {
            let due = if all { !link.letter.is_empty() } else { link.letter.len() >= LONG };
            if due {
                self.post.send(to, std::mem::take(&mut link.letter));
            }
        }
    }

    /// Lets all stop.
    pub fn stop(&mut self) {
        if !std::mem::replace(&mut self.stopped, true) {
            self.send_others(&[STOP]);
        }
    }

    fn send_others(&mut self, letter: &[u8]) {
        let me = self.post.index();
        for to in (0..self.post.peers()).filter(|&to| to != me) {
            self.post.send(to, letter.to_vec());
        }
    }

    /// Tells the first worker how far this one is; the first one keeps the limits.
    fn tell(&mut self) {
        let (states, next) = (u64::from(self.part.len()), u64::from(self.part.next));
        let counts = [states, states - next, self.tally.transitions];
        let links = self.outgoing.iter().map(Outgoing::bytes).sum::<u64>();
        let links = links + self.incoming.iter().map(Incoming::bytes).sum::<u64>();
        self.meter.extra = self.part.bytes() + self.worker.bytes() + links;
        if self.post.index() == 0 {
            self.told[0] = counts;
            let sum = |at: usize| self.told.iter().map(|told| told[at]).sum::<u64>();
            self.meter.states = sum(0);
            self.meter.expanded = sum(0) - sum(1);
            self.meter.transitions = sum(2);
        } else if self.has_work() && self.last_told.elapsed() > TELL {
            self.last_told = Instant::now();
            let mut letter = vec![COUNTS];
            counts.into_iter().for_each(|count| put(&mut letter, count));
            self.post.send(0, letter);
        }
    }

    /// Goes on with what an earlier run has counted and seen.
    pub fn take_up(&mut self, before: Tally) {
        self.tally.transitions = before.transitions;
        self.tally.revisits = before.revisits;
        self.tally.chooses = before.chooses;
        self.unsupported = before.unsupported.clone();
        self.before = before;
    }

    /// The sum over all workers of what was found.
    pub fn sum(&mut self) -> Result<Tally, Lost> {
        let own = self.own_tally();
        let mut letter = Vec::new();
        own.write(&mut letter);
        let tallies = self.exchange(letter, |letter| Tally::read(&mut Reader(letter)))?;
        let mut sum = Tally::default();
        tallies.into_iter().for_each(|tally| sum.add(tally));
        Ok(sum)
    }

    /// What this worker has found.
    pub fn own_tally(&self) -> Tally {
        let mut own = self.tally.clone();
        own.states = u64::from(self.part.len());
        own.waiting = own.states - u64::from(self.part.next);
        own.components = self.part.pool.len() as u64;
        own.bytes = self.part.store.bytes() + self.part.pool.bytes() + self.part.bytes();
        own.peak_memory = limits::peak_memory();
        own.sent = self.post.sent();
        own.opened = self.worker.sections_opened() + self.before.opened;
        own.sites = self.worker.section_sites();
        own.hit = self.meter.hit.clone();
        own.unsupported = self.unsupported.clone();
        own.ask(self.session);
        let Tally { sites, doubts, notes, remarks, .. } = self.before.clone();
        own.add(Tally { sites, doubts, notes, remarks, ..Tally::default() });
        own
    }

    /// Sends a letter to everybody, and gives those of all workers, in their order.
    pub fn exchange<T>(
        &mut self,
        letter: Vec<u8>,
        read: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, Lost> {
        self.post.begin();
        let mut all: Vec<Option<T>> = (0..self.post.peers()).map(|_| None).collect();
        all[self.post.index()] = Some(read(&letter));
        self.send_others(&letter);
        loop {
            match self.post.turn(true) {
                Turn::Going => {}
                Turn::Over => break,
                Turn::Lost { process } => return Err(Lost { process }),
            }
            while let Some((from, letter)) = self.post.receive() {
                all[from] = Some(read(&letter));
            }
        }
        Ok(all.into_iter().map(|one| one.expect("every worker has written")).collect())
    }
}
