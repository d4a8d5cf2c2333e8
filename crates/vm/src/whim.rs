//! Wake-ups that nobody asked for.

use crate::thread::Status;

const SPURIOUS: &str = "a spurious wake-up is part of this schedule: POSIX allows a condition \
wait to return without a signal; `--no-spurious` assumes that none does";
const SPURIOUS_FUTEX: &str = "a spurious wake-up is part of this schedule: futex(2) says that a \
wait may return 0 although nobody woke it for this; `--no-spurious` assumes that none does";

/// What a thread is that wakes up although nobody woke it, if it can, and who allows that.
pub fn woken_from(status: Status) -> Option<(Status, &'static str)> {
    match status {
        Status::CondWait { mutex, .. } => Some((Status::CondRelock { mutex, result: 0 }, SPURIOUS)),
        Status::FutexWait { .. } => Some((Status::FutexWoken, SPURIOUS_FUTEX)),
        Status::Ready
        | Status::CondRelock { .. }
        | Status::BarrierWait { .. }
        | Status::BarrierLeave { .. }
        | Status::FutexWoken
        | Status::Ended { .. }
        | Status::Free => None,
    }
}
