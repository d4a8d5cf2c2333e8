//! A search of a program: what its workers share.
//!
//! Invariant: what workers share only grows while they run, and nothing of it
//! changes what they do: they rely on the assumption they were made with.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use exeunt_model::{
    Assumption, Basis, Facts, Label, LeftOut, Location, Model, Pool, SearchWorker, Session, Watcher,
};

use crate::clock::{self, Clock};
use crate::meets::Meets;
use crate::stubborn::Futures;
use crate::verifier::SectionNames;
use crate::vm::Vm;
use crate::watch::VmWatcher;
use crate::worker::VmWorker;

pub(crate) struct VmSession<'v> {
    pub(crate) vm: &'v Vm,
    /// Where threads meet.
    pub(crate) meets: Meets,
    /// What threads may still do.
    pub(crate) futures: Futures,
    /// What the clock may show.
    pub(crate) clock: Clock,
    /// Names of the sections that the program marks.
    pub(crate) section_names: SectionNames,
    /// What was seen that is undefined but harmless, by place.
    notes: Mutex<BTreeSet<(Location, String)>>,
    /// An exit code other than 0, the first in the source.
    failing_exit: Mutex<Option<(u64, Location)>>,
    /// What the C++ library has asked of the world outside.
    asked: Mutex<BTreeSet<String>>,
    /// How many threads there may be at a time, and whether there would have been more.
    most_threads: u32,
    crowded: Arc<AtomicBool>,
    /// Why the function of an abstraction could not be evaluated somewhere.
    unmatched: Mutex<Option<String>>,
}

impl VmSession<'_> {
    /// What threads may still do was assumed wrongly, and enough was learnt.
    pub(crate) fn call_off(&self) {
        if !self.meets.refuted.load(Ordering::Acquire) {
            self.futures.call_off();
            self.meets.refuted.store(true, Ordering::Release);
        }
    }

    /// Notes something once for each place.
    pub(crate) fn note(&self, location: Location, text: String) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.insert((location, text));
    }

    /// A run ends with an exit code other than 0.
    pub(crate) fn note_failing_exit(&self, code: u64, location: Location) {
        let mut failing = self.failing_exit.lock().unwrap_or_else(PoisonError::into_inner);
        if failing.as_ref().is_none_or(|known| (&known.1, known.0) > (&location, code)) {
            *failing = Some((code, location));
        }
    }

    /// Notes that the C++ library has asked something of the world outside.
    pub(crate) fn note_asked(&self, what: String) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(what);
    }

    /// Whether there may be one more thread beside so many that are alive.
    pub(crate) fn admits(&self, alive: u32) -> bool {
        alive < self.most_threads
    }

    /// A thread would have been created beyond the bound.
    pub(crate) fn note_crowd(&self) {
        self.crowded.store(true, Ordering::Relaxed);
    }

    /// Notes why some states are compared as they are, once.
    pub(crate) fn note_unmatched(&self, why: String) {
        self.unmatched.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
    }
}

impl Model for Vm {
    fn open<'m>(&'m self, basis: Basis<'_>) -> Box<dyn Session + 'm> {
        Box::new(VmSession::new(self, basis))
    }
}

impl<'v> VmSession<'v> {
    pub(crate) fn new(vm: &'v Vm, basis: Basis<'_>) -> Self {
        let (given, most_threads) = match basis {
            Basis::Given(assumption) => without_limit(assumption),
            Basis::Learnt | Basis::Nothing | Basis::Together => (Assumption::default(), None),
        };
        let basis = match basis {
            Basis::Given(_) => Basis::Given(&given),
            Basis::Learnt | Basis::Nothing | Basis::Together => basis,
        };
        VmSession {
            vm,
            clock: Clock::new(basis, vm.options.watched.is_empty()),
            meets: match basis {
                Basis::Given(assumption) => {
                    let (threads, ..) = clock::split(assumption);
                    Meets::new(Basis::Given(&threads), vm.moves)
                }
                Basis::Learnt | Basis::Nothing | Basis::Together => Meets::new(basis, vm.moves),
            },
            futures: Futures::new(vm.leaves_out && matches!(basis, Basis::Learnt)),
            section_names: SectionNames::default(),
            notes: Mutex::default(),
            failing_exit: Mutex::default(),
            asked: Mutex::default(),
            unmatched: Mutex::default(),
            most_threads: most_threads.unwrap_or(vm.options.max_threads),
            crowded: Arc::default(),
        }
    }
}

/// Marks the word of an assumption that limits threads.
const LIMIT: u64 = 1 << 63;

/// Adds a limit of threads that is not the usual one: a step ends before the thread that
/// is too many, so how far it goes depends on the limit.
fn with_limit(assumption: Assumption, most: u32, usual: u32) -> Assumption {
    if most == usual {
        return assumption;
    }
    let words = assumption.words().iter().copied().chain([LIMIT | u64::from(most)]);
    Assumption::new(words.collect())
}

/// Takes such a limit off again.
fn without_limit(assumption: &Assumption) -> (Assumption, Option<u32>) {
    match assumption.words().split_last() {
        Some((&last, rest)) if last & LIMIT != 0 => {
            (Assumption::new(rest.to_vec()), Some(last as u32))
        }
        _ => (assumption.clone(), None),
    }
}

impl Session for VmSession<'_> {
    fn facts(&self) -> Facts {
        Facts {
            may_choose: self.vm.chooses,
            has_sections: true,
            left_out: match self.futures.are_used() {
                true => LeftOut::Learnt,
                false => LeftOut::None,
            },
            has_turns: self.vm.has_turns(),
            abstraction: self.vm.abstraction.describe(self.vm),
        }
    }

    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        Box::new(VmWorker::new(self, pool))
    }

    fn watcher<'a>(&'a self, pool: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>> {
        Some(Box::new(VmWatcher::new(self, pool)))
    }

    fn assumption(&self) -> Assumption {
        let assumption = clock::join(&self.meets.assumption(), &self.clock);
        with_limit(assumption, self.most_threads, self.vm.options.max_threads)
    }

    /// A search that ends with an assumption that is wrong has not been called off yet.
    fn refuted(&self) -> Arc<AtomicBool> {
        if self.futures.is_stale() {
            self.call_off();
        }
        self.meets.refuted.clone()
    }

    fn renew(&mut self) {
        let others_are_right = self.futures.renew();
        self.clock.renew();
        self.meets.renew(!others_are_right);
    }

    fn limit_actors(&mut self, most: Option<u32>) -> bool {
        let most_threads = self.vm.options.max_threads;
        let before = self.most_threads;
        self.most_threads = most.map_or(most_threads, |most| most.min(most_threads));
        // Steps go as far as the bound lets them.
        if self.most_threads != before {
            self.meets.forget();
            self.futures.forget();
        }
        self.crowded.store(false, Ordering::Relaxed);
        self.most_threads < most_threads
    }

    fn crowded(&self) -> Arc<AtomicBool> {
        self.crowded.clone()
    }

    fn assumptions(&self) -> Vec<String> {
        let copies = self.vm.options.copies_ascend && !self.meets.torn().is_empty();
        let ascending = "blocks of memory are copied in ascending order (--copy-order ascending)";
        let copies = copies.then(|| ascending.to_string());
        self.vm.assumptions.iter().cloned().chain(copies).collect()
    }

    fn remarks(&self) -> Vec<String> {
        let failing = self.failing_exit.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let words = |(code, location): (u64, Location)| {
            format!("a run ends with exit code {code} at {location} (`--exit-code` reports that)")
        };
        failing.map(words).into_iter().collect()
    }

    fn incompleteness(&self) -> Vec<String> {
        let failed = self.unmatched.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // Engines that do not begin again must not rely on what was assumed.
        let void = self.meets.refuted.load(Ordering::Acquire).then(|| {
            "threads meet where the search assumed that they do not (use --reduction tau)".into()
        });
        let reasons = self.vm.sampled.iter().chain(&self.vm.program.caveats).cloned();
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if self.meets.relies_on_nothing() {
            // It may have been asked in an earlier process.
            asked.extend(crate::outside::known_to_library(self.vm));
        }
        let clock = self.clock.incompleteness();
        let crowd = self.crowded.load(Ordering::Relaxed).then(|| {
            let most = self.most_threads;
            format!(
                "only runs with at most {most} threads at a time were explored (--max-threads {most})"
            )
        });
        let reasons = reasons.chain(asked).chain(failed).chain(void).chain(crowd);
        reasons.chain(self.torn_blocks()).chain(clock).collect()
    }

    /// In the order of the source.
    fn notes(&self) -> Vec<Label> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let label = |(location, text): &(Location, String)| Label {
            location: location.clone(),
            text: text.clone(),
        };
        notes.iter().map(label).collect()
    }

    fn unreached(&self) -> Vec<Label> {
        Vec::new()
    }
}
