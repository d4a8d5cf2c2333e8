//! The whole way from a model to an answer: search, prove, refine, go on.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use exeunt_smt::Z3;

use crate::certificate;
use crate::config::{Config, Step};
use crate::fading;
use crate::lasso::Lasso;
use crate::proof::{self, Meanings, Proof, Rejected};
use crate::run::Source;
use crate::search::{Progress, Search};
use crate::stop::Stop;
use crate::summary::Place;

/// What a cycle has to do to be the one that is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub growth: WantedGrowth,
    /// A process of this type takes part.
    pub process: Option<u16>,
    /// Not only the best one: one of each kind.
    pub all: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum WantedGrowth {
    /// Growth is preferred; anything will do.
    #[default]
    Preferred,
    /// A channel or a variable.
    Any,
    /// The channels or variables of this name.
    Named(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Limits {
    pub states: u64,
    pub time: Option<Duration>,
    pub interrupt: Arc<AtomicBool>,
}

/// What a hunt brings home.
pub(crate) struct Catch {
    /// The cycle that was asked for, best kind first.
    pub main: Option<Proof>,
    /// A cycle in which nothing grows, if another one is the answer.
    pub plain: Option<Proof>,
    /// The other kinds of cycles, if all were asked for.
    pub others: Vec<Proof>,
    /// Nothing was left to be looked at.
    pub exhausted: bool,
    pub progress: Progress,
    /// Candidates that were run and failed, and candidates that were neither
    /// proven nor refuted.
    pub spurious: u64,
    pub unproven: u64,
    pub why_unproven: Option<String>,
    /// The limits that ended the search.
    pub limits: Vec<String>,
    pub interrupted: bool,
    /// Every run ends, whatever channels hold: how many states there are without their contents.
    pub fades: Option<u64>,
}

/// How good a proof is as an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Plain,
    Variable,
    Channel,
}

/// With so many configurations it is asked whether every run ends, whatever the channels hold.
const MANY: u64 = 64;
/// After a proof the search goes on for a better one: this many times as many
/// configurations, and this many more.
const ENOUGH_TIMES: u64 = 4;
const ENOUGH_MORE: u64 = 1000;
/// Cycles of the same steps that failed so often are tried less and less.
const TRIES: u32 = 4;

pub(crate) fn hunt(
    source: Source<'_>,
    wanted: &Wanted,
    limits: &Limits,
    is_named: &dyn Fn(&Config<i64>, Place) -> bool,
) -> Result<Catch, Stop> {
    let mut hunt = Hunt {
        source,
        wanted,
        is_named,
        solver: Z3::new(),
        found: Vec::new(),
        kinds: BTreeSet::new(),
        tried: HashMap::new(),
        spurious: 0,
        unproven: 0,
        why_unproven: None,
    };
    let mut search = Search::new(source, limits.interrupt.clone())?;
    let begun = Instant::now();
    let mut ended = Vec::new();
    let mut stop_at = u64::MAX;
    let mut exhausted = false;
    let mut kinds = 0;
    let (mut asked, mut fades) = (false, None);
    loop {
        let states = search.progress.states;
        let interrupted = limits.interrupt.load(Ordering::Relaxed);
        if interrupted || states >= stop_at {
            break;
        }
        if !asked && hunt.found.is_empty() && (states >= MANY || states >= limits.states) {
            asked = true;
            fades = fading::fades(source, &limits.interrupt, limits.time.map(|time| begun + time));
            if fades.is_some() {
                break;
            }
        }
        if states >= limits.states {
            ended.push(format!("--max-states {}", limits.states));
            break;
        }
        if limits.time.is_some_and(|time| begun.elapsed() > time) {
            ended.push("--time".to_string());
            break;
        }
        let Some(candidates) = search.advance() else {
            exhausted = true;
            break;
        };
        for candidate in candidates {
            let cycle = search.cycle(&candidate);
            if !is_power(&cycle) {
                hunt.try_candidate(&search.lasso(&candidate, cycle));
            }
        }
        let enough = states * ENOUGH_TIMES + ENOUGH_MORE;
        match hunt.best() {
            // Each new kind is a reason to look further.
            Some(_) if wanted.all && hunt.found.len() > kinds => stop_at = enough,
            Some(_) if wanted.all => {}
            Some(Rank::Channel) => break,
            Some(_) => stop_at = stop_at.min(enough),
            None => {}
        }
        kinds = hunt.found.len();
    }
    if fades.is_none() && (wanted.all || hunt.best() < Some(Rank::Variable)) {
        let cycles = search.exact_cycles();
        search.progress.cyclic = !cycles.is_empty();
        cycles.iter().for_each(|lasso| hunt.try_candidate(lasso));
    }
    let mut progress = search.progress.clone();
    progress.complete &= exhausted;
    progress.states += progress.followed;
    let mut catch = hunt.into_catch(progress, ended, limits.interrupt.load(Ordering::Relaxed));
    catch.exhausted = exhausted;
    catch.fades = fades;
    Ok(catch)
}

/// The channels that got longer and the variables that are not the same.
fn changed_places(before: &Config<i64>, after: &Config<i64>) -> Vec<Place> {
    let mut changed = Vec::new();
    let channels = before.channels.iter().zip(&after.channels).enumerate();
    let longer = channels.filter(|(_, (a, b))| a.messages.len() < b.messages.len());
    changed.extend(longer.map(|(index, _)| Place::Length(index)));
    let globals = before.globals.iter().zip(&after.globals).enumerate();
    changed.extend(globals.filter(|(_, (a, b))| a != b).map(|(slot, _)| Place::Global(slot)));
    for (pid, (a, b)) in before.processes.iter().zip(&after.processes).enumerate() {
        let locals = a.locals.iter().zip(&b.locals).enumerate().filter(|(_, (a, b))| a != b);
        changed.extend(locals.map(|(slot, _)| Place::Local(pid as u32, slot)));
    }
    changed
}

/// What tells cycles apart for people: who moves, and what changes with each round.
type Kind = (BTreeSet<u32>, Vec<Place>);

/// The processes that move in a cycle.
fn movers(lasso: &Lasso) -> BTreeSet<u32> {
    let both = |step: &Step| std::iter::once(step.pid).chain(step.partner.map(|(pid, _)| pid));
    lasso.cycle.iter().flat_map(both).collect()
}

/// Whether a cycle says nothing that smaller ones do not say together: all that grows in it grows in cycles of
/// some of its processes.
fn is_joined(proof: &Proof, others: &[&Proof]) -> bool {
    let own = movers(&proof.lasso);
    let smaller = others.iter().filter(|other| {
        let movers = movers(&other.lasso);
        movers.is_subset(&own) && movers != own
    });
    let grown: BTreeSet<Place> =
        smaller.flat_map(|other| other.growth.iter().map(|growth| growth.place)).collect();
    let mut places = proof.growth.iter().map(|growth| growth.place);
    !proof.growth.is_empty() && places.all(|place| grown.contains(&place))
}

/// Whether a cycle just goes round a smaller one several times.
fn is_power(cycle: &[Step]) -> bool {
    let length = cycle.len();
    (1..=length / 2).any(|part| {
        length.is_multiple_of(part) && (part..length).all(|at| cycle[at] == cycle[at - part])
    })
}

/// Without those that others say together, and with each growth and each set of processes once.
fn apart(main: Option<&Proof>, others: Vec<Proof>) -> Vec<Proof> {
    let all: Vec<&Proof> = main.into_iter().chain(&others).collect();
    let mut known: Vec<(BTreeSet<u32>, BTreeSet<Place>)> = Vec::new();
    let key = |proof: &Proof| {
        let places = proof.growth.iter().map(|growth| growth.place).collect();
        (movers(&proof.lasso), places)
    };
    known.extend(main.map(key));
    let mut keep = Vec::new();
    for proof in &others {
        let own = key(proof);
        keep.push(!is_joined(proof, &all) && !known.contains(&own));
        known.push(own);
    }
    others.into_iter().zip(keep).filter_map(|(proof, keep)| keep.then_some(proof)).collect()
}

struct Hunt<'a> {
    source: Source<'a>,
    wanted: &'a Wanted,
    is_named: &'a dyn Fn(&Config<i64>, Place) -> bool,
    solver: Z3,
    /// At most one proof of each rank, or of each kind if all are asked for, with whether it is what was
    /// asked for.
    found: Vec<(Rank, bool, Proof)>,
    /// The kinds of cycles that were proven.
    kinds: BTreeSet<Kind>,
    /// How often cycles of the same steps were met.
    tried: HashMap<Vec<Step>, u32>,
    spurious: u64,
    unproven: u64,
    why_unproven: Option<String>,
}

impl Hunt<'_> {
    /// The best proof so far of what was asked for.
    fn best(&self) -> Option<Rank> {
        self.found.iter().filter(|(_, fits, _)| *fits).map(|(rank, ..)| *rank).max()
    }

    fn try_candidate(&mut self, lasso: &Lasso) {
        if !self.takes_part(lasso) || !self.could_fit(lasso) {
            return;
        }
        let kind = match self.wanted.all {
            true => self.kind(lasso),
            false => None,
        };
        if kind.as_ref().is_some_and(|kind| self.kinds.contains(kind)) {
            return;
        }
        let times = self.tried.entry(lasso.cycle.clone()).or_default();
        *times += 1;
        if *times > TRIES && !times.is_power_of_two() {
            return;
        }
        match self.prove(lasso) {
            Ok(proof) => match certificate::confirmed(self.source, &proof) {
                Ok(()) => {
                    self.kinds.extend(kind);
                    self.keep(proof);
                }
                Err(why) => {
                    self.unproven += 1;
                    self.why_unproven.get_or_insert(why);
                }
            },
            Err(Rejected::Spurious) => self.spurious += 1,
            Err(why) => {
                self.unproven += 1;
                let text = match why {
                    Rejected::Unproven(text) => text,
                    _ => "its rounds differ".to_string(),
                };
                self.why_unproven.get_or_insert(text);
            }
        }
    }

    /// Variables grow only where an `int` has no bounds, so a variable that
    /// was asked for is looked for there.
    fn prove(&mut self, lasso: &Lasso) -> Result<Proof, Rejected> {
        let proof = proof::prove(self.source, lasso, Meanings::Both, &mut self.solver);
        if self.wanted.growth != WantedGrowth::Preferred
            && !proof.as_ref().is_ok_and(|proof| self.fits(proof))
        {
            return proof::prove(self.source, lasso, Meanings::Ideal, &mut self.solver).or(proof);
        }
        proof
    }

    /// `None` if the cycle cannot be run once.
    fn kind(&self, lasso: &Lasso) -> Option<Kind> {
        let round = lasso.first_round(self.source).ok()?;
        Some((movers(lasso), changed_places(&lasso.start, &round.end)))
    }

    fn takes_part(&self, lasso: &Lasso) -> bool {
        let Some(wanted) = self.wanted.process else { return true };
        let is_one = |pid: u32| {
            let process = lasso.start.processes.get(pid as usize);
            process.is_some_and(|process| process.proc.0 == wanted)
        };
        let both =
            |step: &Step| is_one(step.pid) || step.partner.is_some_and(|(pid, _)| is_one(pid));
        lasso.cycle.iter().any(both)
    }

    /// Whether what is asked to grow changes at all in the first round.
    fn could_fit(&self, lasso: &Lasso) -> bool {
        if self.wanted.growth == WantedGrowth::Preferred {
            return true;
        }
        let Ok(round) = lasso.first_round(self.source) else { return false };
        let named = matches!(self.wanted.growth, WantedGrowth::Named(_));
        let changed = changed_places(&lasso.start, &round.end);
        changed.into_iter().any(|place| !named || (self.is_named)(&lasso.start, place))
    }

    fn fits(&self, proof: &Proof) -> bool {
        match &self.wanted.growth {
            WantedGrowth::Preferred => true,
            WantedGrowth::Any => !proof.growth.is_empty(),
            WantedGrowth::Named(_) => {
                let start = &proof.lasso.start;
                proof.growth.iter().any(|growth| (self.is_named)(start, growth.place))
            }
        }
    }

    fn keep(&mut self, proof: Proof) {
        let rank = match () {
            () if proof.grows_channel() => Rank::Channel,
            () if !proof.growth.is_empty() => Rank::Variable,
            () => Rank::Plain,
        };
        let mut fits = self.fits(&proof);
        // A named variable is as good as it gets.
        let rank = match self.wanted.growth {
            WantedGrowth::Named(_) if fits => Rank::Channel,
            WantedGrowth::Named(_) => Rank::Plain,
            _ => rank,
        };
        if rank == Rank::Plain && self.wanted.growth != WantedGrowth::Preferred {
            fits = false;
        }
        let is_same = |(known, same, _): &(Rank, bool, Proof)| *known == rank && *same == fits;
        if (self.wanted.all && fits) || !self.found.iter().any(is_same) {
            self.found.push((rank, fits, proof));
        }
    }

    fn into_catch(mut self, progress: Progress, limits: Vec<String>, interrupted: bool) -> Catch {
        self.found.sort_by_key(|(rank, fits, _)| (!*fits, std::cmp::Reverse(*rank)));
        let mut main: Option<Proof> = None;
        let mut plain = None;
        let mut others = Vec::new();
        for (_, fits, proof) in self.found {
            let grows = main.as_ref().is_some_and(|main| !main.growth.is_empty());
            if fits && main.is_none() {
                main = Some(proof);
            } else if proof.growth.is_empty() && grows {
                plain.get_or_insert(proof);
            } else if self.wanted.all && fits {
                others.push(proof);
            } else if proof.growth.is_empty() {
                plain.get_or_insert(proof);
            }
        }
        let others = apart(main.as_ref(), others);
        Catch {
            main,
            plain,
            others,
            exhausted: false,
            progress,
            spurious: self.spurious,
            unproven: self.unproven,
            why_unproven: self.why_unproven,
            limits,
            interrupted,
            fades: None,
        }
    }
}
