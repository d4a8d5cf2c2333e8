//! Which findings were told before, as far as that is known without a path: with `--all` there may be
//! as many as states, and each distinct one is told once.
//!
//! Where a stuck section was opened depends on the path. So of each instance, at each place that a
//! state knows of it, one story is told, and `elsewhere.rs` looks for all other places at which it can have
//! been opened, once for all states in which it is stuck.

use std::collections::HashSet;
use std::rc::Rc;

use exeunt_model::{Location, OpenSection, Property};

use super::elsewhere::Found;
use super::judge::{Judge, telling, without_inner_waits};
use crate::explore::{Finding, Graph};
use crate::store::StateId;
use crate::story;
use crate::stuck::{self, Edges, Stuck, StuckSet};

/// What is reported once: a property at a place, or with a message if it has no place.
pub(super) type Place = (Property, String);

pub(super) fn place(property: Property, location: Option<&Location>, message: &str) -> Place {
    (property, location.map_or_else(|| message.to_string(), Location::to_string))
}

/// What was told, by what is known without a path.
#[derive(Default)]
pub(super) struct Told {
    sections: HashSet<Stay>,
    /// Where the program was when it could not end any more.
    programs: HashSet<Place>,
}

/// An instance with the place where it is, as far as a state tells that.
type Stay = (OpenSection, Option<Location>);

fn stay(graph: &mut Graph<'_>, state: StateId, section: OpenSection) -> Stay {
    let vector = graph.vector(state);
    (section, graph.worker.describe_section(&vector, &section).location)
}

impl Told {
    /// Whether it is new in the component of this state, and told from now on.
    pub(super) fn section(
        &mut self,
        graph: &mut Graph<'_>,
        state: StateId,
        section: OpenSection,
    ) -> bool {
        self.sections.insert(stay(graph, state, section))
    }

    fn knows(&self, graph: &mut Graph<'_>, state: StateId, section: OpenSection) -> bool {
        self.sections.contains(&stay(graph, state, section))
    }

    /// The same of a program that cannot end, in a component with this state.
    pub(super) fn program(&mut self, graph: &mut Graph<'_>, state: StateId) -> bool {
        self.programs.insert(nowhere_to_end(graph, state))
    }
}

fn nowhere_to_end(graph: &mut Graph<'_>, state: StateId) -> Place {
    let (location, message) = story::termination_place(graph, state);
    place(Property::Termination, location.as_ref(), &message)
}

impl Judge<'_> {
    /// Whether nothing of a finding is to be told; what it means is noted then.
    pub(super) fn knows(&mut self, finding: &Finding, graph: &mut Graph<'_>) -> bool {
        match finding {
            Finding::Fault { fault, .. } => {
                let place = place(fault.property, fault.location.as_ref(), &fault.message);
                self.seen.contains(&place)
            }
            Finding::Deadlock { state } => {
                let known = self.knows_deadlock(graph, *state);
                self.bottom_components += u64::from(known);
                known
            }
            Finding::Component { states } => self.knows_component(graph, states),
            Finding::Choosing { edges, bottom } => {
                let known = edges.as_ref().is_none_or(|edges| self.knows_sets(graph, edges));
                self.bottom_components += u64::from(known && *bottom);
                known
            }
        }
    }

    fn knows_deadlock(&self, graph: &mut Graph<'_>, state: StateId) -> bool {
        if !self.options.deadlock && !self.options.liveness() {
            return true;
        }
        if self.seen.is_empty() {
            return false;
        }
        let (location, message) = story::deadlock_place(graph, state);
        self.seen.contains(&place(Property::Deadlock, location.as_ref(), &message))
    }

    fn knows_component(&mut self, graph: &mut Graph<'_>, states: &[StateId]) -> bool {
        let stuck = stuck::sections_stuck_in(graph, states, &self.options.sections);
        let known = match stuck.is_empty() {
            true if !self.options.termination => true,
            true => self.told.programs.contains(&nowhere_to_end(graph, states[0])),
            false => {
                let sections = without_inner_waits(stuck);
                let told = |section: &OpenSection| self.told.knows(graph, states[0], *section);
                let known = sections.iter().all(told);
                if known {
                    self.stuck.push(Found::Component { sections, states: states.to_vec() });
                }
                known
            }
        };
        self.bottom_components += u64::from(known);
        self.endless |= known;
        known
    }

    /// Whether everything that is stuck in a component was told, in other states.
    fn knows_sets(&mut self, graph: &mut Graph<'_>, edges: &Rc<Edges>) -> bool {
        let sets = telling(stuck::stuck_sets(graph, edges, self.options.wanted()));
        let known = sets.iter().all(|set| match set.what {
            Stuck::Section(section) => self.told.knows(graph, set.first(edges), section),
            Stuck::Program => self.told.programs.contains(&nowhere_to_end(graph, edges.state(0))),
        });
        if known {
            sets.into_iter().for_each(|set| self.note_set(edges, set));
        }
        known
    }

    /// Whether a stuck set was told in other states; it counts as told from now on.
    pub(super) fn knows_set(
        &mut self,
        graph: &mut Graph<'_>,
        set: &StuckSet,
        edges: &Edges,
    ) -> bool {
        match set.what {
            Stuck::Section(section) => !self.told.section(graph, set.first(edges), section),
            Stuck::Program => !self.told.program(graph, edges.state(0)),
        }
    }
}
