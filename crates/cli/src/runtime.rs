//! The header `exeunt.h` and the C and C++ parts of the library, which travel
//! inside the binary: each run has its own directory with them, removed at the end.

use std::path::Path;

use tempfile::TempDir;

use crate::failure::Failure;
use crate::interrupt;

/// How the names of the folders begin that it is written to.
pub(crate) const SCRATCH: &str = "exeunt-";

/// What checked programs include.
const HEADER: (&str, &str) = ("exeunt.h", include_str!("../../../runtime/exeunt.h"));

const FILES: [(&str, &str); 24] = [
    HEADER,
    ("prove/condition_variable", include_str!("../../../runtime/prove/condition_variable")),
    ("prove/mutex", include_str!("../../../runtime/prove/mutex")),
    ("prove/pthread.h", include_str!("../../../runtime/prove/pthread.h")),
    ("prove/shared_mutex", include_str!("../../../runtime/prove/shared_mutex")),
    ("prove/stop_token", include_str!("../../../runtime/prove/stop_token")),
    ("prove/sys/queue.h", include_str!("../../../runtime/prove/sys/queue.h")),
    ("prove/threads.h", include_str!("../../../runtime/prove/threads.h")),
    ("prove/bits/std_thread.h", include_str!("../../../runtime/prove/bits/std_thread.h")),
    (
        "prove/bits/this_thread_sleep.h",
        include_str!("../../../runtime/prove/bits/this_thread_sleep.h"),
    ),
    ("libc.c", include_str!("../../../runtime/libc.c")),
    ("getopt.c", include_str!("../../../runtime/getopt.c")),
    ("err.c", include_str!("../../../runtime/err.c")),
    ("thread.cpp", include_str!("../../../runtime/cxx/thread.cpp")),
    ("allocator.cpp", include_str!("../../../runtime/cxx/allocator.cpp")),
    ("clock.cpp", include_str!("../../../runtime/cxx/clock.cpp")),
    ("ios.cpp", include_str!("../../../runtime/cxx/ios.cpp")),
    ("locale.cpp", include_str!("../../../runtime/cxx/locale.cpp")),
    ("random.cpp", include_str!("../../../runtime/cxx/random.cpp")),
    ("thread_exit.cpp", include_str!("../../../runtime/cxx/thread_exit.cpp")),
    ("unwind.cpp", include_str!("../../../runtime/cxx/unwind.cpp")),
    ("gtest.cpp", include_str!("../../../runtime/cxx/gtest.cpp")),
    ("catch.cpp", include_str!("../../../runtime/cxx/catch.cpp")),
    ("rtti.cpp", include_str!("../../../runtime/cxx/rtti.cpp")),
];

pub(crate) struct Runtime {
    directory: TempDir,
}

impl Runtime {
    pub(crate) fn new() -> Result<Self, Failure> {
        let directory = tempfile::Builder::new().prefix(SCRATCH).tempdir();
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

    /// Writes the header into a directory that may have it already.
    pub(crate) fn write_header(directory: &Path) -> Result<(), Failure> {
        let (name, text) = HEADER;
        let file = directory.join(name);
        if std::fs::read_to_string(&file).is_ok_and(|old| old == text) {
            return Ok(());
        }
        let cannot = |why: std::io::Error| Failure::file("write", &file, &why);
        std::fs::create_dir_all(directory).map_err(cannot)?;
        // Whoever looks sees the whole file or none.
        let mut whole = tempfile::NamedTempFile::new_in(directory).map_err(cannot)?;
        std::io::Write::write_all(&mut whole, text.as_bytes()).map_err(cannot)?;
        whole.persist(&file).map_err(|error| cannot(error.error))?;
        Ok(())
    }

    /// Where the header and the parts of the library are.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }
}
