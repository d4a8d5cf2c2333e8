//! The header `exeunt.h` and the C and C++ parts of the library, which travel
//! inside the binary: each run has its own directory with them, removed at the end.

use std::path::Path;

use tempfile::TempDir;

use crate::failure::Failure;
use crate::interrupt;

const FILES: [(&str, &str); 13] = [
    ("prove/sys/queue.h", include_str!("../../../runtime/prove/sys/queue.h")),
    ("exeunt.h", include_str!("../../../runtime/exeunt.h")),
    ("libc.c", include_str!("../../../runtime/libc.c")),
    ("getopt.c", include_str!("../../../runtime/getopt.c")),
    ("err.c", include_str!("../../../runtime/err.c")),
    ("thread.cpp", include_str!("../../../runtime/cxx/thread.cpp")),
    ("allocator.cpp", include_str!("../../../runtime/cxx/allocator.cpp")),
    ("clock.cpp", include_str!("../../../runtime/cxx/clock.cpp")),
    ("ios.cpp", include_str!("../../../runtime/cxx/ios.cpp")),
    ("locale.cpp", include_str!("../../../runtime/cxx/locale.cpp")),
    ("thread_exit.cpp", include_str!("../../../runtime/cxx/thread_exit.cpp")),
    ("unwind.cpp", include_str!("../../../runtime/cxx/unwind.cpp")),
    ("rtti.cpp", include_str!("../../../runtime/cxx/rtti.cpp")),
];

pub(crate) struct Runtime {
    directory: TempDir,
}

impl Runtime {
    pub(crate) fn new() -> Result<Self, Failure> {
        let directory = tempfile::Builder::new().prefix("exeunt-").tempdir();
        let directory =
            directory.map_err(|why| Failure::file("write to", &std::env::temp_dir(), &why))?;
        interrupt::remove_at_exit(directory.path());
        for (name, text) in FILES {
            let file = directory.path().join(name);
            let place = file.parent().unwrap_or(directory.path());
            std::fs::create_dir_all(place).map_err(|why| Failure::file("write", place, &why))?;
            std::fs::write(&file, text).map_err(|why| Failure::file("write", &file, &why))?;
        }
        Ok(Runtime { directory })
    }

    /// Where the header and the parts of the library are.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }
}
