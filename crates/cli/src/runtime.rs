//! The header `exeunt.h` and the C part of the library, which travel inside
//! the binary: each run has its own directory with them, removed at the end.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::failure::Failure;
use crate::interrupt;

const HEADER: &str = include_str!("../../../runtime/exeunt.h");
const LIBRARY: &str = include_str!("../../../runtime/libc.c");

pub(crate) struct Runtime {
    directory: TempDir,
}

impl Runtime {
    pub(crate) fn new() -> Result<Self, Failure> {
        let directory = tempfile::Builder::new().prefix("exeunt-").tempdir();
        let directory =
            directory.map_err(|why| Failure::file("write to", &std::env::temp_dir(), &why))?;
        interrupt::remove_at_exit(directory.path());
        for (name, text) in [("exeunt.h", HEADER), ("libc.c", LIBRARY)] {
            let file = directory.path().join(name);
            std::fs::write(&file, text).map_err(|why| Failure::file("write", &file, &why))?;
        }
        Ok(Runtime { directory })
    }

    /// The C part of the library.
    pub(crate) fn library(&self) -> PathBuf {
        self.directory.path().join("libc.c")
    }

    /// The directory to include from.
    pub(crate) fn include(&self) -> &Path {
        self.directory.path()
    }
}
