//! Whether the environment has an answer to every step of a state: the condition that every
//! state of a stuck set fulfils.

use exeunt_model::ChoiceKind;

use crate::explore::Label;

/// Whether every actor's step from a state with so many edges can be answered by an edge that
/// `keeps` what is to be kept. Moves that may be withheld need no answer.
pub fn all_answered<'l>(
    edges: usize,
    label: &dyn Fn(usize) -> &'l Label,
    keeps: &dyn Fn(usize) -> bool,
) -> bool {
    let mut at = 0;
    while at < edges {
        let actor = label(at).actor;
        let mut end = at;
        while end < edges && label(end).actor == actor && !label(end).withheld {
            end += 1;
        }
        if end > at && !answered(label, at, end, 0, keeps) {
            return false;
        }
        at = end.max(at + 1);
    }
    true
}

/// Evaluates the tree of choices of one actor's edges `from..to`, which agree
/// on their first `depth` choices: all of the scheduler's alternatives must
/// stay, and one of the environment's.
fn answered<'l>(
    label: &dyn Fn(usize) -> &'l Label,
    from: usize,
    to: usize,
    depth: usize,
    keeps: &dyn Fn(usize) -> bool,
) -> bool {
    let choice = |at: usize| label(at).choices.get(depth);
    let Some(&(kind, _)) = choice(from) else {
        return (from..to).all(keeps);
    };
    let mut at = from;
    while at < to {
        let value = choice(at).map(|c| c.1);
        let mut end = at;
        while end < to && choice(end).map(|c| c.1) == value {
            end += 1;
        }
        let branch = answered(label, at, end, depth + 1, keeps);
        match kind {
            ChoiceKind::Scheduler if !branch => return false,
            ChoiceKind::Environment if branch => return true,
            _ => {}
        }
        at = end;
    }
    kind == ChoiceKind::Scheduler
}
