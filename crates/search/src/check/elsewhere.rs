//! Reports each place at which something stuck can have been opened, and not
//! only the one on the path that was told.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use exeunt_model::{ActorId, Edge, OpenSection, Property};

use super::judge::{Judge, position, with_round_by};
use crate::explore::Graph;
use crate::store::StateId;
use crate::story::{self, Opening};
use crate::stuck::{self, Edges, StuckSet};

/// Sections that are stuck in the same states.
pub(super) enum Found {
    Component { sections: Vec<OpenSection>, states: Vec<StateId> },
    Set { section: OpenSection, set: StuckSet, edges: Rc<Edges> },
}

impl Found {
    fn sections(&self) -> &[OpenSection] {
        match self {
            Found::Component { sections, .. } => sections,
            Found::Set { section, .. } => std::slice::from_ref(section),
        }
    }

    fn states(&self) -> Vec<StateId> {
        match self {
            Found::Component { states, .. } => states.clone(),
            Found::Set { set, edges, .. } => set.states(edges),
        }
    }

    /// What repeats from a state on, and how many steps come before that.
    fn round(&self, graph: &mut Graph<'_>, from: StateId) -> (Vec<(ActorId, StateId)>, usize) {
        match self {
            Found::Component { states, .. } => (stuck::round_in(graph, states, from), 0),
            Found::Set { set, edges, .. } => {
                let entry = position(edges, from).expect("the path leads into the set");
                set.run_inside(graph, edges, entry)
            }
        }
    }
}

/// The states in which an instance is stuck, with the finding that each belongs to.
struct Where {
    by_state: HashMap<StateId, usize>,
}

impl Where {
    fn of(found: &[Found], section: OpenSection) -> Where {
        let mut by_state = HashMap::new();
        for (at, found) in found.iter().enumerate() {
            if found.sections().contains(&section) {
                for state in found.states() {
                    by_state.entry(state).or_insert(at);
                }
            }
        }
        Where { by_state }
    }
}

impl Judge<'_> {
    pub(super) fn other_openings(&mut self, graph: &mut Graph<'_>) {
        let found = std::mem::take(&mut self.stuck);
        let mut wanted: Vec<OpenSection> =
            found.iter().flat_map(|found| found.sections()).copied().collect();
        wanted.sort_unstable();
        wanted.dedup();
        if wanted.is_empty() {
            return;
        }
        let openings = story::Openings::of(graph, &wanted);
        // Each instance once, with all states that it is stuck in.
        let mut looked_at = HashSet::new();
        for section in found.iter().flat_map(Found::sections).copied() {
            if !looked_at.insert(section) {
                continue;
            }
            let stuck = Where::of(&found, section);
            for opening in openings.ways(graph, section, &stuck.by_state) {
                let place = (Property::Section, opening.location.to_string());
                if !self.seen.contains(&place) {
                    let entry = opening.path.last().expect("a path to where it is stuck");
                    let found = &found[stuck.by_state[entry]];
                    self.opened_elsewhere(graph, found, section, &opening);
                }
            }
        }
    }

    fn opened_elsewhere(
        &mut self,
        graph: &mut Graph<'_>,
        found: &Found,
        section: OpenSection,
        opening: &Opening,
    ) {
        let path = &opening.path;
        let entry = *path.last().expect("a path to where it is stuck");
        let (round, lead) = found.round(graph, entry);
        let mut fits = |step: usize, edge: &Edge<'_>| opening.fits(step, edge);
        let mut trace = with_round_by(graph, path, &round, &mut fits);
        trace.cycle_start = trace.cycle_start.map(|start| start + lead);
        let chosen = matches!(found, Found::Set { .. });
        trace.too_late = Some(match chosen {
            true => path.len() - 1,
            false => stuck::first_too_late(graph, path, section),
        });
        let mut sections = vec![section];
        sections.extend(found.sections().iter().filter(|other| **other != section));
        let environment = chosen && graph.seen.chooses;
        let _ = self.keep(story::section_violation(graph, entry, &sections, trace, environment));
    }
}
