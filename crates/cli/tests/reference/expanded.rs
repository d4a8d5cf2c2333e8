//! The expanded graph: besides its state it remembers which instance was
//! activated, if one was.

use std::collections::{BTreeSet, HashMap};

use exeunt_model::OpenSection;

use crate::plain::Graph;

/// A state with the active instance; `None` behind its end.
type Expanded = Option<(usize, Option<OpenSection>)>;

/// Where a run of the expanded graph can go. Where nothing moves it stays.
fn edges(graph: &Graph, expanded: Expanded) -> Vec<Expanded> {
    let Some((at, active)) = expanded else { return Vec::new() };
    let state = &graph.states[at];
    if state.ended {
        return Vec::new();
    }
    if state.edges.is_empty() {
        return vec![expanded];
    }
    let mut targets = Vec::new();
    for edge in &state.edges {
        let next = &graph.states[edge.target];
        match active {
            Some(section) if edge.closes(&section) || !next.open.contains(&section) => {
                targets.push(None);
            }
            Some(_) => targets.push(Some((edge.target, active))),
            None => {
                targets.push(Some((edge.target, None)));
                targets.extend(next.open.iter().map(|&open| Some((edge.target, Some(open)))));
            }
        }
    }
    targets
}

/// The sections that stay active in a terminal component.
pub(crate) fn stuck(graph: &Graph) -> BTreeSet<OpenSection> {
    let mut states: Vec<Expanded> = vec![Some((0, None))];
    let mut numbers: HashMap<Expanded, usize> = HashMap::from([(states[0], 0)]);
    let mut targets: Vec<Vec<usize>> = Vec::new();
    while targets.len() < states.len() {
        let from = states[targets.len()];
        let to = edges(graph, from).into_iter().map(|target| {
            *numbers.entry(target).or_insert_with(|| {
                states.push(target);
                states.len() - 1
            })
        });
        targets.push(to.collect());
    }
    let active = |state: usize| states[state].and_then(|(_, active)| active);
    // Where it is not active any more, where the program has ended, and from
    // where such a state can be reached. What is left are the states that lead
    // to terminal components in which it stays active.
    let mut lost: Vec<bool> =
        (0..states.len()).map(|s| active(s).is_none() || targets[s].is_empty()).collect();
    loop {
        let reaches = |s: &usize| !lost[*s] && targets[*s].iter().any(|&to| lost[to]);
        let more: Vec<usize> = (0..states.len()).filter(reaches).collect();
        if more.is_empty() {
            break;
        }
        more.into_iter().for_each(|state| lost[state] = true);
    }
    (0..states.len()).filter(|&state| !lost[state]).filter_map(active).collect()
}
