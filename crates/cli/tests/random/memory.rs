//! A worker that has been to many states gives the same edges as one that has
//! been nowhere: what it remembers of steps is what they would do.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use exeunt_ir::Program;
use exeunt_model::{Basis, CompId, Detail, Edge, Model, SearchWorker, Sink, StateStatus, Target};
use exeunt_search::ComponentPool;
use exeunt_vm::{Reduction, Vm, VmOptions};

use crate::{USUAL, compile, program};
use exeunt_random::seeds;

/// So many states of a program are looked at.
const MOST: usize = 2000;

/// What an edge says, and the state it leads to.
#[derive(Default)]
struct Told {
    edges: Vec<String>,
    targets: Vec<Vec<CompId>>,
}

impl Sink for Told {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let Edge { actor, choices, withheld, reopens, .. } = edge;
        let to = match target {
            Target::State(vector) => {
                self.targets.push(vector.to_vec());
                format!("{vector:?}")
            }
            Target::Fault(fault) => fault.message.clone(),
            Target::Unsupported(limit) => limit.construct.clone(),
            Target::Dropped => "dropped".to_string(),
        };
        self.edges.push(format!("{actor} {choices:?} {withheld} {reopens} {to}"));
        ControlFlow::Continue(())
    }
}

fn expand(worker: &mut dyn SearchWorker, state: &[CompId]) -> (Told, StateStatus) {
    let mut told = Told::default();
    let status = worker.expand(state, Detail::Targets, None, &mut told);
    (told, status)
}

/// Walks through the first states of a program. Returns how many there were.
fn walk(name: &str, program: &Program, options: VmOptions) -> usize {
    let vm = Vm::new(program.clone(), options).expect("it can be executed");
    let pool = ComponentPool::new();
    let session = vm.open(Basis::Learnt);
    let mut experienced = session.worker(&pool);
    let mut start = Told::default();
    experienced.initial(&mut start);
    let mut waiting = start.targets;
    let mut seen: HashSet<Vec<CompId>> = waiting.iter().cloned().collect();
    let mut at = 0;
    while at < waiting.len() && at < MOST {
        let state = waiting[at].clone();
        let (told, status) = expand(&mut *experienced, &state);
        let (fresh, other) = expand(&mut *session.worker(&pool), &state);
        assert_eq!((&told.edges, status), (&fresh.edges, other), "state {at} of {name}");
        // What it has just learnt, it tells again.
        assert_eq!(told.edges, expand(&mut *experienced, &state).0.edges, "{at} of {name}");
        waiting.extend(told.targets.into_iter().filter(|target| seen.insert(target.clone())));
        at += 1;
    }
    at
}

#[test]
fn a_worker_remembers_what_steps_do() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut states = 0;
    for seed in seeds(USUAL) {
        let file = directory.path().join(format!("remembered{seed}.c"));
        let text = program(seed);
        std::fs::write(&file, &text).expect("written");
        let reduction = if seed % 3 == 0 { Reduction::None } else { Reduction::Tau };
        let malloc_fails = seed % 7 == 3;
        let options = VmOptions { reduction, malloc_fails, ..VmOptions::default() };
        states += walk(&text, &compile(&file), options);
    }
    assert!(states > 10_000, "only {states} states");
}

#[test]
fn a_worker_remembers_what_steps_of_larger_programs_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/programs");
    let mut states = 0;
    for name in ["buffer", "lottery", "mcs", "pool", "queue", "robots", "treiber"] {
        let program = compile(&folder.join(name).with_extension("c"));
        states += walk(name, &program, VmOptions::default());
    }
    assert!(states > 5 * MOST, "only {states} states");
}

/// Threads whose numbers are used again, with objects made and ended beside.
const COMING_AND_GOING: &str = "
#include <pthread.h>
#include <stdlib.h>
static int turns;
static void *leaf(void *p) { int local = *(int *)p; int *at = &local; turns += *at; return p; }
static void *node(void *p) {
    pthread_t a, b;
    int *one = malloc(sizeof(int)), two = 2;
    *one = 1;
    pthread_create(&a, 0, leaf, one);
    pthread_join(a, 0);
    free(one);
    pthread_create(&b, 0, leaf, &two);
    pthread_join(b, 0);
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, node, 0);
    pthread_create(&b, 0, node, 0);
    pthread_join(a, 0);
    pthread_create(&a, 0, node, 0);
    pthread_join(b, 0);
    pthread_join(a, 0);
    return 0;
}
";

#[test]
fn a_worker_remembers_threads_that_come_and_go() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("coming.c");
    std::fs::write(&file, COMING_AND_GOING).expect("written");
    for reduction in [Reduction::Tau, Reduction::Global] {
        let options = VmOptions { reduction, ..VmOptions::default() };
        assert_eq!(walk("coming.c", &compile(&file), options), MOST);
    }
}

/// Objects of two groups of numbers, which three threads end in any order; the groups go with
/// their last object, and come again.
const IN_GROUPS: &str = "
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int *cells[10];
static atomic_int steps;
static void drop(int at) { free(cells[at]); cells[at] = 0; steps++; }
static void *low(void *p) { drop(1); drop(8); int *own = malloc(4); steps++; free(own); return p; }
static void *high(void *p) { drop(9); drop(0); cells[0] = malloc(4); steps++; drop(0); return p; }
static void *rest(void *p) { for (int i = 2; i < 8; i += 2) drop(i); drop(7); return p; }
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 10; i++) cells[i] = malloc(4);
    drop(3), drop(5);
    pthread_create(&threads[0], 0, low, 0);
    pthread_create(&threads[1], 0, high, 0);
    pthread_create(&threads[2], 0, rest, 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    int *again = malloc(4);
    steps++;
    free(again);
    return 0;
}
";

/// A stale pointer leads to nothing, to a small object or to a large one, depending on others.
const IN_ONE_PLACE: &str = "
#include <pthread.h>
#include <stdlib.h>
static int *_Atomic cell;
static volatile int seen;
static void *reader(void *p) { int *at = cell; if (at) seen = *at; return p; }
int main(void) {
    pthread_t a, b;
    cell = calloc(1, 4);
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    free(cell);
    int *large = calloc(1, 4096);
    *large = 2;
    free(large);
    int *small = calloc(1, 4);
    *small = 3;
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

#[test]
fn a_worker_remembers_what_a_stale_pointer_leads_to() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("stale.c");
    std::fs::write(&file, IN_ONE_PLACE).expect("written");
    for reduction in [Reduction::None, Reduction::Tau] {
        let options = VmOptions { reduction, ..VmOptions::default() };
        let states = walk("stale.c", &compile(&file), options);
        assert!(states > 50, "only {states} states");
    }
}

#[test]
fn a_worker_remembers_objects_whose_neighbours_end() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("groups.c");
    std::fs::write(&file, IN_GROUPS).expect("written");
    for reduction in [Reduction::Tau, Reduction::Global] {
        let options = VmOptions { reduction, ..VmOptions::default() };
        let states = walk("groups.c", &compile(&file), options);
        assert!(states > 100, "only {states} states");
    }
}
