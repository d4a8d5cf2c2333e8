//! Whether a thread can make infinitely many steps, by the whole state space
//! of the virtual machine. Nothing of the prover is used.

use std::collections::HashMap;
use std::ops::ControlFlow;

use exeunt_ir::Program;
use exeunt_model::{ActorId, Basis, CompId, Detail, Edge, Model, Sink, Target};
use exeunt_search::ComponentPool;
use exeunt_vm::{Reduction, Vm, VmOptions};

const MOST_STATES: usize = 12_000;

pub(crate) struct Graph {
    /// Targets, with whether the thread moved.
    edges: Vec<Vec<(usize, bool)>>,
    pub(crate) complete: bool,
}

struct Collect {
    subjects: Vec<ActorId>,
    found: Vec<(Vec<CompId>, bool)>,
    other: bool,
}

impl Sink for Collect {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        match target {
            Target::State(vector) => {
                self.found.push((vector.to_vec(), self.subjects.contains(&edge.actor)));
            }
            // A program that goes wrong ends there.
            Target::Dropped | Target::Fault(_) => {}
            Target::Unsupported(_) => self.other = true,
        }
        ControlFlow::Continue(())
    }
}

impl Graph {
    /// Up to so many states; the subjects are the first thread that `main` starts and those that run the
    /// same function.
    pub(crate) fn of(program: Program) -> Graph {
        Graph::with(program, true)
    }

    /// The same; perhaps without those that run the same function.
    pub(crate) fn with(program: Program, all: bool) -> Graph {
        // Proofs take for granted that conditions are signalled.
        let options =
            VmOptions { reduction: Reduction::None, spurious: false, ..VmOptions::default() };
        let vm = Vm::new(program, options).expect("a program that can be executed");
        let session = vm.open(Basis::Nothing);
        let pool = ComponentPool::new();
        let mut worker = session.worker(&pool);
        let collect = |subjects| Collect { subjects, found: Vec::new(), other: false };
        let mut first = collect(Vec::new());
        worker.initial(&mut first);
        let mut vectors: Vec<Vec<CompId>> = first.found.into_iter().map(|(v, _)| v).collect();
        let mut numbers: HashMap<Vec<CompId>, usize> = HashMap::from([(vectors[0].clone(), 0)]);
        let mut graph = Graph { edges: Vec::new(), complete: true };
        while graph.edges.len() < vectors.len() {
            if vectors.len() > MOST_STATES {
                graph.complete = false;
                break;
            }
            let vector = vectors[graph.edges.len()].clone();
            let views = worker.view(&vector);
            let name = views.iter().find(|view| view.actor == ActorId(1)).map(|view| &view.name);
            let is_subject = |actor: ActorId, other: &str| {
                actor == ActorId(1) || all && name.is_some_and(|name| *name == other)
            };
            let same = views.iter().filter(|view| is_subject(view.actor, &view.name));
            let mut found = collect(same.map(|view| view.actor).collect());
            worker.expand(&vector, Detail::Targets, None, &mut found);
            graph.complete &= !found.other;
            let mut edges = Vec::new();
            for (target, moved) in found.found {
                let fresh = vectors.len();
                let number = *numbers.entry(target.clone()).or_insert(fresh);
                if number == fresh {
                    vectors.push(target);
                }
                edges.push((number, moved));
            }
            graph.edges.push(edges);
        }
        graph.edges.resize(vectors.len(), Vec::new());
        graph
    }

    /// Whether a cycle has a step of the subject.
    pub(crate) fn never_stops(&self) -> bool {
        let components = self.components();
        self.edges.iter().enumerate().any(|(from, edges)| {
            edges.iter().any(|(to, moved)| *moved && components[from] == components[*to])
        })
    }

    /// Kosaraju's: an order by depth-first search, then the reversed graph.
    fn components(&self) -> Vec<usize> {
        let count = self.edges.len();
        let mut order = Vec::new();
        let mut seen = vec![false; count];
        for root in 0..count {
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            let mut stack = vec![(root, 0)];
            while let Some((at, next)) = stack.pop() {
                match self.edges[at].get(next) {
                    None => order.push(at),
                    Some((to, _)) => {
                        stack.push((at, next + 1));
                        if !std::mem::replace(&mut seen[*to], true) {
                            stack.push((*to, 0));
                        }
                    }
                }
            }
        }
        let mut back = vec![Vec::new(); count];
        for (from, edges) in self.edges.iter().enumerate() {
            edges.iter().for_each(|(to, _)| back[*to].push(from));
        }
        let mut component = vec![usize::MAX; count];
        for (number, &root) in order.iter().rev().enumerate() {
            let mut stack = vec![root];
            while let Some(at) = stack.pop() {
                if component[at] == usize::MAX {
                    component[at] = number;
                    stack.extend(&back[at]);
                }
            }
        }
        component
    }
}
