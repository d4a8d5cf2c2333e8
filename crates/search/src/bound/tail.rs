//! States with one more component behind those of the model: what a bound remembers.

use std::ops::ControlFlow;

use exeunt_model::{CompId, Edge, Sink, Target};

/// The state of the model itself, and the component behind it.
pub(super) fn split(state: &[CompId]) -> (&[CompId], CompId) {
    let (last, inner) = state.split_last().expect("a bounded state has a last component");
    (inner, *last)
}

/// Hands an edge on, its target with a component behind it.
pub(super) fn hand_on(
    sink: &mut dyn Sink,
    edge: &Edge<'_>,
    target: Target<'_>,
    tail: impl FnOnce() -> CompId,
    out: &mut Vec<CompId>,
) -> ControlFlow<()> {
    let Target::State(vector) = target else { return sink.edge(edge, target) };
    out.clear();
    out.extend_from_slice(vector);
    out.push(tail());
    sink.edge(edge, Target::State(out))
}

/// Puts a component behind the initial state. The edge into it is a step of no actor.
pub(super) struct Initial<'s> {
    pub sink: &'s mut dyn Sink,
    pub tail: CompId,
}

impl Sink for Initial<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        hand_on(self.sink, edge, target, || self.tail, &mut Vec::new())
    }
}

/// A worker with a field `inner` that has such states: it never reduces, and what is told
/// about states comes from the inner one.
macro_rules! tailed {
    ($worker:ident) => {
        exeunt_model::never_reduces!(impl Reduce for $worker<'_>);

        impl exeunt_model::Around for $worker<'_> {
            fn inner(&self) -> &dyn SearchWorker {
                &*self.inner
            }

            fn inner_mut(&mut self) -> &mut dyn SearchWorker {
                &mut *self.inner
            }

            fn inside<'s>(&self, state: &'s [CompId]) -> &'s [CompId] {
                $crate::bound::tail::split(state).0
            }
        }
    };
}

pub(super) use tailed;
