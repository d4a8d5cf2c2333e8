//! What can be wrong with the input. Nothing is checked then: exit code 2.

use std::fmt;
use std::path::PathBuf;

#[derive(Debug)]
pub enum FrontError {
    /// No file was given.
    NoInput,
    /// A file that cannot be read.
    Unreadable {
        file: PathBuf,
        why: String,
    },
    /// A file name that ends in nothing we know.
    UnknownKind(PathBuf),
    /// There is no clang 22.
    NoClang {
        tried: String,
    },
    /// The compiler's own words.
    Compile(String),
    /// LLVM text or bitcode that LLVM does not accept.
    BadModule {
        file: PathBuf,
        why: String,
    },
    /// Files that do not fit together.
    Link {
        file: PathBuf,
        why: String,
    },
    /// Compiled for another machine.
    WrongTarget {
        file: PathBuf,
        target: String,
    },
    /// Machine code that cannot be read.
    NotBuilt {
        file: PathBuf,
        why: String,
    },
    /// Machine code that was not compiled by us.
    NoBitcode {
        name: String,
    },
    /// A source that only the native compiler takes.
    Refused {
        name: String,
        source: String,
        why: String,
    },
    /// A function that a program cannot begin at.
    Entry {
        name: String,
        why: String,
    },
    /// A test that is not there.
    Test {
        name: String,
        why: String,
    },
    NoMain,
    /// A global larger than any object may be.
    TooLarge {
        global: String,
        bytes: u64,
    },
    /// The machine we run on does not let us work (temporary files…).
    System(String),
}

impl fmt::Display for FrontError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrontError::NoInput => f.write_str("no input file"),
            FrontError::Unreadable { file, why } => {
                write!(f, "cannot read {}: {why}", file.display())
            }
            FrontError::UnknownKind(file) => {
                write!(
                    f,
                    "{}: this is none of .c, .cpp, .ll, .bc, and no machine code either",
                    file.display()
                )
            }
            FrontError::NoClang { tried } => write!(
                f,
                "there is no clang 22 on this machine (tried {tried}); \
                 on Debian and Ubuntu it is in the package clang-22"
            ),
            FrontError::Compile(text) => f.write_str(text.trim_end()),
            FrontError::BadModule { file, why } => {
                write!(f, "{}: LLVM 22 does not accept this file: {why}", file.display())
            }
            FrontError::Link { file, why } => {
                write!(f, "{}: cannot be linked: {why}", file.display())
            }
            FrontError::WrongTarget { file, target } => write!(
                f,
                "{}: compiled for {target}; only x86-64 with 64-bit pointers is supported",
                file.display()
            ),
            FrontError::NotBuilt { file, why } => {
                write!(f, "cannot read {}: {why}", file.display())
            }
            FrontError::NoBitcode { name } => write!(
                f,
                "{name} has no bitcode inside: build it with CC=\"exeunt cc\" and \
                 CXX=\"exeunt c++\" (bitcode that was there may have been removed by llvm-strip or \
                 objcopy)"
            ),
            FrontError::Refused { name, source, why } => {
                write!(f, "{name} cannot be checked because of {source}: {}", why.trim_end())
            }
            FrontError::Entry { name, why } => {
                write!(f, "the program cannot begin at `{name}`: {why}")
            }
            FrontError::Test { name, why } => write!(f, "the test `{name}` cannot be run: {why}"),
            FrontError::NoMain => f.write_str("the program has no function main"),
            FrontError::TooLarge { global, bytes } => {
                write!(
                    f,
                    "the global {global} has {bytes} bytes; no object may be larger than 2 GiB"
                )
            }
            FrontError::System(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for FrontError {}
