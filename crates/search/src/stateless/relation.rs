//! Which operations commute: the independence relation of the reduction.
//!
//! Two operations of different threads are dependent if their order can make
//! a difference that some step can observe, or if one can make the other possible
//! or impossible. The relation is symmetric. It may say "dependent" of
//! operations that commute (that costs traces), never the other way round.

use exeunt_model::{Access, Action, Operation};

/// Whether the order of these operations of different threads matters.
pub fn dependent(a: &Operation, b: &Operation) -> bool {
    if a.everything || b.everything {
        return true;
    }
    a.accesses().iter().any(|x| b.accesses().iter().any(|y| conflict(x, y)))
}

/// Bits that tell quickly that the order of two steps does not matter; all of them where
/// they say nothing.
pub fn traces(operation: &Operation) -> u64 {
    let joins = operation.accesses().iter().any(|access| access.action == Action::Join);
    if operation.everything || joins { u64::MAX } else { operation.traces() }
}

/// Whether the order of steps with these traces does not matter. If not, it need not matter.
pub fn are_apart(a: u64, b: u64) -> bool {
    a & b == 0 && a != u64::MAX && b != u64::MAX
}

fn conflict(a: &Access, b: &Access) -> bool {
    let apart = a.action.is_memory() && b.action.is_memory() && a.bytes() & b.bytes() == 0;
    a.object == b.object && !apart && (one_way(a, b) || one_way(b, a))
}

/// The part of the relation that begins with the class of one operation.
fn one_way(a: &Access, b: &Access) -> bool {
    match a.action {
        Action::Lock(_) | Action::TryLock(_) | Action::Unlock(_) => true,
        Action::Desert | Action::Repair => true,
        Action::WriteWant | Action::WriteLock | Action::TryWriteLock => true,
        Action::WriteUnlock => true,
        Action::ReadLock | Action::ReadUnlock => false,
        // Fails or not by what writers do; readers make no difference to it.
        Action::TryReadLock => false,
        Action::SemWait | Action::SemTryWait => true,
        Action::SemPost => b.action != Action::SemPost,
        Action::SemValue => b.action != Action::SemValue,
        Action::Enqueue => wakes(b.action),
        Action::FutexEnter => wakes(b.action),
        Action::Wake | Action::TimedWake | Action::Abandon => takes(b.action) || wakes(b.action),
        Action::Signal | Action::Broadcast => false,
        Action::FutexWake(_) => wakes(b.action),
        Action::Arrive => match b.action {
            Action::Arrive => true,
            // A thread leaves because of the arrivals up to its own round.
            Action::Leave => a.birth <= b.birth,
            _ => true,
        },
        Action::Leave => false,
        Action::OnceEnter | Action::OnceDone | Action::OnceUndone => true,
        Action::Join => false,
        Action::TryJoin => b.action == Action::Finish,
        Action::Finish => b.action == Action::TryJoin,
        Action::Cancel => matches!(b.action, Action::CancelPoint | Action::Join),
        Action::CancelPoint => b.action == Action::Cancel,
        Action::Read | Action::AtomicRead(_) | Action::Fence(_) => false,
        Action::Write | Action::AtomicWrite(_) | Action::AtomicUpdate(_) => true,
    }
}

fn wakes(action: Action) -> bool {
    matches!(action, Action::Signal | Action::Broadcast | Action::FutexWake(_))
}

fn takes(action: Action) -> bool {
    matches!(action, Action::Wake | Action::TimedWake | Action::Abandon)
}
