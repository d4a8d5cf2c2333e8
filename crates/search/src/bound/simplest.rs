//! The simplest schedule to a violation that is known: the fewest preemptive context switches, and with
//! these the fewest steps.
//!
//! The bound grows from none. A search under a bound that ends without the violation, and was
//! cut off by nothing but the bound, proves that more switches are needed; that is claimed for faults and
//! deadlocks only. (That a section cannot end is shown by a set of states with all their moves. Where a
//! thread of the set runs for ever beside others, a bound cuts such a set.)

use std::time::{Duration, Instant};

use exeunt_model::{Property, Report, Session, SessionAround, Violation};

use super::context::ContextBound;
use crate::check::check;
use crate::options::{Limits, Options, Order, Progress};

/// A violation with a simpler schedule.
pub struct Simplest {
    pub violation: Violation,
    /// The preemptive context switches that it was found with.
    pub switches: u32,
    /// Whether no schedule with fewer shows it.
    pub proven: bool,
}

/// Looks for the same violation with as few switches as possible, for so long.
pub fn simplest(
    session: &mut dyn Session,
    options: &Options,
    known: &Violation,
    time: Duration,
    progress: &mut dyn FnMut(&Progress),
) -> Option<Simplest> {
    let start = Instant::now();
    let mut proven = is_moment(known.property);
    for most in 0.. {
        let left = time.checked_sub(start.elapsed()).filter(|left| !left.is_zero())?;
        let options = Options {
            order: Order::Shortest,
            all: true,
            // Reports do not depend on how many search, but on what they are cut off by.
            jobs: 1,
            reduces: false,
            limits: Limits { time: Some(left), ..options.limits.clone() },
            ..options.clone()
        };
        let mut bound = ContextBound::new(session, most);
        let report = check(&mut bound, &options, progress);
        if let Some(violation) = same(&report, known) {
            return Some(Simplest { violation, switches: most, proven });
        }
        let of_model = bound.inner().incompleteness().len();
        let of_bound = usize::from(bound.has_cut());
        // Where something else stopped a run too (an unsupported call, another violation), or inputs
        // are sampled, it might show with fewer all the same.
        let only_bound = bound.left_out().is_some_and(|why| why == report.reason);
        proven &= only_bound && of_model == 0;
        let gave_up = report.limits_hit.len() > of_model + of_bound;
        if gave_up || !bound.has_cut() {
            return None;
        }
    }
    None
}

/// Whether one state shows it.
fn is_moment(property: Property) -> bool {
    !matches!(property, Property::Section | Property::Termination | Property::Ltl)
}

/// The violation of a report that is the known one: for the same reason at the same place.
fn same(report: &Report, known: &Violation) -> Option<Violation> {
    let section = |violation: &Violation| {
        let first = violation.sections.first()?;
        Some((first.kind, first.name.clone()))
    };
    let found = report.violations.iter().find(|violation| {
        let alike = violation.property == known.property && violation.location == known.location;
        match known.property {
            // All that is stuck is named in the message, in an order of the schedule.
            Property::Deadlock => violation.property == known.property,
            Property::Section => alike && section(violation) == section(known),
            _ => alike && violation.message == known.message,
        }
    });
    found.cloned()
}
