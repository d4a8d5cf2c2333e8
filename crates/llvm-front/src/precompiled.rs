//! Headers of the C++ library, precompiled.
//!
//! Most of the time that clang takes for a small C++ program goes into the headers of the library, and
//! they are the same each time. What a file begins with, if that is nothing but `#include <name>` of the library's
//! headers, is compiled once and then taken from the cache.
//! A block of headers that is met for the first time is only noted: to precompile it takes longer than
//! to compile the program once.
//!
//! Invariant: what is compiled is what would be compiled without. The precompiled headers are exactly those that
//! the file begins with, in its order; clang itself checks that no file behind them has changed, and if it
//! complains about anything, the file is compiled again without them.

use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// Changes when headers that were precompiled before must not be used any more.
const FORM: u32 = 1;

/// Bytes of precompiled headers that are kept.
const MOST_BYTES: u64 = 256 << 20;

/// Names in the cache begin with this.
const NAME: &str = "headers-";

/// Headers that a file begins with.
pub struct Headers {
    /// The lines that include them.
    block: String,
    directory: PathBuf,
    name: String,
}

impl Headers {
    /// The headers of a C++ file that is compiled by this program with these arguments, if there are
    /// some and they can be precompiled.
    pub fn of(text: &str, program: &Path, arguments: &[&OsString]) -> Option<Headers> {
        let block = block(text);
        let own = |argument: &&OsString| {
            let argument = argument.to_string_lossy();
            ["-include", "-imacros", "-fpch", "-fmodule"].iter().any(|own| argument.contains(own))
        };
        if block.is_empty() || arguments.iter().any(own) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        (FORM, &block, program, arguments).hash(&mut hasher);
        // Relative directories among the arguments mean something else elsewhere.
        std::env::current_dir().ok()?.hash(&mut hasher);
        let directory = crate::cxx::cache().ok()?;
        Some(Headers { block, directory, name: format!("{NAME}{:016x}", hasher.finish()) })
    }

    fn path(&self, ending: &str) -> PathBuf {
        self.directory.join(&self.name).with_extension(ending)
    }

    /// The precompiled headers: made before, or now if they were asked for before. `command` is
    /// clang without an input or output; `run` says whether it succeeded.
    pub fn ready(
        &self,
        mut command: Command,
        run: impl FnOnce(&mut Command) -> bool,
    ) -> Option<PathBuf> {
        let (ready, source) = (self.path("pch"), self.path("h"));
        if ready.is_file() {
            // Those used last are kept.
            let file = fs::File::options().append(true).open(&ready).ok()?;
            let _ = file.set_modified(SystemTime::now());
            return Some(ready);
        }
        if !source.is_file() {
            self.note(&source);
            return None;
        }
        let fresh = tempfile::NamedTempFile::with_prefix_in(NAME, &self.directory).ok()?;
        command.args(["-x", "c++-header"]).arg(&source).arg("-o").arg(fresh.path());
        if !run(&mut command) {
            return None;
        }
        fresh.persist(&ready).ok()?;
        self.make_room();
        Some(ready)
    }

    /// Notes that these headers were asked for. What cannot be noted is not precompiled.
    fn note(&self, source: &Path) {
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(&self.directory)?;
            // Complete at once: others may read it.
            let fresh = tempfile::NamedTempFile::with_prefix_in(NAME, &self.directory)?;
            fs::write(fresh.path(), &self.block)?;
            fresh.persist_noclobber(source)?;
            Ok(())
        };
        let _ = write();
    }

    /// They are of no use: something behind them has changed.
    pub fn forget(&self) {
        let _ = fs::remove_file(self.path("pch"));
    }

    /// Removes what was not used for the longest time, if there is too much.
    fn make_room(&self) {
        let entries = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let kept = |path: &Path| path.extension().is_some_and(|ending| ending == "pch");
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter_map(|entry| {
                let metadata = entry.metadata().ok()?;
                Some((metadata.modified().ok()?, metadata.len(), entry.path()))
            })
            .filter(|(_, _, path)| kept(path))
            .collect();
        files.sort_unstable_by(|a, b| b.cmp(a));
        let mut bytes = 0;
        for (_, len, path) in files {
            bytes += len;
            if bytes > MOST_BYTES {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// The lines at the beginning of a file that include headers of the C++ library, as long as there is nothing
/// else but comments and empty lines between them.
fn block(text: &str) -> String {
    let mut found = String::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("//") {
            let (line, behind) = comment.split_once('\n').unwrap_or((comment, ""));
            // The comment goes on in the next line.
            if line.trim_end().ends_with('\\') {
                return found;
            }
            rest = behind;
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let Some((_, behind)) = comment.split_once("*/") else { return found };
            rest = behind;
        } else {
            let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
            let Some(name) = included(line) else { return found };
            found.push_str(&format!("#include <{name}>\n"));
            rest = behind;
        }
    }
}

/// The header of the library that a line includes. Only these have names without an ending.
fn included(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    let (name, behind) = rest.strip_prefix('<')?.split_once('>')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let behind = behind.trim();
    let alone = behind.is_empty() || behind.starts_with("//") && !behind.ends_with('\\');
    (alone && !name.is_empty() && name.chars().all(plain)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_what_the_file_begins_with() {
        let text = "// words\n/* more\n */\n#include <thread> // why\n\n#  include  <map>\nint x;\n#include <set>\n";
        assert_eq!(block(text), "#include <thread>\n#include <map>\n");
    }

    #[test]
    fn what_could_change_a_header_ends_the_block() {
        for first in [
            "#define N 1\n",
            "#include \"mine.h\"\n",
            "#include <sys/types.h>\n",
            "#include <assert.h>\n",
            "#include <a/b>\n",
            "#pragma once\n",
            "// goes on \\\n",
            "#include <map> int x;\n",
            "/* open\n",
        ] {
            assert_eq!(block(&format!("{first}#include <set>\n")), "", "{first}");
        }
        assert_eq!(block("#include <map>"), "#include <map>\n");
        assert_eq!(block("#include <map> // goes on \\\n#define N\n"), "");
    }
}
