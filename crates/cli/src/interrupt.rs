//! Ctrl-C: the first one asks the search to stop and tell what it knows, the
//! second one ends the process at once.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::failure::INTERRUPTED;
use crate::progress;

static REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static LEFTOVERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Starts listening and gives the flag that a search watches.
pub(crate) fn listen() -> Arc<AtomicBool> {
    // A second handler cannot be set; the first one serves all the same.
    let _ = ctrlc::set_handler(interrupted);
    REQUESTED.clone()
}

/// Whether the user wants the run to end.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Also remove this directory when the process is ended at once.
pub(crate) fn remove_at_exit(directory: &Path) {
    LEFTOVERS.lock().unwrap_or_else(PoisonError::into_inner).push(directory.to_path_buf());
}

fn interrupted() {
    if !REQUESTED.swap(true, Ordering::Relaxed) {
        return;
    }
    for directory in LEFTOVERS.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = std::fs::remove_dir_all(directory);
    }
    progress::wipe();
    std::process::exit(i32::from(INTERRUPTED));
}
