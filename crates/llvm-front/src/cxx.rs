//! The C++ library as bitcode.
//!
//! What programs call of libstdc++ and is not in its headers comes from the
//! distribution's own source (Debian's package `gcc-12-source`, or that of the version
//! whose headers are installed). It is compiled once, with the clang that compiles the
//! programs, into one module in a cache. Linking a program with that module takes only
//! what the program reaches: every definition there may be left out unless something
//! names it (`linkonce`), and function bodies are read when they are needed.
//!
//! Some files are left out because the virtual machine does their work
//! (allocation, guards of static variables), because they are of another system, or
//! because nothing that is supported needs them (files and directories). `runtime/cxx/`
//! replaces the unwinder and what glibc knows about locales.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use crate::clang::Clang;
use crate::llvm::Context;

/// Changes when a library that was compiled before must not be used any more.
const FORM: u32 = 3;

/// A directory of the source, the standard that its files are written in, and the
/// files that are left out.
struct Directory {
    path: &'static str,
    standard: &'static str,
    without: &'static [&'static str],
}

const DIRECTORIES: [Directory; 7] = [
    Directory {
        path: "libsupc++",
        standard: "gnu++17",
        without: &[
            "atexit_",
            "del_op",
            "eh_alloc",
            "eh_arm",
            "eh_call",
            "eh_personality",
            "eh_tm",
            "guard.cc",
            "new_op",
            "pure.cc",
            "vterminate",
            "vtv_",
        ],
    },
    Directory {
        path: "src/c++98",
        standard: "gnu++98",
        without: &[
            "bitmap_",
            "compatibility",
            "hash-long-double",
            "mt_allocator",
            "parallel_",
            "pool_allocator",
            "strstream",
        ],
    },
    Directory {
        path: "src/c++11",
        standard: "gnu++11",
        without: &["chrono", "compatibility", "debug.cc", "random.cc"],
    },
    Directory { path: "src/c++17", standard: "gnu++17", without: &["fs_", "cow-fs"] },
    Directory { path: "src/c++20", standard: "gnu++20", without: &[] },
    Directory { path: "config/locale/gnu", standard: "gnu++98", without: &["messages_"] },
    Directory { path: "config/os/gnu-linux", standard: "gnu++11", without: &[] },
];

/// Those files of older directories that are written in C++11.
const NEWER: [&str; 3] = ["ctype_members.cc", "locale_init.cc", "localename.cc"];

/// Files that are compiled for both kinds of strings that the library has.
const FOR_BOTH_STRINGS: [&str; 3] =
    ["collate_members.cc", "monetary_members.cc", "numeric_members.cc"];

/// Our own parts, beside `exeunt.h`.
const OWN: [&str; 5] = ["clock.cpp", "locale.cpp", "random.cpp", "thread_exit.cpp", "unwind.cpp"];

const ARGUMENTS: [&str; 10] = [
    "-O1",
    "-g0",
    "-w",
    "--target=x86_64-pc-linux-gnu",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-fno-stack-protector",
    "-fno-pic",
    "-D_GNU_SOURCE",
];

/// Where sources and headers of the C++ library are.
const HEADERS: &str = "/usr/include/c++";
const SOURCES: &str = "/usr/src";
/// Directories in the cache in which it is compiled begin with this.
const SCRATCH: &str = "library-";

/// The library as one file of bitcode, compiled now if that was not done before. There
/// is none where its source is not installed.
pub(crate) fn library(clang: &Clang, runtime: &Path) -> Result<Option<PathBuf>, String> {
    let Some(archive) = archive() else { return Ok(None) };
    let cache = cache()?;
    let file = cache.join(format!("libstdc++-{:016x}.bc", key(&archive, runtime)?));
    if file.is_file() {
        return Ok(Some(file));
    }
    fs::create_dir_all(&cache).map_err(|error| cannot("create", &cache, &error))?;
    let lock = cache.join("lock");
    let held = fs::File::create(&lock).map_err(|error| cannot("create", &lock, &error))?;
    held.lock().map_err(|error| cannot("lock", &lock, &error))?;
    if !file.is_file() {
        remove_unfinished(&cache);
        if std::io::stderr().is_terminal() {
            eprintln!("exeunt: compiling the C++ library, which is done once (about a minute)");
        }
        compile(clang, &archive, runtime, &cache, &file)?;
    }
    Ok(Some(file))
}

/// Removes what others left behind that were killed while they compiled the library. Nobody else
/// compiles it now, because the lock is held.
fn remove_unfinished(cache: &Path) {
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(SCRATCH) {
            // What cannot be removed does no harm.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether [`library`] can be had.
pub(crate) fn is_available() -> bool {
    archive().is_some()
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {what} {}: {error}", path.display())
}

/// The source of the library whose headers clang takes: the newest.
fn archive() -> Option<PathBuf> {
    let names = |directory: &Path| -> Vec<String> {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    };
    let versions = names(Path::new(HEADERS));
    let version = versions.iter().filter_map(|name| name.parse::<u32>().ok()).max()?;
    let directory = Path::new(SOURCES).join(format!("gcc-{version}"));
    let wanted = |name: &&String| name.starts_with("gcc-") && name.contains(".tar");
    names(&directory).iter().find(wanted).map(|name| directory.join(name))
}

/// The directory of files that are made once.
pub fn cache() -> Result<PathBuf, String> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(cache) = variable("XDG_CACHE_HOME") {
        return Ok(PathBuf::from(cache).join("exeunt"));
    }
    match variable("HOME") {
        Some(home) => Ok(PathBuf::from(home).join(".cache/exeunt")),
        None => Err("there is no directory for a cache (HOME is not set)".into()),
    }
}

/// Changes whenever the compiled library would.
fn key(archive: &Path, runtime: &Path) -> Result<u64, String> {
    let mut hasher = DefaultHasher::new();
    FORM.hash(&mut hasher);
    archive.hash(&mut hasher);
    let size = fs::metadata(archive).map_err(|error| cannot("read", archive, &error))?.len();
    size.hash(&mut hasher);
    for directory in &DIRECTORIES {
        (directory.path, directory.standard, directory.without).hash(&mut hasher);
    }
    ARGUMENTS.hash(&mut hasher);
    for name in OWN {
        let path = runtime.join(name);
        fs::read(&path).map_err(|error| cannot("read", &path, &error))?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// A file to compile, its standard, and what else to tell clang.
struct Task {
    file: PathBuf,
    standard: &'static str,
    argument: Option<&'static str>,
}

/// Strings as they were before C++11, which share their representation.
const OLD_STRINGS: &str = "-D_GLIBCXX_USE_CXX11_ABI=0";
/// Loops of ours must not become calls of what they define.
const NO_BUILTINS: &str = "-fno-builtin";

fn compile(
    clang: &Clang,
    archive: &Path,
    runtime: &Path,
    cache: &Path,
    file: &Path,
) -> Result<(), String> {
    let scratch = tempfile::Builder::new().prefix(SCRATCH).tempdir_in(cache);
    let scratch = scratch.map_err(|error| cannot("create a directory in", cache, &error))?;
    let root = scratch.path();
    unpack(archive, root)?;
    support(root)?;
    let own = |name: &&str| Task {
        file: runtime.join(name),
        standard: "gnu++17",
        argument: Some(NO_BUILTINS),
    };
    let mut tasks: Vec<Task> = OWN.iter().map(own).collect();
    for directory in &DIRECTORIES {
        tasks.extend(files(root, directory)?);
    }
    let modules = compile_all(clang, root, tasks)?;
    let context = Context::new();
    let mut library = context.parse(b"target triple = \"x86_64-pc-linux-gnu\"\n")?;
    for module in modules {
        let bytes = fs::read(&module).map_err(|error| cannot("read", &module, &error))?;
        let mut part = context.parse(&bytes)?;
        part.allow_duplicates();
        library.link(part)?;
    }
    library.make_optional();
    library.mark_functions(crate::lower::LIBRARY, |_| true);
    library.verify()?;
    // Whoever looks sees the whole file or none.
    let whole = root.join("library.bc");
    fs::write(&whole, library.bitcode()).map_err(|error| cannot("write", &whole, &error))?;
    fs::rename(&whole, file).map_err(|error| cannot("write", file, &error))
}

fn unpack(archive: &Path, root: &Path) -> Result<(), String> {
    let mut command = Command::new("tar");
    command.arg("-xf").arg(archive).arg("-C").arg(root);
    command.args(["--strip-components=2", "--wildcards"]);
    command.args(["libsupc++", "src", "config"].map(|part| format!("*/libstdc++-v3/{part}/*")));
    let result = command.stdin(Stdio::null()).output();
    let result = result.map_err(|error| format!("cannot run tar: {error}"))?;
    match result.status.success() {
        true => Ok(()),
        false => Err(format!("tar: {}", String::from_utf8_lossy(&result.stderr).trim_end())),
    }
}

/// What the library's own build would generate.
fn support(root: &Path) -> Result<(), String> {
    let made = [
        ("support/config.h", String::new()),
        ("support/sys/sdt.h", "#define PROBE(...)\n#define PROBE2(...)\n".to_string()),
        (
            "support/bits/c++locale_internal.h",
            "#include \"../../config/locale/gnu/c++locale_internal.h\"\n".to_string(),
        ),
    ];
    for (name, text) in made {
        let path = root.join(name);
        let directory = path.parent().expect("a file in a directory");
        let written = fs::create_dir_all(directory).and_then(|()| fs::write(&path, text));
        written.map_err(|error| cannot("write", &path, &error))?;
    }
    Ok(())
}

fn files(root: &Path, directory: &Directory) -> Result<Vec<Task>, String> {
    let path = root.join(directory.path);
    let entries = fs::read_dir(&path).map_err(|error| cannot("read", &path, &error))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".cc"))
        .collect();
    names.sort();
    names.retain(|name| !directory.without.iter().any(|without| name.contains(without)));
    let standard = |name: &str| if NEWER.contains(&name) { "gnu++11" } else { directory.standard };
    let task = |name: &String, argument| Task {
        file: path.join(name),
        standard: standard(name),
        argument,
    };
    let twice = names.iter().filter(|name| FOR_BOTH_STRINGS.contains(&name.as_str()));
    let twice: Vec<Task> = twice.map(|name| task(name, Some(OLD_STRINGS))).collect();
    Ok(names.iter().map(|name| task(name, None)).chain(twice).collect())
}

/// Compiles all files, on all cores; the modules are in the order of the files.
fn compile_all(clang: &Clang, root: &Path, tasks: Vec<Task>) -> Result<Vec<PathBuf>, String> {
    let modules: Vec<PathBuf> =
        (0..tasks.len()).map(|i| root.join(format!("module-{i}.bc"))).collect();
    let includes = ["support", "libsupc++", "config/locale/gnu", "config/os/gnu-linux"];
    let includes: Vec<PathBuf> = includes
        .into_iter()
        .chain(["src/c++11", "src/c++98", "src/c++17"])
        .map(|directory| root.join(directory))
        .collect();
    let queue = Mutex::new(tasks.iter().zip(&modules));
    let failed = Mutex::new(Vec::new());
    let work = || {
        while let Some((task, module)) = queue.lock().expect("no panic").next() {
            let arguments: Vec<&str> = ARGUMENTS.into_iter().chain(task.argument).collect();
            let (file, standard) = (&task.file, task.standard);
            if let Err(why) = clang.library_file(file, standard, &arguments, &includes, module) {
                failed.lock().expect("no panic").push(format!("{}: {why}", file.display()));
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let mut failed = failed.into_inner().expect("no panic");
    failed.sort();
    match failed.first() {
        None => Ok(modules),
        Some(why) => Err(format!("the C++ library does not compile: {why}")),
    }
}
