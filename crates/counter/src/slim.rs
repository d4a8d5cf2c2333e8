//! Automata with fewer nodes, and the same runs as far as anybody can see.
//!
//! Two edges in a row become one if at most one of them is visible: what a
//! thread does for itself can be done together with what it does before or
//! after. Registers that nobody reads are not written.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_smt::{Formula, Term, Var};

use crate::{Edge, NodeId, System, Thread, VarKind, constants, lifted};

pub(crate) fn slim(system: &mut System) {
    let mut threads = std::mem::take(&mut system.threads);
    for (index, thread) in threads.iter_mut().enumerate() {
        thread.edges.retain(|edge| edge.guard != Formula::False);
        constants::drop_impossible(&system.vars, index, thread);
        while join_one(thread) || skip_one(thread) {}
        thread.edges.retain(|edge| edge.guard != Formula::False);
        drop_dead(system, thread);
        while join_one(thread) || skip_one(thread) {}
        renumber(thread);
    }
    find_early(&mut threads);
    system.threads = threads;
}

/// Finds out for all threads when which of them cannot run: they have not been started yet, or have ended.
pub(crate) fn find_early(threads: &mut [Thread]) {
    let count = threads.len();
    let elsewhere: Vec<bool> = (0..count).map(|index| started_elsewhere(threads, index)).collect();
    for thread in threads {
        thread.early = (0..count).map(|other| early(thread, other, elsewhere[other])).collect();
    }
}

/// Whether another thread than `main` starts this one, or one like it.
fn started_elsewhere(threads: &[Thread], index: usize) -> bool {
    let others = threads.iter().filter(|thread| thread.role != crate::Role::Main);
    others.flat_map(|thread| &thread.edges).any(|edge| edge.starts == Some(index))
}

/// Nodes that are not reached after another thread was started without a join of it on the way.
fn early(thread: &Thread, other: usize, started_elsewhere: bool) -> Vec<bool> {
    if thread.role != crate::Role::Main || started_elsewhere {
        return vec![false; thread.nodes.len()];
    }
    let starts = thread.edges.iter().filter(|edge| edge.starts == Some(other));
    let started: Vec<NodeId> = starts.map(|edge| edge.to).collect();
    if started.is_empty() {
        // It runs beside this thread from the beginning.
        return vec![false; thread.nodes.len()];
    }
    let late = reached_by(thread, &started, &|edge| edge.ends != Some(other));
    late.into_iter().map(|late| !late).collect()
}

fn reached(thread: &Thread, from: &[NodeId]) -> Vec<bool> {
    reached_by(thread, from, &|_| true)
}

/// The nodes that are reached from these by such edges.
fn reached_by(thread: &Thread, from: &[NodeId], goes: &dyn Fn(&Edge) -> bool) -> Vec<bool> {
    let mut seen = vec![false; thread.nodes.len()];
    let mut todo = from.to_vec();
    while let Some(node) = todo.pop() {
        if !std::mem::replace(&mut seen[node.0 as usize], true) {
            let edges = thread.leaving(node).map(|(_, edge)| edge);
            todo.extend(edges.filter(|edge| goes(edge)).map(|edge| edge.to));
        }
    }
    seen
}

/// Joins the edge into one node with all edges out of it.
fn join_one(thread: &mut Thread) -> bool {
    let count = thread.nodes.len();
    let (mut into, mut out) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (index, edge) in thread.edges.iter().enumerate() {
        into[edge.to.0 as usize].push(index);
        out[edge.from.0 as usize].push(index);
    }
    for node in 0..count {
        let (&[first], false) = (into[node].as_slice(), out[node].is_empty()) else { continue };
        let before = &thread.edges[first];
        let behind = &out[node];
        let local = |index: &usize| !thread.edges[*index].visible;
        // What starts or joins a thread stays an edge of its own: nodes before it and behind it are early.
        let apart = |edge: &Edge| edge.starts.is_some() || edge.ends.is_some();
        let starts = apart(before) || behind.iter().any(|index| apart(&thread.edges[*index]));
        // Whoever waits for others has already been seen doing what it did before.
        let waits = before.visible
            && behind.iter().any(|index| thread.edges[*index].waits != crate::Wait::No);
        let joins = (!before.visible || behind.iter().all(local)) && !starts && !waits;
        if !joins || before.from.0 as usize == node || thread.entry.0 as usize == node {
            continue;
        }
        let joined: Vec<Edge> =
            behind.iter().map(|index| composed(before, &thread.edges[*index])).collect();
        let gone: BTreeSet<usize> = behind.iter().copied().chain([first]).collect();
        let mut edges: Vec<Edge> = Vec::new();
        for (index, edge) in thread.edges.iter().enumerate() {
            if index == first {
                edges.extend(joined.iter().filter(|e| e.guard != Formula::False).cloned());
            }
            if !gone.contains(&index) {
                edges.push(edge.clone());
            }
        }
        thread.edges = edges;
        return true;
    }
    false
}

fn composed(first: &Edge, second: &Edge) -> Edge {
    let sets: BTreeMap<Var, Term> = first.sets.clone();
    let guard = lifted(&second.guard.replaced(&sets));
    let mut all = sets.clone();
    for (var, term) in &second.sets {
        all.insert(*var, term.replaced(&sets));
    }
    let told = if second.visible || first.text.is_empty() { second } else { first };
    Edge {
        from: first.from,
        to: second.to,
        guard: unless_contradictory(first.guard.clone().both(guard)),
        sets: all,
        inputs: first.inputs.iter().chain(&second.inputs).copied().collect(),
        visible: first.visible || second.visible,
        exact: first.exact && second.exact,
        wrong_unlock: first.wrong_unlock.or(second.wrong_unlock),
        starts: first.starts.or(second.starts),
        ends: None,
        fails: first.fails || second.fails,
        waits: first.waits.and(second.waits),
        location: told.location.clone(),
        text: told.text.clone(),
    }
}

/// `False` if a part and its negation are both there: ways that no run takes.
fn unless_contradictory(guard: Formula) -> Formula {
    let parts = guard.conjuncts();
    let contradictory = parts.iter().any(|part| parts.contains(&part.negated()));
    if contradictory { Formula::False } else { Formula::all(parts) }
}

/// Edges into a node that only leads on go where it leads.
fn skip_one(thread: &mut Thread) -> bool {
    for node in 0..thread.nodes.len() as u32 {
        let node = NodeId(node);
        let out: Vec<&Edge> = thread.edges.iter().filter(|edge| edge.from == node).collect();
        let &[edge] = out.as_slice() else { continue };
        let waits = edge.waits != crate::Wait::No || edge.fails;
        let nothing =
            edge.guard == Formula::True && edge.sets.is_empty() && !edge.visible && !waits;
        if !nothing || edge.to == node || node == thread.entry {
            continue;
        }
        let to = edge.to;
        thread.edges.retain(|edge| edge.from != node);
        for edge in &mut thread.edges {
            if edge.to == node {
                edge.to = to;
            }
        }
        return true;
    }
    false
}

/// Removes writes to registers that nobody reads afterwards.
fn drop_dead(system: &System, thread: &mut Thread) {
    let live = live(system, thread);
    for edge in &mut thread.edges {
        let live = &live[edge.to.0 as usize];
        let handed = edge.starts.map(VarKind::Local);
        let kept = |kind: VarKind| kind == VarKind::Shared || Some(kind) == handed;
        edge.sets.retain(|var, _| kept(system.variable(*var).kind) || live.contains(var));
        let mut used = BTreeSet::new();
        edge.guard.collect_vars(&mut used);
        edge.sets.values().for_each(|term| term.collect_vars(&mut used));
        edge.inputs.retain(|input| used.contains(input));
    }
}

fn live(system: &System, thread: &Thread) -> Vec<BTreeSet<Var>> {
    let mut live = vec![BTreeSet::new(); thread.nodes.len()];
    loop {
        let mut changed = false;
        for edge in thread.edges.iter().rev() {
            let after = live[edge.to.0 as usize].clone();
            let mut needed: BTreeSet<Var> =
                after.iter().filter(|var| !edge.sets.contains_key(var)).copied().collect();
            edge.guard.collect_vars(&mut needed);
            for (var, term) in &edge.sets {
                let kind = system.variable(*var).kind;
                let handed = edge.starts.map(VarKind::Local) == Some(kind);
                if after.contains(var) || kind == VarKind::Shared || handed {
                    term.collect_vars(&mut needed);
                }
            }
            let before = &mut live[edge.from.0 as usize];
            let count = before.len();
            let local = |var: &Var| matches!(system.variable(*var).kind, VarKind::Local(_));
            before.extend(needed.into_iter().filter(local));
            changed |= before.len() > count;
        }
        if !changed {
            return live;
        }
    }
}

/// Keeps only nodes that are reached, in order.
fn renumber(thread: &mut Thread) {
    let seen = reached(thread, &[thread.entry]);
    let mut new = vec![NodeId(0); thread.nodes.len()];
    let mut nodes = Vec::new();
    for (index, node) in thread.nodes.iter().enumerate() {
        if seen[index] {
            new[index] = NodeId(nodes.len() as u32);
            nodes.push(node.clone());
        }
    }
    thread.edges.retain(|edge| seen[edge.from.0 as usize]);
    for edge in &mut thread.edges {
        edge.from = new[edge.from.0 as usize];
        edge.to = new[edge.to.0 as usize];
    }
    thread.entry = new[thread.entry.0 as usize];
    thread.nodes = nodes;
}

/// The threads of a program that count something in a loop, as far as their automata can be
/// made: an exploration of states may not end there.
pub fn counting_threads(program: &exeunt_ir::Program) -> Vec<String> {
    let names = crate::thread_names(program, &crate::Wish::default()).unwrap_or_default();
    let counts = |name: &String| {
        let wish = crate::Wish { thread: name.clone(), ..crate::Wish::default() };
        let request = crate::Request { program, wish: &wish, integers: crate::Integers::Exact };
        crate::system(&request).is_ok_and(|system| counts(&system.threads[0]))
    };
    names.into_iter().filter(counts).collect()
}

fn counts(thread: &Thread) -> bool {
    thread.edges.iter().any(|edge| {
        let changes = edge.sets.iter().any(|(var, term)| {
            let mut used = BTreeSet::new();
            term.collect_vars(&mut used);
            used.contains(var) && term.as_var().is_none()
        });
        changes && reached(thread, &[edge.to])[edge.from.0 as usize]
    })
}
