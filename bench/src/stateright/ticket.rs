//! `bench/programs/ticket.c` as a model of a few bytes: a ticket lock that each
//! thread takes several times.

use stateright::{Model, Property};

use super::ours::{Next, Now, Outcome, Steps};

const THREADS: usize = 4;
const ROUNDS: u8 = 8;
const ENDED: u8 = 8;

#[derive(Clone)]
pub struct Ticket;

pub const MODEL: Ticket = Ticket;

#[derive(Clone, Copy, Debug, Default, Hash, PartialEq, Eq)]
pub struct Shared {
    next: u8,
    serving: u8,
    inside: u8,
}

#[derive(Clone, Copy, Debug, Default, Hash, PartialEq, Eq)]
pub struct Thread {
    at: u8,
    round: u8,
    /// The ticket, or what was read.
    value: u8,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct State {
    shared: Shared,
    threads: [Thread; THREADS],
}

/// One access to shared memory; `false` if the thread has ended.
fn step(shared: &mut Shared, thread: &mut Thread) -> bool {
    match thread.at {
        0 => {
            thread.value = shared.next;
            shared.next += 1;
        }
        1 if shared.serving != thread.value => return true,
        1 => thread.value = 0,
        2 | 5 => thread.value = shared.inside,
        3 => shared.inside = std::mem::take(&mut thread.value) + 1,
        // Here it is looked at, and must be 1.
        4 => {}
        6 => shared.inside = std::mem::take(&mut thread.value) - 1,
        7 => {
            shared.serving += 1;
            thread.round += 1;
            let again = thread.round < ROUNDS;
            *thread = if again { Thread { at: 0, ..*thread } } else { Thread::ENDED };
            return true;
        }
        _ => return false,
    }
    thread.at += 1;
    true
}

/// Whoever looks sees nobody else inside.
fn holds(shared: &Shared, thread: &Thread) -> bool {
    thread.at != 5 || shared.inside == 1
}

impl Thread {
    const ENDED: Thread = Thread { at: ENDED, round: 0, value: 0 };
}

impl Model for Ticket {
    type State = State;
    type Action = usize;

    fn init_states(&self) -> Vec<State> {
        vec![State { shared: Shared::default(), threads: Default::default() }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<usize>) {
        actions.extend((0..THREADS).filter(|&thread| state.threads[thread].at != ENDED));
    }

    fn next_state(&self, state: &State, thread: usize) -> Option<State> {
        let mut next = state.clone();
        step(&mut next.shared, &mut next.threads[thread]).then_some(next)
    }

    fn properties(&self) -> Vec<Property<Ticket>> {
        vec![Property::always("nobody else is inside", |_, state: &State| {
            state.threads.iter().all(|thread| holds(&state.shared, thread))
        })]
    }
}

fn pack(a: u8, b: u8, c: u8) -> [u64; 1] {
    [a as u64 | (b as u64) << 8 | (c as u64) << 16]
}

fn unpack(words: &[u64]) -> (u8, u8, u8) {
    (words[0] as u8, (words[0] >> 8) as u8, (words[0] >> 16) as u8)
}

fn thread_of(words: &[u64]) -> Thread {
    let (at, round, value) = unpack(words);
    Thread { at, round, value }
}

impl Steps for Ticket {
    fn components(&self) -> Vec<Vec<u64>> {
        vec![vec![0]; 1 + THREADS]
    }

    fn actors(&self) -> u32 {
        THREADS as u32
    }

    fn step(&self, actor: u32, now: &Now<'_>, after: &mut Next<'_>) -> Outcome {
        let place = 1 + actor as usize;
        let (next, serving, inside) = unpack(now.at(0));
        let mut shared = Shared { next, serving, inside };
        let mut thread = thread_of(now.at(place));
        let before = (shared, thread);
        if !step(&mut shared, &mut thread) {
            return Outcome::None;
        }
        if !holds(&shared, &thread) {
            return Outcome::Wrong;
        }
        if shared != before.0 {
            after.set(0, &pack(shared.next, shared.serving, shared.inside));
        }
        if thread != before.1 {
            after.set(place, &pack(thread.at, thread.round, thread.value));
        }
        Outcome::Done
    }

    fn ended(&self, now: &Now<'_>) -> bool {
        (1..=THREADS).all(|place| thread_of(now.at(place)).at == ENDED)
    }
}
