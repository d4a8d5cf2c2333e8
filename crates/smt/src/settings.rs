//! Which solver answers the questions of this thread, and when it has to stop.
//!
//! Engines make an [`Oracle`](crate::Oracle) wherever they need one; which
//! solver that is, was decided once by whoever called [`with`].

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// What the user decided about solvers.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// A process that reads SMT-LIB, as program and arguments; without it, Z3.
    pub solver: Option<Vec<String>>,
    /// Every question becomes a file in this directory.
    pub dump: Option<PathBuf>,
}

#[derive(Clone, Default)]
pub(crate) struct Current {
    pub settings: Settings,
    pub stop: Arc<AtomicBool>,
    pub dumped: Arc<AtomicUsize>,
}

thread_local! {
    static CURRENT: RefCell<Current> = RefCell::default();
}

pub(crate) fn current() -> Current {
    CURRENT.with(|current| current.borrow().clone())
}

/// Whether questions are no longer answered.
pub(crate) fn stopped() -> bool {
    CURRENT.with(|current| current.borrow().stop.load(Ordering::Relaxed))
}

/// How often the stop condition is looked at.
const GLANCE: Duration = Duration::from_millis(40);

/// Does something that asks solvers. Once `stop` is true, the question that is
/// being answered is interrupted and all later ones are not answered.
pub fn with<T>(
    settings: &Settings,
    stop: &(dyn Fn() -> bool + Sync),
    body: impl FnOnce() -> T,
) -> T {
    let flag = Arc::new(AtomicBool::new(false));
    let own = Current { settings: settings.clone(), stop: flag.clone(), dumped: Arc::default() };
    let before = CURRENT.with(|current| current.replace(own));
    let context = z3::Context::thread_local();
    let handle = context.handle();
    let done = AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                std::thread::park_timeout(GLANCE);
                if !done.load(Ordering::Relaxed) && stop() {
                    flag.store(true, Ordering::Relaxed);
                    handle.interrupt();
                }
            }
        });
        let result = body();
        done.store(true, Ordering::Relaxed);
        watch.thread().unpark();
        result
    });
    CURRENT.with(|current| current.replace(before));
    result
}
