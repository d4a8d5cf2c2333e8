//! Time: a value that only grows, by steps that the scheduler chooses.
//!
//! What a clock shows is a *term* (`term.rs`): a word that stands for a number and
//! remembers which readings it was computed from. Words are copied as they are;
//! where a program computes with one, another term comes out (`follow.rs`). At
//! first the clock stands still, so a program that never decides anything by
//! the time has not one state more for it, and its answer is exact.
//!
//! Where the outcome of a comparison depends on a reading, the first later instant
//! that would change the outcome is learnt, and the search begins again with a
//! clock that may also show that instant there. This goes on until no comparison
//! asks for more. Then every sequence of outcomes that some clock allows has been
//! explored: among the clocks that lead to a given sequence of outcomes one is the
//! earliest at each reading, and it is reached by raising readings one by one to
//! the first instant that a comparison asks for, as the algorithm of Bellman and
//! Ford does for difference constraints. (Comparisons must be monotone in
//! each reading. Seconds and nanoseconds of a time together are.) As there, a
//! reading whose raise is caused by a raise of itself is not raised: no clock
//! allows these outcomes (`cause.rs`).
//!
//! A use that is not followed (a bit mask, a hash, an index) makes a clean
//! search inconclusive. A violation is always one that a real clock can show,
//! because the numbers of a run are those of a clock that grows.

mod cause;
mod follow;
mod pass;
mod term;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use exeunt_model::{Assumption, Basis, Location};

pub use cause::CauseId;
use cause::Causes;
use term::{Group, Term, Terms, Turn};
pub use term::{Part, Reading, is_term};

/// Nanoseconds since the program was started.
pub type Instant = i64;

pub const SECOND: i64 = 1_000_000_000;
/// No later instant is asked for: about 9 years.
const HORIZON: Instant = 1 << 58;
/// So many instants are told apart.
const MOST_INSTANTS: usize = 64;

/// A place of the program that looks at a clock, with its callers.
pub type Site = u32;

/// What the clock may show at a place, because a comparison asks for it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    pub instant: Instant,
    /// What the readings showed that it was compared with. Where they show something
    /// else, other points are asked for.
    pub bases: Vec<(Site, Instant)>,
    pub cause: CauseId,
}

/// What the clock may show at each place, ascending.
type Points = BTreeMap<Site, Vec<Point>>;

/// What a search knows about the clock.
pub struct Clock {
    terms: RwLock<Terms>,
    /// What the clock may show besides what it showed last.
    points: Points,
    learnt: Mutex<BTreeSet<(Site, Point)>>,
    causes: Mutex<Causes>,
    /// Places where a thread looks at the clock more than once.
    repeated: Mutex<BTreeSet<Site>>,
    /// Where the instants come from.
    source: Source,
    /// More instants would matter than are told apart.
    full: AtomicBool,
    /// The workers made now know that it is full.
    gives_up: bool,
    /// Where something is done with a time that is not followed.
    unfollowed: Mutex<BTreeSet<(Location, &'static str)>>,
}

/// Where the instants of a search come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// They are learnt, and the search begins again.
    Learning,
    /// They are given.
    Given,
    /// There are none: a decision by the clock is not followed.
    None,
}

impl Clock {
    /// `follows`: decisions by the clock are followed. With propositions they are not.
    pub fn new(basis: Basis<'_>, follows: bool) -> Clock {
        let (points, repeated, source) = match basis {
            Basis::Given(assumption) => {
                let (_, points, repeated) = split(assumption);
                (points, repeated, Source::Given)
            }
            Basis::Learnt if follows => (Points::new(), BTreeSet::new(), Source::Learning),
            Basis::Learnt | Basis::Nothing | Basis::Together => {
                (Points::new(), BTreeSet::new(), Source::None)
            }
        };
        Clock {
            terms: RwLock::default(),
            learnt: Mutex::default(),
            causes: Mutex::default(),
            repeated: Mutex::new(repeated),
            points,
            source,
            full: AtomicBool::new(false),
            gives_up: false,
            unfollowed: Mutex::default(),
        }
    }

    /// Whether the clock may show more than one instant.
    #[inline]
    pub fn moves(&self) -> bool {
        !self.points.is_empty()
    }

    /// What a reading may show after this instant, where other readings
    /// showed what `looked` says.
    pub fn later(&self, site: Site, now: Instant, looked: &[(Site, Instant)]) -> Vec<&Point> {
        let repeated = self.repeated.lock().unwrap_or_else(PoisonError::into_inner);
        let showed = |&(base, instant): &(Site, Instant)| {
            let last = looked.binary_search_by_key(&base, |&(site, _)| site);
            repeated.contains(&base) || last.is_ok_and(|at| looked[at].1 == instant)
        };
        let points = self.points.get(&site).map_or(&[][..], |points| points);
        let first = points.partition_point(|point| point.instant <= now);
        points[first..].iter().filter(|point| point.bases.iter().all(showed)).collect()
    }

    /// Whether there is a time after all those that are told apart.
    fn gives_up(&self) -> bool {
        self.gives_up
    }

    /// Adds instants that matter.
    fn learn(&self, turns: &[Turn]) -> Lesson {
        match self.source {
            Source::Given => return Lesson::Known,
            Source::None if turns.is_empty() => return Lesson::Known,
            Source::None => return Lesson::Impossible,
            Source::Learning => {}
        }
        let mut learnt = self.learnt.lock().unwrap_or_else(PoisonError::into_inner);
        let mut causes = self.causes.lock().unwrap_or_else(PoisonError::into_inner);
        let repeated = self.repeated.lock().unwrap_or_else(PoisonError::into_inner);
        let mut grown = false;
        for turn in turns {
            // The earlier of the times is raised: in vain if that raises the later one.
            let caused = |by: &Group| causes.includes(by.cause, turn.who.site);
            let in_vain = !turn.who.added
                && !repeated.contains(&turn.who.site)
                && !turn.against.is_empty()
                && turn.against.iter().all(caused);
            if in_vain {
                continue;
            }
            let cause = causes.join(turn.against.iter().map(|by| (by.site, by.cause)));
            // An earlier time is raised before the later ones are known.
            let known = turn.against.iter().filter(|_| turn.who.added);
            let mut bases: Vec<_> = known.map(|by| (by.site, by.instant)).collect();
            bases.sort_unstable();
            bases.dedup();
            let place = (turn.who.site, Point { instant: turn.to, bases, cause });
            if learnt.contains(&place) {
                continue;
            }
            if learnt.len() >= MOST_INSTANTS {
                grown |= !self.full.swap(true, Ordering::AcqRel);
                continue;
            }
            grown |= learnt.insert(place);
        }
        if grown { Lesson::New } else { Lesson::Known }
    }

    /// A thread looks at the clock at a place where it has done so before.
    fn note_repeated(&self, site: Site) -> Lesson {
        let mut repeated = self.repeated.lock().unwrap_or_else(PoisonError::into_inner);
        match self.source == Source::Learning && repeated.insert(site) {
            true => Lesson::New,
            false => Lesson::Known,
        }
    }

    /// A reading, and what made it what it is.
    fn cause_through(&self, site: Site, cause: CauseId) -> CauseId {
        let mut causes = self.causes.lock().unwrap_or_else(PoisonError::into_inner);
        causes.join([(site, cause)].into_iter())
    }

    /// What made a word what it is.
    fn cause_of(&self, words: &[u64]) -> CauseId {
        let mut groups = Vec::new();
        self.with_terms(|terms| words.iter().for_each(|&w| terms.groups(w, true, &mut groups)));
        let mut causes = self.causes.lock().unwrap_or_else(PoisonError::into_inner);
        causes.join(groups.iter().map(|group| (group.site, group.cause)))
    }

    pub fn renew(&mut self) {
        self.gives_up = *self.full.get_mut();
        let learnt = self.learnt.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.points.clear();
        for (site, point) in learnt.iter() {
            self.points.entry(*site).or_default().push(point.clone());
        }
    }

    /// Why a clean search establishes nothing.
    pub fn incompleteness(&self) -> Vec<String> {
        let unfollowed = self.unfollowed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reasons: Vec<String> = unfollowed
            .iter()
            .take(3)
            .map(|(location, what)| format!("{what} at {location}, which is not followed"))
            .collect();
        if self.full.load(Ordering::Acquire) {
            reasons.push(format!("more than {MOST_INSTANTS} instants of the clock matter"));
        }
        reasons
    }

    /// Something is done with a time that is not followed.
    fn note_unfollowed(&self, location: Location, what: &'static str) {
        let mut places = self.unfollowed.lock().unwrap_or_else(PoisonError::into_inner);
        places.insert((location, what));
    }

    /// A word for a term.
    fn intern(&self, term: Term) -> Option<u64> {
        if let Some(word) = self.terms.read().unwrap_or_else(PoisonError::into_inner).find(&term) {
            return Some(word);
        }
        self.terms.write().unwrap_or_else(PoisonError::into_inner).add(term)
    }

    fn with_terms<T>(&self, work: impl FnOnce(&Terms) -> T) -> T {
        work(&self.terms.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The number that a word stands for, if it stands for one.
    pub fn value(&self, word: u64) -> Option<u64> {
        is_term(word).then(|| self.with_terms(|terms| terms.value(word)))?
    }
}

/// What comes of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lesson {
    Known,
    /// The search has to begin again.
    New,
    /// It would have to, and cannot.
    Impossible,
}

/// The assumption of a session: that about threads, and the points. The last word
/// says how many words are about the latter.
pub fn join(threads: &Assumption, clock: &Clock) -> Assumption {
    let mut words = threads.words().to_vec();
    let start = words.len();
    for (&site, points) in &clock.points {
        for point in points {
            words.extend([site as u64, point.instant as u64, point.bases.len() as u64]);
            words.extend(point.bases.iter().flat_map(|&(base, at)| [base as u64, at as u64]));
        }
    }
    let repeated = clock.repeated.lock().unwrap_or_else(PoisonError::into_inner);
    words.extend(repeated.iter().map(|&site| site as u64));
    words.push(repeated.len() as u64);
    words.push((words.len() - start) as u64);
    Assumption::new(words)
}

/// The parts of an assumption; what is none of ours is about threads.
pub fn split(assumption: &Assumption) -> (Assumption, Points, BTreeSet<Site>) {
    let words = assumption.words();
    let Some((&count, rest)) = words.split_last() else { return Default::default() };
    let at = usize::try_from(count).ok().and_then(|count| rest.len().checked_sub(count));
    let Some(at) = at.filter(|_| count > 0) else {
        return (assumption.clone(), Points::new(), BTreeSet::new());
    };
    let (threads, mut rest) = rest.split_at(at);
    let mut repeated = BTreeSet::new();
    if let Some((&count, sites)) = rest.split_last() {
        let at = sites.len().saturating_sub(count as usize);
        repeated.extend(sites[at..].iter().map(|&site| site as Site));
        rest = &sites[..at];
    }
    let mut points = Points::new();
    while let [site, instant, count, bases @ ..] = rest {
        let Some((bases, behind)) = bases.split_at_checked(2 * *count as usize) else { break };
        let bases = bases.chunks_exact(2).map(|pair| (pair[0] as Site, pair[1] as Instant));
        let point =
            Point { instant: *instant as Instant, bases: bases.collect(), cause: CauseId::NONE };
        points.entry(*site as Site).or_default().push(point);
        rest = behind;
    }
    (Assumption::new(threads.to_vec()), points, repeated)
}

/// Raised when the search has to begin again.
pub fn raise(refuted: &Arc<AtomicBool>) {
    refuted.store(true, Ordering::Release);
}
