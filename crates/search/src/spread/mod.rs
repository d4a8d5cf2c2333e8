//! A search whose states are spread over workers that share nothing: threads, processes or
//! machines. What carries letters between them is a [`Post`].
//!
//! All workers go through the same rounds. First they explore. Then they sum up what they found. If nothing is
//! wrong and sections are asked for, states are removed backwards from which the program can be brought to
//! its end (`removal.rs`), and if some are left, sections that can be left (`sections.rs`). A state at which
//! something is wrong has a schedule (`path.rs`), which the first worker tells.

mod backward;
mod explore;
mod gather;
mod keep;
mod link;
mod part;
mod path;
mod post;
mod removal;
mod sections;
mod sets;
#[cfg(test)]
pub mod table;
mod tally;
mod tell;
mod wire;

use exeunt_model::{Report, Session, Verdict};

use crate::check::{Judge, conclude, is_refuted};
use crate::explore::{Graph, Seen, Totals};
use crate::limits::Meter;
use crate::options::{Checkpoints, Options, Progress};
use crate::store::ComponentPool;
use crate::story;
use explore::{Explored, Hand, Lost};
use path::{Spot, path_to};
pub use post::{Post, Turn};
use sets::{read_section, write_section};
use tally::{Finding, Tally, add_new};
use tell::{Suspect, Wrong};
use wire::{Reader, put};

/// How a spread search came to its end.
pub enum Spread {
    /// The report of the whole search, at the first worker.
    Report(Box<Report>),
    /// At the others: its verdict.
    Verdict(Verdict),
    /// A process is gone. What is known so far, without a verdict.
    Lost { process: usize, report: Box<Report> },
}

/// What one worker of a spread search does. All workers have equal programs and options, and as many
/// `slots` for checkpoints: two, or none.
pub fn check_spread(
    session: &dyn Session,
    options: &Options,
    slots: &[Checkpoints],
    post: &mut dyn Post,
    progress: &mut dyn FnMut(&Progress),
) -> Spread {
    let options = &Options { reduces: false, ..options.fitted(session) };
    let mut meter = Meter::new(options, progress);
    meter.refuted = session.refuted();
    let pool = ComponentPool::new();
    let mut hand = Hand::new(post, session, &pool, options, meter);
    match work(&mut hand, session, options, slots) {
        Ok(ended) => ended,
        Err(Lost { process }) => {
            let mut sum = hand.own_tally();
            sum.hit.insert(0, "a worker was lost".to_string());
            let report = report(&mut hand, session, options, &sum, Judged::default());
            Spread::Lost { process, report: Box::new(report) }
        }
    }
}

/// What was found out about a search that is over.
#[derive(Default)]
struct Judged {
    violations: Vec<exeunt_model::Violation>,
    /// Everything was seen.
    complete: bool,
    endless: bool,
    judging: f64,
}

fn work(
    hand: &mut Hand<'_, '_>,
    session: &dyn Session,
    options: &Options,
    slots: &[Checkpoints],
) -> Result<Spread, Lost> {
    let mut judged = Judged::default();
    let explored = explore_all(hand, slots, &mut judged)?;
    if is_refuted(session) {
        hand.meter.note("what was learnt about the program turned out to be wrong".to_string());
    }
    let mut sum = hand.sum()?;
    judged.complete = explored == Explored::All && sum.hit.is_empty();
    let mut suspect = sum.suspect();
    let begun = hand.meter.seconds();
    if judged.complete && suspect.is_none() && options.liveness() && judged.violations.is_empty() {
        suspect = look_for_stuck(hand, options, sum.chooses, &mut judged)?;
        judged.judging = hand.meter.seconds() - begun;
        if hand.stopped {
            sum = hand.sum()?;
            judged.complete = false;
        }
    }
    if let Some(suspect) = suspect {
        let schedule = path_to(hand, suspect.spot)?;
        if hand.post.index() == 0 {
            match tell::retell(session, options, &schedule, suspect.wrong) {
                Ok(violations) => judged.violations = violations,
                Err(why) => sum.hit.push(format!("what was found could not be told: {why}")),
            }
        }
    }
    let first = hand.post.index() == 0;
    let report = first.then(|| Box::new(report(hand, session, options, &sum, judged)));
    let verdict = report.as_ref().map_or(Verdict::Inconclusive, |report| report.verdict);
    let verdict = hand.exchange(vec![verdict.exit_code()], |letter| letter[0])?[0];
    Ok(match report {
        Some(report) => Spread::Report(report),
        None => Spread::Verdict(match verdict {
            0 => Verdict::Holds,
            1 => Verdict::Violated,
            _ => Verdict::Inconclusive,
        }),
    })
}

/// Explores all there is, and keeps it now and then, and when it is stopped.
fn explore_all(
    hand: &mut Hand<'_, '_>,
    slots: &[Checkpoints],
    judged: &mut Judged,
) -> Result<Explored, Lost> {
    let mut time = 0;
    if slots.iter().any(|slot| slot.resume.is_some()) {
        match keep::resume(hand, slots)? {
            Ok(found) => time = found,
            Err(why) => {
                hand.meter.note(format!("the search could not be taken up again: {why}"));
                return Ok(Explored::Stopped);
            }
        }
    } else if let Err(fault) = hand.start() {
        // All workers see the same fault.
        judged.violations.push(story::fault_violation(Default::default(), fault));
        return Ok(Explored::All);
    }
    loop {
        let slot = slots.get((time as usize + 1) % slots.len().max(1));
        let keeper = slot.and_then(|slot| slot.keeper.clone());
        let explored = hand.explore(keeper.as_deref())?;
        if explored == Explored::All {
            return Ok(explored);
        }
        if keeper.is_some() {
            time += 1;
            if let Err(why) = keep::keep(hand, slots, time)? {
                hand.meter.note(format!("--checkpoint ({why})"));
                return Ok(Explored::Stopped);
            }
        }
        if explored == Explored::Stopped {
            return Ok(explored);
        }
    }
}

/// A state in which something is stuck, the same for all workers. None, too, if somebody has stopped.
fn look_for_stuck(
    hand: &mut Hand<'_, '_>,
    options: &Options,
    chooses: bool,
    judged: &mut Judged,
) -> Result<Option<Suspect>, Lost> {
    let dead = removal::remove(hand)?;
    if hand.stopped {
        return Ok(None);
    }
    let left = hand.part.first_left();
    let all = share(hand, left.map(|state| (state, Wrong::Program)))?;
    let Some(program) = all.first().copied() else { return Ok(None) };
    // Where the environment chooses, the end may be reachable all the same.
    judged.endless = !chooses;
    if !options.sections.kinds.is_empty() {
        let own = sections::stuck(hand, dead)?;
        if hand.stopped {
            return Ok(None);
        }
        let own = own.map(|(state, section)| (state, Wrong::Section(section)));
        let all = share(hand, own)?;
        let awaits = |suspect: &&Suspect| matches!(suspect.wrong, Wrong::Section(section) if section.kind == exeunt_model::SectionKind::Await);
        let other = all.iter().find(|suspect| !awaits(suspect));
        if let Some(&suspect) = other.or(all.first()) {
            return Ok(Some(suspect));
        }
    }
    Ok(options.termination.then_some(program))
}

/// What each worker suspects, known to all.
fn share(
    hand: &mut Hand<'_, '_>,
    own: Option<(part::Number, Wrong)>,
) -> Result<Vec<Suspect>, Lost> {
    let mut letter = Vec::new();
    if let Some((state, wrong)) = own {
        put(&mut letter, u64::from(state));
        if let Wrong::Section(section) = wrong {
            write_section(&section, &mut letter);
        }
    }
    let all = hand.exchange(letter, |letter| {
        let mut letter = Reader(letter);
        if letter.is_empty() {
            return None;
        }
        let state = letter.take() as part::Number;
        let wrong = match letter.is_empty() {
            true => Wrong::Program,
            false => Wrong::Section(read_section(&mut letter)),
        };
        Some((state, wrong))
    })?;
    let suspects = all.into_iter().enumerate().filter_map(|(worker, one)| {
        let (state, wrong) = one?;
        Some(Suspect { spot: Spot { worker, state, place: None }, wrong })
    });
    Ok(suspects.collect())
}

impl Tally {
    /// What is wrong, of the first worker that found something.
    fn suspect(&self) -> Option<Suspect> {
        let &(worker, finding) = self.findings.iter().min_by_key(|(worker, _)| *worker)?;
        Some(match finding {
            Finding::Fault { state, place } => {
                let spot = Spot { worker, state, place: Some(place) };
                Suspect { spot, wrong: Wrong::Fault }
            }
            Finding::Deadlock { state } => {
                Suspect { spot: Spot { worker, state, place: None }, wrong: Wrong::Deadlock }
            }
        })
    }

    fn totals(&self, judged: &Judged) -> Totals {
        Totals {
            states: self.states,
            transitions: self.transitions,
            revisits: self.revisits,
            opened: self.opened,
            sites: self.sites.clone(),
            seen: Seen { chooses: self.chooses, ..Seen::default() },
            unsupported: self.unsupported.clone(),
            endless: judged.endless,
            judging: judged.judging,
        }
    }
}

/// The report of the first worker.
fn report(
    hand: &mut Hand<'_, '_>,
    session: &dyn Session,
    options: &Options,
    sum: &Tally,
    judged: Judged,
) -> Report {
    let pool = ComponentPool::new();
    let graph = Graph::new(session.worker(&pool), &pool);
    let mut judge = Judge::new(options);
    judge.sum_up(sum.totals(&judged), sum.bytes, judged.violations);
    let meter = &mut hand.meter;
    meter.hit = sum.hit.clone();
    meter.transitions = sum.transitions;
    meter.revisits = sum.revisits;
    let mut report = conclude(session, graph, meter, judge, judged.complete);
    let statistics = &mut report.statistics;
    statistics.components = sum.components;
    statistics.peak_memory_bytes = sum.peak_memory;
    statistics.table_load = hand.part.store.table_load();
    add_new(&mut report.notes, sum.notes.clone());
    if report.verdict != Verdict::Inconclusive {
        add_new(&mut report.remarks, sum.remarks.clone());
    }
    let peers = hand.post.peers();
    if report.verdict != Verdict::Inconclusive && peers > 1 {
        let bytes = sum.sent as f64 / sum.states.max(1) as f64;
        let exchanged = format!("{peers} processes exchanged {bytes:.1} bytes for each state");
        report.remarks.push(exchanged);
    }
    // What the sessions of others doubt is doubted by all.
    if let (Some(doubt), Verdict::Holds) = (sum.doubts.first(), report.verdict) {
        report.verdict = Verdict::Inconclusive;
        report.reason = doubt.clone();
    }
    add_new(&mut report.limits_hit, sum.doubts.clone());
    report
}
