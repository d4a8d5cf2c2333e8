//! Threads that work on objects in memory, as programs do: each goes round its own
//! objects and writes one word, and now and then adds to a shared one.

use stateright::{Model, Property};

use super::ours::{Next, Now, Outcome, Steps};

const THREADS: usize = 3;
const OBJECTS: usize = 16;
const WORDS: usize = 8;
const STEPS: u64 = 90;
/// The object that all threads use.
const SHARED: usize = THREADS * OBJECTS;

#[derive(Clone)]
pub struct Heap;

pub const MODEL: Heap = Heap;

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct State {
    objects: Vec<Vec<u64>>,
    threads: Vec<u64>,
}

/// The object that a thread changes in a step.
fn object(thread: usize, step: u64) -> usize {
    match step % 5 {
        4 => SHARED,
        _ => thread * OBJECTS + step as usize % OBJECTS,
    }
}

/// What a step does to that object.
fn change(thread: usize, step: u64, words: &mut [u64]) {
    let word = (step as usize / OBJECTS) % WORDS;
    words[word] = match step % 5 {
        4 => (words[word] + 1) % 7,
        _ => words[word] * 3 + step + thread as u64,
    };
}

impl Heap {
    fn object_holds(words: &[u64]) -> bool {
        words.iter().all(|&word| word < u64::MAX / 8)
    }
}

impl Model for Heap {
    type State = State;
    type Action = usize;

    fn init_states(&self) -> Vec<State> {
        vec![State { objects: vec![vec![0; WORDS]; SHARED + 1], threads: vec![0; THREADS] }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<usize>) {
        actions.extend((0..THREADS).filter(|&thread| state.threads[thread] < STEPS));
    }

    fn next_state(&self, state: &State, thread: usize) -> Option<State> {
        let mut next = state.clone();
        let step = state.threads[thread];
        change(thread, step, &mut next.objects[object(thread, step)]);
        next.threads[thread] += 1;
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Heap>> {
        vec![Property::always("the shared object stays small", |_, state: &State| {
            Heap::object_holds(&state.objects[SHARED])
        })]
    }
}

impl Steps for Heap {
    fn components(&self) -> Vec<Vec<u64>> {
        let objects = std::iter::repeat_n(vec![0; WORDS], SHARED + 1);
        objects.chain(std::iter::repeat_n(vec![0], THREADS)).collect()
    }

    fn actors(&self) -> u32 {
        THREADS as u32
    }

    fn step(&self, actor: u32, now: &Now<'_>, next: &mut Next<'_>) -> Outcome {
        let thread = actor as usize;
        let place = SHARED + 1 + thread;
        let step = now.at(place)[0];
        if step == STEPS {
            return Outcome::None;
        }
        let at = object(thread, step);
        let mut words = [0; WORDS];
        words.copy_from_slice(now.at(at));
        change(thread, step, &mut words);
        if at == SHARED && !Heap::object_holds(&words) {
            return Outcome::Wrong;
        }
        next.set(at, &words);
        next.set(place, &[step + 1]);
        Outcome::Done
    }

    fn ended(&self, now: &Now<'_>) -> bool {
        (0..THREADS).all(|thread| now.at(SHARED + 1 + thread)[0] == STEPS)
    }
}
