//! Looking broadly beside a search, which keeps what it has stored and goes on afterwards.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use exeunt_model::{Assumption, Facts, Label, Pool, Report, SearchWorker, Session, Watcher};

use super::broad;
use crate::limits::Meter;
use crate::options::Options;

/// Why such a search says nothing.
pub const WRONG: &str = "what it relied on is wrong";

/// A violation that shows within few steps or few switches.
pub fn look(session: &dyn Session, options: &Options, meter: &Meter<'_>) -> Option<Report> {
    let options = Options { beside: true, ..options.clone() };
    broad::look(&mut Lent(session), &options, meter)
}

/// A session that another search uses: nothing of it can be changed. If a search here notices that what both
/// rely on is wrong, it ends, and the other one will notice it, too.
struct Lent<'s>(&'s dyn Session);

impl Session for Lent<'_> {
    fn facts(&self) -> Facts {
        self.0.facts()
    }

    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        self.0.worker(pool)
    }

    fn watcher<'a>(&'a self, pool: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>> {
        self.0.watcher(pool)
    }

    fn assumption(&self) -> Assumption {
        self.0.assumption()
    }

    fn refuted(&self) -> Arc<AtomicBool> {
        self.0.refuted()
    }

    fn renew(&mut self) {
        unreachable!("searches beside another one end before");
    }

    fn limit_actors(&mut self, _: Option<u32>) -> bool {
        false
    }

    fn crowded(&self) -> Arc<AtomicBool> {
        self.0.crowded()
    }

    fn assumptions(&self) -> Vec<String> {
        self.0.assumptions()
    }

    fn remarks(&self) -> Vec<String> {
        self.0.remarks()
    }

    fn incompleteness(&self) -> Vec<String> {
        self.0.incompleteness()
    }

    fn notes(&self) -> Vec<Label> {
        self.0.notes()
    }

    fn unreached(&self) -> Vec<Label> {
        self.0.unreached()
    }
}
