//! Orders of exploration. Each file owns only its order; storing, error
//! handling and counting are shared.

mod bits;
mod breadth;
mod chains;
#[cfg(test)]
mod counts;
mod depth;
mod graph;
mod labels;
mod lossy;
mod onward;
mod parallel;
mod visits;

use std::ops::ControlFlow;
use std::rc::Rc;

use exeunt_model::{Fault, Move};

use crate::options::SectionFilter;
use crate::store::StateId;
use crate::stuck::Edges;

pub use breadth::{breadth_first, path_along};
pub use chains::{Chain, follow_chains};
pub use depth::depth_first;
pub use graph::{Expansion, Graph, Movers, Seen};
pub use labels::{Label, LabelId, Labels};
pub use lossy::{Coverage, lossy};
pub use onward::{Onward, Step, Way};
pub use parallel::{Outcome, Totals, explore_parallel};

/// Something an exploration came across, with the state it left from.
#[derive(Debug)]
pub enum Finding {
    Fault {
        step: Move,
        fault: Fault,
    },
    Deadlock {
        state: StateId,
    },
    /// A bottom component of a program that has not ended.
    Component {
        states: Vec<StateId>,
    },
    /// A component in which the environment chooses; its edges if something
    /// may be stuck in it.
    Choosing {
        edges: Option<Rc<Edges>>,
        bottom: bool,
    },
}

/// What may not be stuck.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    pub sections: &'w SectionFilter,
    /// The program as a whole.
    pub termination: bool,
}

/// What an explorer tells while it runs. `Break` ends the exploration.
pub trait Observer {
    /// Whether a finding like this one was told before, so that it is only counted. Asked before
    /// a path to it is looked up.
    fn is_known(&mut self, _finding: &Finding, _graph: &mut Graph<'_>) -> bool {
        false
    }

    /// `path` are the states from the initial one to where it was found.
    fn found(
        &mut self,
        finding: Finding,
        graph: &mut Graph<'_>,
        path: &[StateId],
    ) -> ControlFlow<()>;

    /// What components are wanted for, if they are.
    fn wanted(&self) -> Option<Wanted<'_>>;

    /// Whether the exploration goes on after the first finding.
    fn goes_on(&self) -> bool;
}
