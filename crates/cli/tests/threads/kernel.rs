//! Loops of the Linux kernel: functions of the installed source package, with threads beside them.
//!
//! Nothing of the kernel is in the repository. A program of `tests/prove-kernel` says
//! `#include "FILE/NAME"` where it wants a function, a macro or a `struct` of a file of the kernel;
//! the definition is cut out of the package when the test runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{problems_with, root};

/// The source of the kernel as Debian's package `linux-source` brings it.
fn archive() -> PathBuf {
    let files = std::fs::read_dir("/usr/src").expect("a directory for source");
    let mut found: Vec<PathBuf> = files
        .map(|file| file.expect("a file").path())
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("linux-source-") && name.ends_with(".tar.xz")
        })
        .collect();
    found.sort();
    found.pop().expect("the package linux-source, which `./x test` installs")
}

/// What the programs want: a file of the kernel and the name of a definition in it.
fn wanted(programs: &[PathBuf]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for program in programs {
        let text = std::fs::read_to_string(program).expect("a program");
        let names = text.lines().filter_map(|line| line.strip_prefix("#include \""));
        let names = names.filter_map(|name| name.strip_suffix('"')?.rsplit_once('/'));
        all.extend(names.map(|(file, name)| (file.to_string(), name.to_string())));
    }
    all.sort();
    all.dedup();
    all
}

/// Unpacks these files of the kernel, unless an earlier run has. Two tests may do so at a time: each
/// writes to a place of its own first.
fn unpack(archive: &Path, files: &[&str]) -> PathBuf {
    let release = archive.file_name().and_then(|name| name.to_str()).expect("a name");
    let bytes = archive.metadata().expect("a file").len();
    let tree = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{release}-{bytes}"));
    std::fs::create_dir_all(&tree).expect("a directory");
    let missing: Vec<&&str> = files.iter().filter(|file| !tree.join(file).is_file()).collect();
    if missing.is_empty() {
        return tree;
    }
    let top = release.trim_end_matches(".tar.xz");
    let fresh = tempfile::tempdir_in(&tree).expect("a directory");
    let members = missing.iter().map(|file| format!("{top}/{file}"));
    let status = Command::new("tar")
        .args(["--extract", "--occurrence=1", "--strip-components=1", "--file"])
        .arg(archive)
        .arg("--directory")
        .arg(fresh.path())
        .args(members)
        .status();
    assert!(status.expect("tar starts").success(), "tar unpacks {missing:?}");
    for file in missing {
        let place = tree.join(file);
        std::fs::create_dir_all(place.parent().expect("a directory")).expect("a directory");
        std::fs::rename(fresh.path().join(file), place).expect("a file of the kernel");
    }
    tree
}

/// A definition in the text of a file: of a function or a `struct` up to the brace in its first
/// column, of a macro up to a line that does not go on.
fn definition(text: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = lines.iter().enumerate().filter(|(_, line)| begins(line, name));
    for (start, _) in starts {
        let rest = &lines[start..];
        let open = rest.iter().position(|line| line.contains(['{', ';']))?;
        if !rest[open].ends_with('{') {
            continue;
        }
        let close = rest.iter().position(|line| line.starts_with('}'))?;
        // What the function returns may be on the line before.
        let above = start.checked_sub(1).map_or("", |above| lines[above]);
        let word = above.chars().next().is_some_and(|letter| letter.is_ascii_alphabetic());
        let first = if word && !above.ends_with([';', ':']) { start - 1 } else { start };
        return Some(lines[first..=start + close].join("\n"));
    }
    // Names of functions are macros, too, so that others can ask whether they are there.
    let first = lines.iter().position(|line| is_macro(line, name))?;
    let length = lines[first..].iter().position(|line| !line.ends_with('\\'))?;
    Some(lines[first..=first + length].join("\n"))
}

/// `#define NAME …`, also with spaces behind the sign.
fn is_macro(line: &str, name: &str) -> bool {
    let rest = line.strip_prefix('#').map(str::trim_start);
    let rest = rest.and_then(|rest| rest.strip_prefix("define")).map(str::trim_start);
    let rest = rest.and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '(']))
}

/// Whether a definition of this name may begin in a line.
fn begins(line: &str, name: &str) -> bool {
    if name.starts_with("struct ") {
        return line.strip_prefix(name) == Some(" {");
    }
    let head =
        line.chars().next().is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_');
    let Some((before, _)) = line.split_once(&format!("{name}(")) else { return false };
    head && before.chars().next_back().is_none_or(|letter| [' ', '\t', '*'].contains(&letter))
}

/// Writes each definition to a file of its own, where `#include` finds it.
fn cut(tree: &Path, wanted: &[(String, String)], into: &Path) {
    for (file, name) in wanted {
        let text = std::fs::read_to_string(tree.join(file)).expect("a file of the kernel");
        let found = definition(&text, name);
        let found = found.unwrap_or_else(|| panic!("`{name}` is not defined in {file}"));
        let directory = into.join(file);
        std::fs::create_dir_all(&directory).expect("a directory");
        std::fs::write(directory.join(name), found + "\n").expect("a file");
    }
}

/// Every second program, so that two are asked about at a time.
fn half_of_the_programs(number: usize) {
    let only = std::env::var("EXEUNT_KERNEL").unwrap_or_default();
    let suite = root().join("tests/prove-kernel");
    let files = std::fs::read_dir(&suite).expect("the suite");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let wanted = wanted(&files);
    let mut names: Vec<&str> = wanted.iter().map(|(file, _)| file.as_str()).collect();
    names.dedup();
    let tree = unpack(&archive(), &names);
    let directory = tempfile::tempdir().expect("a directory");
    cut(&tree, &wanted, directory.path());
    let clang = [format!("-I{}", suite.display()), format!("-I{}", directory.path().display())];
    let is_program = |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "c");
    let is_asked = |file: &&PathBuf| file.display().to_string().contains(&only);
    let programs = files.iter().filter(is_program).skip(number).step_by(2).filter(is_asked);
    let wrong: Vec<String> = programs.flat_map(|file| problems_with(file, &clang)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn loops_of_the_kernel_have_their_verdicts_1() {
    half_of_the_programs(0);
}

#[test]
fn loops_of_the_kernel_have_their_verdicts_2() {
    half_of_the_programs(1);
}

#[test]
fn definitions_are_cut_out() {
    let text = "#include <x>\n# define ONE\t1\n#define MORE(a) \\\n\tf(a)\n\nstruct b {\n\tint c;\n};\n\n\
                int g(int a);\n/* g() */\nstatic int\ng(int a)\n{\n\treturn gg(a);\n}\nvoid h(void)\n{\n}\n";
    let cut = |name: &str| definition(text, name);
    assert_eq!(cut("ONE").as_deref(), Some("# define ONE\t1"));
    assert_eq!(cut("MORE").as_deref(), Some("#define MORE(a) \\\n\tf(a)"));
    assert_eq!(cut("struct b").as_deref(), Some("struct b {\n\tint c;\n};"));
    assert_eq!(cut("g").as_deref(), Some("static int\ng(int a)\n{\n\treturn gg(a);\n}"));
    assert_eq!(cut("h").as_deref(), Some("void h(void)\n{\n}"));
    assert_eq!(cut("f"), None);
}
