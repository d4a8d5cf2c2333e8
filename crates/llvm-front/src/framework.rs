//! Test cases of GoogleTest and Catch2 as programs: `--test Suite.Name`.
//!
//! The framework itself runs, with arguments that choose one test, so fixtures, parameters and
//! environments mean what they mean natively. Replaced is what a failed check does (the run
//! ends there, at the line of the check), and what asks for the time (`runtime/cxx/gtest.cpp` and
//! `catch.cpp`). Where a program has tests of GoogleTest and not the framework, it comes
//! from the distribution's source, compiled once into the cache.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::clang::Clang;
use crate::cxx;
use crate::library::missing;
use crate::llvm::{Context, Module, Opcode, Value};
use crate::{FrontError, Inputs, entry, link_error};

/// Where Debian's package `googletest` has its source.
const SOURCE: &str = "/usr/src/googletest";

/// Changes when what was compiled before must not be used any more.
const FORM: u32 = 1;

const ARGUMENTS: [&str; 12] = [
    "-O1",
    "-fno-inline",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-g0",
    "-w",
    "--target=x86_64-pc-linux-gnu",
    "-fno-stack-protector",
    "-fno-pic",
    "-D_GLIBCXX_ASSERTIONS=1",
    "-fno-pie",
];

/// How the names of the frameworks' functions begin.
const NAMESPACES: [&str; 6] =
    ["_ZN7testing", "_ZNK7testing", "_ZZN7testing", "_ZN5Catch", "_ZNK5Catch", "_ZZN5Catch"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Framework {
    GoogleTest,
    Catch,
}

/// Has the program run the test of this name.
pub(crate) fn select<'c>(
    clang: &Clang,
    context: &'c Context,
    inputs: &Inputs,
    module: &mut Module<'c>,
    test: &str,
) -> Result<(), FrontError> {
    let wrong = |why: String| FrontError::Test { name: test.to_string(), why };
    let Some(framework) = framework(module) else {
        let why = "the program has no tests of GoogleTest or Catch2";
        return Err(wrong(why.into()));
    };
    let Some(runtime) = &inputs.library else { return Err(wrong("there is no runtime".into())) };
    // What the framework asks of the system is its own business.
    let is_framework = |name: &str| NAMESPACES.iter().any(|start| name.starts_with(start));
    module.mark_functions(crate::lower::LIBRARY, is_framework);
    let arguments = match framework {
        Framework::GoogleTest => {
            google_test(clang, context, module, runtime, test)?;
            vec!["test".to_string(), format!("--gtest_filter={test}"), "--gtest_color=no".into()]
        }
        Framework::Catch => {
            let tests = catch_tests(module);
            if !tests.is_empty() && !tests.iter().any(|known| catch_means(test, known)) {
                let why = format!("there is none; these are there: {}", tests.join(", "));
                return Err(wrong(why));
            }
            replace(clang, context, module, runtime, "catch.cpp")?;
            // A test that is not there is an error; a failed check stops in the debugger.
            let fixed = ["-w", "NoTests", "-b", "--use-colour", "no"].map(String::from);
            [vec!["test".to_string(), catch_name(test)], fixed.to_vec()].concat()
        }
    };
    entry::with_arguments(context, module, &arguments)
}

fn framework(module: &Module<'_>) -> Option<Framework> {
    let names = || module.functions().map(|function| function.name());
    if names().any(|name| name.starts_with("_ZN7testing8internal")) {
        return Some(Framework::GoogleTest);
    }
    names().any(|name| name.starts_with("_ZN5Catch7Session")).then_some(Framework::Catch)
}

/// A name as Catch2 takes it: some characters have a meaning in its list of tests.
fn catch_name(test: &str) -> String {
    let escape = |c: char| if ",[]\\\"~".contains(c) { vec!['\\', c] } else { vec![c] };
    test.chars().flat_map(escape).collect()
}

/// The tests of a program: the texts that functions which register tests give to the framework.
fn catch_tests(module: &Module<'_>) -> Vec<String> {
    let called = |call: &Value<'_>| match call.opcode() {
        Opcode::LLVMCall | Opcode::LLVMInvoke => call.called_value().name(),
        _ => String::new(),
    };
    let mut tests = Vec::new();
    for function in module.functions().filter(|function| !function.is_declaration()) {
        let blocks = function.blocks().into_iter();
        let instructions: Vec<_> = blocks.flat_map(|block| block.instructions()).collect();
        if !instructions.iter().any(|call| called(call).starts_with("_ZN5Catch11NameAndTagsC")) {
            continue;
        }
        let texts = instructions.iter().filter(|call| called(call).starts_with(CATCH_TEXT));
        let names = texts.filter_map(|call| text_of(*call.args().get(1)?));
        tests.extend(names.filter(|name| !name.is_empty() && !name.starts_with('[')));
    }
    tests.sort();
    tests.dedup();
    tests
}

/// The constructor of Catch2's strings, of a text.
const CATCH_TEXT: &str = "_ZN5Catch9StringRefC";

/// The text of a string constant.
fn text_of(value: Value<'_>) -> Option<String> {
    let bytes = value.is_global().then(|| value.initializer()).flatten()?.raw_data()?;
    Some(String::from_utf8_lossy(bytes.strip_suffix(&[0])?).into_owned())
}

/// Whether a name on the command line may mean a test: a pattern or a tag may mean any, and a
/// test for several types has their names behind its own.
fn catch_means(asked: &str, known: &str) -> bool {
    let own = asked.split(" - ").next().unwrap_or(asked);
    let same = |name: &str| name.trim().eq_ignore_ascii_case(known.trim());
    asked.contains(['*', '[', ',', '~']) || same(asked) || same(own)
}

fn google_test<'c>(
    clang: &Clang,
    context: &'c Context,
    module: &mut Module<'c>,
    runtime: &Path,
    test: &str,
) -> Result<(), FrontError> {
    let tests = tests(module);
    let suite = |test: &str| plain_name(test);
    if !test.contains('*') && !tests.contains(&suite(test)) {
        let why = format!("there is none; these are there: {}", tests.join(", "));
        return Err(FrontError::Test { name: test.to_string(), why });
    }
    // Ours has a `main` for programs that have none.
    replace(clang, context, module, runtime, "gtest.cpp")?;
    if missing(module).iter().any(|name| exeunt_ir::readable(name).contains("testing::")) {
        let source = Path::new(SOURCE);
        let (test, mock) = (source.join("googletest"), source.join("googlemock"));
        let mut files = vec![test.join("src/gtest-all.cc"), mock.join("src/gmock-all.cc")];
        files.retain(|file| file.is_file());
        if files.is_empty() {
            let why = "the framework is not linked, and its source (Debian's package googletest) \
                       is not installed";
            return Err(FrontError::Test { name: "GoogleTest".into(), why: why.into() });
        }
        let includes = [test.join("include"), test, mock.join("include"), mock];
        let bytes = cached(clang, "gtest", &files, &includes)?;
        let mut added = context.open(&bytes).map_err(FrontError::System)?;
        added.allow_duplicates();
        module.link(added).map_err(|why| link_error(source, &why))?;
    }
    Ok(())
}

/// `Instance/Suite.Name/3` without what parameters add.
fn plain_name(test: &str) -> String {
    let (suite, name) = test.split_once('.').unwrap_or((test, ""));
    let suite = suite.split('/').rfind(|part| part.parse::<u32>().is_err()).unwrap_or(suite);
    let name = name.split('/').next().unwrap_or(name);
    format!("{suite}.{name}")
}

/// The tests of a program, by the names of their classes: `Suite_Name_Test`.
fn tests(module: &Module<'_>) -> Vec<String> {
    let mut tests: Vec<String> = module
        .functions()
        .filter(|function| !function.is_declaration())
        .filter_map(|function| {
            let name = exeunt_ir::readable(&function.name());
            let class = name.strip_suffix("::TestBody")?.rsplit("::").next()?.to_string();
            let class = class.split('<').next()?.strip_suffix("_Test")?.to_string();
            // A name has no underscore, or GoogleTest does not take it.
            class.split_once('_').map(|(suite, name)| format!("{suite}.{name}"))
        })
        .collect();
    tests.sort();
    tests.dedup();
    tests
}

/// Puts our functions in the place of the framework's.
fn replace<'c>(
    clang: &Clang,
    context: &'c Context,
    module: &mut Module<'c>,
    runtime: &Path,
    file: &str,
) -> Result<(), FrontError> {
    let path = runtime.join(file);
    let source = Path::new(SOURCE).join("googletest/include");
    let bytes =
        cached(clang, file.trim_end_matches(".cpp"), std::slice::from_ref(&path), &[source])?;
    let added = context.open(&bytes).map_err(FrontError::System)?;
    let replaced: Vec<String> = added
        .functions()
        .filter(|function| !function.is_declaration() && function.is_strong())
        .map(|function| function.name())
        .collect();
    module.weaken(&replaced);
    module.link(added).map_err(|why| link_error(&path, &why))
}

/// Files compiled to one module, now or before.
fn cached(
    clang: &Clang,
    name: &str,
    files: &[PathBuf],
    includes: &[PathBuf],
) -> Result<Vec<u8>, FrontError> {
    let cannot = |path: &Path, error: std::io::Error| {
        FrontError::System(format!("cannot use {}: {error}", path.display()))
    };
    let mut hasher = DefaultHasher::new();
    (FORM, ARGUMENTS, includes).hash(&mut hasher);
    for file in files {
        fs::read(file).map_err(|error| cannot(file, error))?.hash(&mut hasher);
    }
    let cache = cxx::cache().map_err(FrontError::System)?;
    fs::create_dir_all(&cache).map_err(|error| cannot(&cache, error))?;
    let kept = cache.join(format!("{name}-{:016x}.bc", hasher.finish()));
    if let Ok(bytes) = fs::read(&kept) {
        return Ok(bytes);
    }
    let scratch = tempfile::Builder::new().prefix("test-").tempdir_in(&cache);
    let scratch = scratch.map_err(|error| cannot(&cache, error))?;
    let context = Context::new();
    let mut all: Option<Module<'_>> = None;
    for file in files {
        let output = scratch.path().join("module.bc");
        clang.library_file(file, "gnu++17", &ARGUMENTS, includes, &output).map_err(|why| {
            FrontError::System(format!("{} does not compile: {why}", file.display()))
        })?;
        let bytes = fs::read(&output).map_err(|error| cannot(&output, error))?;
        let module = context.parse(&bytes).map_err(FrontError::System)?;
        match &mut all {
            None => all = Some(module),
            Some(all) => all.link(module).map_err(FrontError::System)?,
        }
    }
    let mut all = all.ok_or(FrontError::NoInput)?;
    all.mark_functions(crate::lower::LIBRARY, |_| true);
    let whole = scratch.path().join("whole.bc");
    fs::write(&whole, all.bitcode()).map_err(|error| cannot(&whole, error))?;
    fs::rename(&whole, &kept).map_err(|error| cannot(&kept, error))?;
    fs::read(&kept).map_err(|error| cannot(&kept, error))
}

#[cfg(test)]
mod tests_of_names {
    use super::*;

    #[test]
    fn parameters_are_no_part_of_a_test() {
        assert_eq!(plain_name("Queue.Push"), "Queue.Push");
        assert_eq!(plain_name("All/Queue.Push/3"), "Queue.Push");
        assert_eq!(plain_name("Queue/0.Push"), "Queue.Push");
    }

    #[test]
    fn names_are_quoted_for_catch() {
        assert_eq!(catch_name("push, pop [fast]"), "push\\, pop \\[fast\\]");
    }
}
