//! The header `exeunt.h`, which travels inside the binary: each run has its
//! own directory with it, removed at the end.

use std::path::Path;

use tempfile::TempDir;

use crate::failure::Failure;
use crate::interrupt;

const HEADER: &str = include_str!("../../../runtime/exeunt.h");

pub(crate) struct Runtime {
    directory: TempDir,
}

impl Runtime {
    pub(crate) fn new() -> Result<Self, Failure> {
        let directory = tempfile::Builder::new().prefix("exeunt-").tempdir();
        let directory =
            directory.map_err(|why| Failure::file("write to", &std::env::temp_dir(), &why))?;
        interrupt::remove_at_exit(directory.path());
        let header = directory.path().join("exeunt.h");
        std::fs::write(&header, HEADER).map_err(|why| Failure::file("write", &header, &why))?;
        Ok(Runtime { directory })
    }

    /// The directory to include from.
    pub(crate) fn include(&self) -> &Path {
        self.directory.path()
    }
}
