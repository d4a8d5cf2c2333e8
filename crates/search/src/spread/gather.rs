//! The transitions of one state, as they are sent to where their targets belong.

use std::ops::{ControlFlow, Range};

use exeunt_model::{CompId, Edge, Fault, Sink, StateStatus, Target, Unsupported};

use super::part::Kind;
use crate::explore::{LabelId, Labels};

/// One transition.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where its target is in `components`; `None` leads to no state.
    pub target: Option<Range<usize>>,
    pub kind: Kind,
    pub label: LabelId,
}

/// All transitions of a state.
#[derive(Default)]
pub struct Gathered {
    pub steps: Vec<Step>,
    pub components: Vec<CompId>,
    /// The first one that goes wrong, with its place.
    pub fault: Option<(usize, Fault)>,
    /// Moves that a scheduler could make, whatever their outcome.
    moves: usize,
    /// Some path was dropped or could not be followed.
    drops: bool,
    pub reopens: bool,
    pub chooses: bool,
    pub ended: bool,
}

impl Gathered {
    pub fn clear(&mut self) {
        self.steps.clear();
        self.components.clear();
        self.fault = None;
        self.moves = 0;
        self.drops = false;
        self.reopens = false;
        self.chooses = false;
        self.ended = false;
    }

    pub fn finish(&mut self, status: StateStatus) {
        self.ended = status == StateStatus::Ended;
    }

    /// Whether nothing can move although the program has not ended.
    pub fn is_deadlock(&self) -> bool {
        self.moves == 0 && !self.ended && !self.drops
    }

    /// Whether the state is in no stuck set, whatever else is: the program has ended, or
    /// a step that the environment cannot prevent leads to where nothing is known.
    pub fn is_out(&self) -> bool {
        let unknown = |step: &Step| step.kind == Kind::Forced && step.target.is_none();
        self.ended || (self.moves == 0 && self.drops) || self.steps.iter().any(unknown)
    }
}

/// Takes the transitions of a state.
pub struct Gather<'g> {
    pub gathered: &'g mut Gathered,
    /// Labels are kept where choices matter.
    pub labels: Option<&'g mut Labels>,
    pub unsupported: &'g mut Vec<Unsupported>,
}

impl Sink for Gather<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let gathered = &mut *self.gathered;
        let kind = match edge.has_environment_choice() {
            _ if edge.withheld => Kind::Withheld,
            true => Kind::Chosen,
            false => Kind::Forced,
        };
        gathered.moves += usize::from(!edge.withheld);
        gathered.reopens |= edge.reopens;
        gathered.chooses |= edge.has_environment_choice();
        let target = match target {
            Target::State(state) => {
                let start = gathered.components.len();
                gathered.components.extend_from_slice(state);
                Some(start..gathered.components.len())
            }
            Target::Fault(fault) => {
                let place = gathered.steps.len();
                gathered.fault.get_or_insert_with(|| (place, fault.clone()));
                None
            }
            Target::Unsupported(limit) => {
                if !self.unsupported.contains(limit) {
                    self.unsupported.push(limit.clone());
                }
                gathered.drops = true;
                None
            }
            Target::Dropped => {
                gathered.drops = true;
                None
            }
        };
        let label = self.labels.as_mut().map_or(LabelId::default(), |labels| labels.of(edge));
        gathered.steps.push(Step { target, kind, label });
        ControlFlow::Continue(())
    }
}
