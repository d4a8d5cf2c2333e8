//! Keeps count, and knows when to give up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use exeunt_model::Report;

use crate::explore::{Expansion, Graph};
use crate::options::{Options, Progress};
use crate::outlook::Growth;
use crate::store::{ComponentPool, StateStore};
use crate::story::Bounds;

/// Watches a running search.
pub struct Meter<'a> {
    options: &'a Options,
    report: &'a mut dyn FnMut(&Progress),
    start: Instant,
    ticks: u32,
    last_report: f64,
    last_look: f64,
    pub transitions: u64,
    /// States whose moves were looked at.
    pub expanded: u64,
    pub revisits: u64,
    pub max_depth: u64,
    /// Bytes that the explorer itself uses.
    pub extra: u64,
    /// Expansions took little time before the last look.
    quick: bool,
    /// States that it has seen besides those in the store.
    pub states: u64,
    /// Limits that cut something off.
    pub hit: Vec<String>,
    pub interrupted: bool,
    /// Stopped by the user, the clock or memory: another search would be too.
    pub exhausted: bool,
    /// Stop at so many states, without calling it a limit.
    pub patience: Option<u64>,
    pub lost_patience: bool,
    /// To put moves off was tried, and was not worth it.
    pub puts_off_little: bool,
    /// When to stop for short searches that look broadly.
    pub turns_away: TurnsAway,
    /// It was stopped for them.
    pub turned_away: bool,
    /// What they found.
    pub found: Option<Report>,
    /// It dived; otherwise it was only large.
    pub dived: bool,
    /// Raised where there are more actors than are looked at first.
    pub crowded: Option<Arc<AtomicBool>>,
    /// Pairs of a state and a state of a claim.
    pub pairs: u64,
    /// Raised if the search is void.
    pub refuted: Arc<AtomicBool>,
    /// Searches that were, and their states.
    pub discarded: (u64, u64),
    /// After one of them, walks have learnt what there is to learn.
    pub has_walked: bool,
    resident: Resident,
    /// When the system was last asked for it, what the search had then, and the answer.
    resident_seen: (f64, u64, u64),
    growth: Growth,
    /// What the explorer says about how far it is.
    outlook: Outlook,
    /// Somebody was told how far it is: the explorer may say more for the next time.
    told: bool,
    /// Bytes of components at which memory is looked at in any case.
    next_look: u64,
}

/// What an explorer knows about its progress that counts do not tell.
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    pub share: Option<f64>,
    pub place: String,
}

/// How many expansions pass between looks at the clock.
const STRIDE: u32 = 256;
/// So many expansions pass before the clock is looked at alone, and after so many seconds
/// all is looked at.
const GLANCE: u32 = 4;
const LATE: f64 = 0.05;
/// The same while expansions are quick: when the last look was so few seconds ago.
const GLANCE_OF_QUICK: u32 = 16;
const QUICK: f64 = 0.002;
/// Explorers count what they use after so many expansions.
const COUNTED: u32 = 16;

/// The system is asked what the process has after so many seconds, or after so many bytes.
const RESIDENT_ASKED: f64 = 0.01;
const MUCH_MEMORY: u64 = 1 << 20;

/// States, components and pairs have numbers of 31 or 32 bits. So many leave
/// room for what is stored between two looks, and to tell what was found.
const CAPACITY: u64 = (1 << 31) - (1 << 26);

/// At so many states it is looked at whether the search dives: whether its path
/// has a good part of them, and few transitions led to a known state. (Rings of
/// processes have long paths, too, but meet the same states again.)
const DIVE: u64 = 1 << 14;
const SLOPE: u64 = 4;
const FEW: u64 = 16;

/// So many states are a large search: before it goes on it looks broadly, and briefly.
const LARGE: u64 = 1 << 17;

/// When a search stops to look broadly first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnsAway {
    Never,
    /// If it dives, and if `large` also once it is large.
    Early {
        large: bool,
    },
    /// Once it is large.
    Late,
}

/// Bytes of a step of a story of which only the mover is told.
pub const BARE_STEP: u64 = 200;

/// Where a search stops so that all of it stays within a limit of memory: to
/// conclude takes some, too.
pub fn most(limit: u64) -> u64 {
    limit - limit / 50
}

impl<'a> Meter<'a> {
    pub fn new(options: &'a Options, report: &'a mut dyn FnMut(&Progress)) -> Meter<'a> {
        Meter {
            options,
            report,
            start: Instant::now(),
            ticks: 0,
            last_report: 0.0,
            last_look: 0.0,
            transitions: 0,
            expanded: 0,
            revisits: 0,
            max_depth: 0,
            extra: 0,
            quick: false,
            states: 0,
            hit: Vec::new(),
            interrupted: false,
            exhausted: false,
            patience: None,
            lost_patience: false,
            puts_off_little: false,
            turns_away: TurnsAway::Never,
            turned_away: false,
            found: None,
            dived: false,
            crowded: None,
            pairs: 0,
            refuted: Arc::default(),
            discarded: (0, 0),
            has_walked: false,
            resident: Resident::new(),
            resident_seen: (0.0, 0, 0),
            growth: Growth::default(),
            outlook: Outlook::default(),
            told: false,
            next_look: u64::MAX,
        }
    }

    /// Counts what a state was expanded by.
    #[inline]
    pub fn count(&mut self, expansion: &Expansion) {
        let (mut transitions, mut new) = (0, 0);
        for edge in &expansion.edges {
            transitions += edge.target.is_some() as u64;
            new += edge.new as u64;
        }
        self.expanded += 1;
        self.transitions += transitions;
        self.revisits += transitions - new;
    }

    /// A state was counted that had been counted before, with so many transitions.
    pub fn discount(&mut self, transitions: u64) {
        self.expanded -= 1;
        self.transitions -= transitions;
        self.revisits -= transitions;
    }

    /// For another search, because this one is void.
    pub fn discard(&mut self) {
        self.discarded.0 += 1;
        self.discarded.1 += self.expanded;
        self.start_again();
    }

    /// For another search of the same model; the clock runs on.
    pub fn start_again(&mut self) {
        self.patience = None;
        self.lost_patience = false;
        self.exhausted = false;
        self.transitions = 0;
        self.expanded = 0;
        self.revisits = 0;
        self.max_depth = 0;
        self.extra = 0;
        self.hit.clear();
    }

    /// For another search in what is left of the time.
    pub fn rest_of(&self, options: &Options) -> Options {
        let mut options = options.clone();
        options.limits.spent += self.start.elapsed();
        options
    }

    /// What telling a story may cost.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.options, self.start)
    }

    /// Whether there is no time for anything else.
    pub fn is_over(&self) -> bool {
        let limits = &self.options.limits;
        self.options.interrupt.load(Ordering::Relaxed)
            || limits.time.is_some_and(|limit| self.start.elapsed() + limits.spent > limit)
    }

    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Does not stop a search that puts off much: another one would have more states.
    pub fn bear_with(&mut self, graph: &Graph<'_>) {
        let half = self.patience.map_or(u64::MAX, |patience| patience / 2);
        if graph.reduces && graph.store.len() as u64 > half && graph.puts_off_much() {
            self.patience = None;
        }
    }

    /// Whether the search must stop now. Called once per expansion.
    pub fn must_stop(&mut self, depth: u64, store: &StateStore, pool: &ComponentPool) -> bool {
        // What lies beyond the limit is stored but not visited.
        let visited = self.options.limits.max_depth.map_or(depth, |max| depth.min(max));
        self.max_depth = self.max_depth.max(visited);
        if self.patience.is_some_and(|patience| store.len() as u64 > patience) {
            self.lost_patience = true;
            return true;
        }
        if self.turns_away != TurnsAway::Never && self.must_turn_away(depth, store.len() as u64) {
            self.turned_away = true;
            self.lost_patience = true;
            return true;
        }
        if let Some(max) = self.options.limits.max_states
            && self.states.max(store.len() as u64) > max
        {
            self.note(format!("--max-states {max}"));
            return true;
        }
        self.ticks += 1;
        // The first expansions may each take long: look at the clock then too.
        // So may those that store much.
        let due = self.ticks.is_multiple_of(STRIDE) || self.ticks <= 64 || self.is_late();
        if !due && pool.bytes() < self.next_look {
            return false;
        }
        self.look(depth, store, pool)
    }

    /// Asks the explorer for its outlook, if somebody watches and the last one was told.
    pub fn take_outlook(&mut self, outlook: impl FnOnce() -> Outlook) {
        if std::mem::take(&mut self.told) && self.options.watched {
            self.outlook = outlook();
        }
    }

    /// Whether so many states are a reason to look broadly.
    fn must_turn_away(&mut self, depth: u64, states: u64) -> bool {
        let (early, large) = match self.turns_away {
            TurnsAway::Early { large } if states >= DIVE => (true, large),
            TurnsAway::Late if states >= LARGE => (false, true),
            TurnsAway::Early { .. } | TurnsAway::Late | TurnsAway::Never => return false,
        };
        let new = self.revisits <= self.transitions / FEW;
        let dives = new && depth >= states / SLOPE;
        let waits = early && !dives && large;
        self.turns_away = if waits { TurnsAway::Late } else { TurnsAway::Never };
        self.dived = dives;
        dives || !early
    }

    /// Whether expansions take so long that the next look would be late.
    fn is_late(&self) -> bool {
        let glance = if self.quick { GLANCE_OF_QUICK } else { GLANCE };
        self.ticks.is_multiple_of(glance) && self.seconds() - self.last_look > LATE
    }

    /// Whether `extra` should be counted anew before the next look.
    pub fn wants_extra(&self) -> bool {
        self.ticks <= 64 || (self.ticks + 1).is_multiple_of(COUNTED)
    }

    /// Looks at clock, memory and interrupts, and tells how far it is.
    pub fn look(&mut self, depth: u64, store: &StateStore, pool: &ComponentPool) -> bool {
        let seconds = self.seconds();
        self.quick = seconds - self.last_look < QUICK;
        self.last_look = seconds;
        let memory = store.bytes_lately() + pool.bytes() + self.extra;
        if seconds - self.last_report > 0.08 {
            self.last_report = seconds;
            self.told = true;
            let states = self.states.max(store.len() as u64);
            let grown = self.growth.share(states, self.expanded);
            let Outlook { share, place } = std::mem::take(&mut self.outlook);
            (self.report)(&Progress {
                states,
                waiting: states.saturating_sub(self.expanded),
                transitions: self.transitions,
                depth,
                share: share.or(grown),
                place,
                memory,
                memory_limit: self.options.limits.memory,
                seconds,
                discarded: self.discarded.0,
            });
        }
        if self.refuted.load(Ordering::Acquire) {
            self.lost_patience = true;
            return true;
        }
        if self.crowded.as_ref().is_some_and(|crowded| crowded.load(Ordering::Relaxed)) {
            self.turned_away = true;
            self.lost_patience = true;
            return true;
        }
        if self.options.interrupt.load(Ordering::Relaxed) {
            self.interrupted = true;
            self.note("interrupted".to_string());
            self.exhausted = true;
            return true;
        }
        if let Some(limit) = self.options.limits.time
            && seconds > limit.saturating_sub(self.options.limits.spent).as_secs_f64()
        {
            self.note(format!("--time {:?}", limit));
            self.exhausted = true;
            return true;
        }
        if let Some(limit) = self.options.limits.memory {
            self.next_look = pool.bytes() + limit / 100;
            // What the process really has, which is more than the states; and
            // the path must be told if something is wrong at its end.
            let used = memory.max(self.resident_now(seconds, memory)) + depth * BARE_STEP;
            if used > most(limit) {
                return self.out_of_memory();
            }
        }
        if let Some(what) = self.full(store, pool) {
            self.note(format!("a search has room for no more {what}"));
            self.exhausted = true;
            return true;
        }
        false
    }

    /// What the process has, asked of the system a few times a second and whenever the search has
    /// taken much since; in between, what the search has taken is added.
    fn resident_now(&mut self, seconds: f64, memory: u64) -> u64 {
        let (asked, then, resident) = self.resident_seen;
        let more = memory.saturating_sub(then);
        if resident > 0 && seconds - asked < RESIDENT_ASKED && more < MUCH_MEMORY {
            return resident + more;
        }
        let resident = self.resident.bytes();
        self.resident_seen = (seconds, memory, resident);
        resident
    }

    /// Whether the process has more memory than a search may use. Unlike `look` it decides nothing.
    pub fn exceeds_memory(&mut self, store: &StateStore, pool: &ComponentPool) -> bool {
        let Some(limit) = self.options.limits.memory else { return false };
        self.resident_now(self.seconds(), store.bytes_lately() + pool.bytes()) > most(limit)
    }

    /// Notes that memory does not suffice; always true.
    pub fn out_of_memory(&mut self) -> bool {
        if let Some(limit) = self.options.limits.memory {
            self.note(format!("--memory {limit}"));
        }
        self.exhausted = true;
        true
    }

    /// How many bytes more may be used.
    pub fn room(&self, store: &StateStore, pool: &ComponentPool) -> u64 {
        let Some(limit) = self.options.limits.memory else { return u64::MAX };
        let used = self.resident.bytes().max(store.bytes_lately() + pool.bytes() + self.extra);
        // The rest is for the path, and for what is learnt on the way.
        most(limit).saturating_sub(used) / 8 * 7
    }

    /// How many numbers of a kind a search may use, if that is restricted.
    pub fn capacity(&self) -> Option<u64> {
        self.options.limits.capacity
    }

    /// What the numbers of a search are nearly used up for.
    fn full(&self, store: &StateStore, pool: &ComponentPool) -> Option<&'static str> {
        let capacity = self.options.limits.capacity.unwrap_or(CAPACITY);
        // Words and formats of records have numbers of other sizes.
        let stored = (store.fullness() * CAPACITY as f64) as u64;
        match () {
            () if store.len() as u64 >= capacity || stored >= CAPACITY => Some("states"),
            () if pool.len() as u64 >= capacity => Some("components of states"),
            () if self.pairs >= capacity => Some("states of the product with a formula"),
            () => None,
        }
    }

    /// Whether storage that is kept besides the states has become too much.
    /// Called after `must_stop`, and looks as seldom.
    pub fn no_room(&mut self, extra: u64, store: &StateStore, pool: &ComponentPool) -> bool {
        let Some(limit) = self.options.limits.memory else { return false };
        let looks = self.ticks.is_multiple_of(STRIDE);
        looks && store.bytes_lately() + pool.bytes() + extra > most(limit) && self.out_of_memory()
    }

    /// Whether so many bytes more would fit into memory. Looks as seldom.
    pub fn has_room(&mut self, more: u64, store: &StateStore, pool: &ComponentPool) -> bool {
        let Some(limit) = self.options.limits.memory else { return true };
        if !self.ticks.is_multiple_of(STRIDE) {
            return true;
        }
        let now = self.resident.bytes().max(store.bytes_lately() + pool.bytes());
        now + more <= most(limit) || !self.out_of_memory()
    }

    /// Whether a state at this depth is not expanded any more.
    pub fn too_deep(&mut self, depth: u64) -> bool {
        match self.options.limits.max_depth {
            Some(max) if depth > max => {
                self.note(format!("--max-depth {max}"));
                true
            }
            _ => false,
        }
    }

    pub fn note(&mut self, limit: String) {
        if !self.hit.contains(&limit) {
            self.hit.push(limit);
        }
    }
}

/// The memory that this process has now, as the kernel counts it.
pub struct Resident {
    page: u64,
}

impl Resident {
    pub fn new() -> Resident {
        Resident { page: page_size() }
    }

    /// 0 if the system does not tell.
    pub fn bytes(&self) -> u64 {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
        pages.unwrap_or(0) * self.page
    }
}

/// The bytes of a page. The file that tells them is long and is read once.
fn page_size() -> u64 {
    static SIZE: OnceLock<u64> = OnceLock::new();
    *SIZE.get_or_init(|| {
        // Where it is not told (the file exists on Linux only), nothing else
        // is either.
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
        let line = maps.lines().find_map(|line| line.strip_prefix("KernelPageSize:"));
        let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
        kilobytes.unwrap_or(4) * 1024
    })
}

/// The most memory this process ever had, if the system tells.
pub fn peak_memory() -> u64 {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return 0 };
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
