//! `compile_commands.json`: which files a build compiles, and with which flags.
//!
//! Only flags that decide what a file means are taken over. Optimisation is not: what is checked is
//! what was written, unless `-O…` is said on our own command line.

use std::fs;
use std::path::{Path, PathBuf};

use exeunt_llvm_front::CommandLine;
use serde::Deserialize;

use crate::failure::Failure;

pub(crate) const NAME: &str = "compile_commands.json";

#[derive(Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// A source file and the flags it is compiled with.
pub(crate) type Flags = (PathBuf, Vec<String>);

/// The flags of these files; of all if none is named.
pub(crate) fn flags(directory: &Path, files: &[PathBuf]) -> Result<Vec<Flags>, Failure> {
    let database = directory.join(NAME);
    let text = fs::read(&database).map_err(|why| Failure::file("read", &database, &why))?;
    let entries: Vec<Entry> = serde_json::from_slice(&text).map_err(|why| {
        Failure::bad(format!("{} is not a compilation database: {why}", database.display()))
    })?;
    let mut known: Vec<(PathBuf, PathBuf, Vec<String>)> = Vec::new();
    for entry in entries {
        let path = entry.directory.join(&entry.file);
        let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        // A file that is compiled twice is taken as it is compiled first.
        if !known.iter().any(|(other, ..)| *other == real) {
            known.push((real, path, meaning(&entry, &database)?));
        }
    }
    if files.is_empty() {
        let all: Vec<Flags> = known.into_iter().map(|(_, path, flags)| (path, flags)).collect();
        return match all.is_empty() {
            true => Err(Failure::bad(format!("{} names no files", database.display()))),
            false => Ok(all),
        };
    }
    let find = |file: &PathBuf| {
        let real = fs::canonicalize(file).map_err(|why| Failure::file("read", file, &why))?;
        match known.iter().find(|(other, ..)| *other == real) {
            Some((_, _, flags)) => Ok((file.clone(), flags.clone())),
            None => Err(Failure::bad(format!(
                "{} does not say how {} is compiled",
                database.display(),
                file.display()
            ))
            .help("name files that it has, or none for all of them")),
        }
    };
    files.iter().map(find).collect()
}

fn meaning(entry: &Entry, database: &Path) -> Result<Vec<String>, Failure> {
    let words = match (&entry.arguments, &entry.command) {
        (Some(arguments), _) => arguments.clone(),
        (None, Some(command)) => shlex::split(command).unwrap_or_default(),
        (None, None) => Vec::new(),
    };
    if words.is_empty() {
        let file = entry.file.display();
        let message = format!("{} has no command for {file}", database.display());
        return Err(Failure::bad(message));
    }
    let line = CommandLine::read(&words[1..], Some(&entry.directory));
    let language = line.sources.first().and_then(|source| source.language.clone());
    let language = language.map(|language| vec!["-x".to_string(), language]);
    Ok([language.unwrap_or_default(), line.flags].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(command: &str) -> String {
        let entry = Entry {
            directory: PathBuf::from("/build"),
            file: PathBuf::from("a.c"),
            command: Some(command.to_string()),
            arguments: None,
        };
        meaning(&entry, Path::new(NAME)).expect("a command").join(" ")
    }

    #[test]
    fn what_a_file_means_is_taken_over() {
        assert_eq!(of("cc -DN=3 -I../inc -O2 -Wall -g -c a.c -o a.o"), "-DN=3 -I /build/../inc");
        assert_eq!(
            of("gcc -std=gnu99 -D X -isystem sys -MD -MF a.d a.c"),
            "-std=gnu99 -D X -isystem /build/sys"
        );
        assert_eq!(
            of("clang -include config.h '-DT=\"a b\"' -fsanitize=thread -fwrapv a.c"),
            "-include /build/config.h -DT=\"a b\" -fwrapv"
        );
    }

    #[test]
    fn bad_databases_are_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        let refuse = |text: &str, message: &str| {
            fs::write(directory.path().join(NAME), text).expect("a file");
            let failure = flags(directory.path(), &[]).expect_err("it is refused");
            assert!(format!("{failure:?}").contains(message), "{failure:?}");
        };
        refuse("{}", "not a compilation database");
        refuse("[]", "names no files");
        refuse(r#"[{"directory": "/", "file": "a.c"}]"#, "no command");
    }
}
