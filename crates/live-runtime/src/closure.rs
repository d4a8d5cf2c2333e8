//! Waits that can never end, proven by comparing states.
//!
//! A run that was cut off is continued in every way, and states that were seen
//! before are not continued again. If nothing new is left, the states that were
//! seen are all that can follow; a thread that is blocked in each of them waits
//! for ever, and a lock that it holds in each of them is never given back. This
//! is the definition of a stuck section of Štill and Barnat (Local
//! Nontermination Detection for Parallel C++ Programs, 2019), restricted to waits
//! and critical sections.
//!
//! A state is all memory that the program has changed, without the dead part of
//! its stacks, what threads stand before, and the state of every
//! synchronisation object. It is compared by 128 bits of hash. Only programs
//! whose memory can be taken back are looked at: these keep nothing in the
//! kernel.

use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use exeunt_model::{ActorId, Move, ObjectId, Run, Schedule};
use exeunt_search::{Explorer, RunEnd};

use crate::machine::Machine;
use crate::restart::Native;
use crate::snapshot;

/// How many states are looked at before it is given up.
const MOST: usize = 1000;

/// One state: what it is known by, and what can follow.
struct State {
    hash: (u64, u64),
    enabled: Vec<Move>,
    open: Open,
}

/// What is entered and not left.
#[derive(Clone, Debug, Default)]
pub struct Open {
    /// Threads that are blocked.
    pub waits: BTreeSet<ActorId>,
    /// Locks, and who holds them.
    pub held: BTreeSet<(ActorId, ObjectId)>,
}

impl Open {
    fn is_empty(&self) -> bool {
        self.waits.is_empty() && self.held.is_empty()
    }

    fn keep(&mut self, other: &Open) {
        self.waits.retain(|actor| other.waits.contains(actor));
        self.held.retain(|pair| other.held.contains(pair));
    }
}

/// What is never left from the state behind this schedule on.
pub fn stuck(native: &mut Native<'_>, root: &Schedule) -> Option<Open> {
    let first = visit(native, root)?;
    let mut stuck = first.open.clone();
    let mut seen = HashSet::from([first.hash]);
    let mut left: Vec<(Schedule, Vec<Move>)> = vec![(root.clone(), first.enabled)];
    while let Some((schedule, moves)) = left.pop() {
        for step in moves {
            if stuck.is_empty() || seen.len() > MOST {
                return None;
            }
            let mut longer = schedule.clone();
            longer.moves.push(step);
            let state = visit(native, &longer)?;
            if seen.insert(state.hash) {
                stuck.keep(&state.open);
                left.push((longer, state.enabled));
            }
        }
    }
    (!stuck.is_empty()).then_some(stuck)
}

/// The state behind a schedule; `None` if the program goes wrong or ends.
fn visit(native: &mut Native<'_>, schedule: &Schedule) -> Option<State> {
    let mut explorer = Explorer::following(schedule, schedule.moves.len() + 1);
    explorer.begin();
    native.execute(&mut explorer).ok()?;
    // Memory is taken back when the next run begins.
    let memory = hash_memory(native.machine);
    match explorer.outcome() {
        RunEnd::Bounded | RunEnd::Circle(_) | RunEnd::Deadlock(_) => {}
        RunEnd::Ended(_)
        | RunEnd::Fault { .. }
        | RunEnd::Race { .. }
        | RunEnd::Redundant
        | RunEnd::Elsewhere
        | RunEnd::Unsupported(_)
        | RunEnd::Differs(_) => return None,
    }
    let (enabled, blocked) = explorer.standings();
    let text = explorer.describe_objects();
    let hash = (mix(memory.0, &text, 1), mix(memory.1, &text, 2));
    let step = |(actor, choice): (ActorId, Option<u32>)| Move {
        actor,
        choices: choice.into_iter().collect(),
        withheld: false,
        turn: 0,
    };
    Some(State {
        hash,
        enabled: enabled.into_iter().map(step).collect(),
        open: Open {
            waits: blocked.into_iter().collect(),
            held: explorer.holdings().into_iter().collect(),
        },
    })
}

fn mix(start: u64, text: &str, salt: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (start, text, salt).hash(&mut hasher);
    hasher.finish()
}

/// Two hashes of everything that the program has changed.
fn hash_memory(machine: &Machine) -> (u64, u64) {
    let world = format!("{:?}", machine.world);
    let dead = machine.dead_stacks();
    let mut hashers = [1u64, 2].map(|salt| {
        let mut hasher = DefaultHasher::new();
        (salt, &world).hash(&mut hasher);
        hasher
    });
    if let Some(snapshot) = snapshot::snapshot() {
        snapshot.changed(&dead, &mut |page, bytes| {
            for hasher in &mut hashers {
                page.hash(hasher);
                hasher.write(bytes);
            }
        });
    }
    let [first, second] = hashers;
    (first.finish(), second.finish())
}
