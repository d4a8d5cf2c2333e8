//! The command line of a compiler: what it makes of which sources, and which of its flags
//! decide what a source means.
//!
//! Only such flags are given to clang: macros, headers, the language and its
//! dialect. Optimisation is not among them: what is checked is what was written.

use std::path::{Path, PathBuf};

/// How far a compiler goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It makes nothing that could keep bitcode: it preprocesses, lists what a file depends on, or
    /// talks about itself.
    Nothing,
    /// `-c`: one object for each source.
    Compile,
    /// A program, a shared library, or one object of several (`-r`).
    Link,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub file: PathBuf,
    /// What `-x` says.
    pub language: Option<String>,
}

/// A command line, read as gcc and clang read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    pub stage: Stage,
    pub sources: Vec<Source>,
    pub output: Option<PathBuf>,
    /// The flags that decide what a source means.
    pub flags: Vec<String>,
    /// A language is set where the command line ends.
    pub language: Option<String>,
    /// Options of the linker that change which function a name means.
    pub renames: Vec<String>,
}

/// Flags that are followed by a path, which is relative to where the compiler runs.
const PATHS: [&str; 6] = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];

/// Flags that are followed by something that is no file to compile.
const WITH_VALUE: [&str; 27] = [
    "-MF",
    "-MT",
    "-MQ",
    "-L",
    "-l",
    "-T",
    "-u",
    "-z",
    "-e",
    "-h",
    "-A",
    "-B",
    "-G",
    "-arch",
    "-aux-info",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-imultilib",
    "-iprefix",
    "-isysroot",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-target",
    "-wrapper",
    "--param",
    "-Xclang",
];

/// Flags whose value is for another program.
const FOR_OTHERS: [&str; 3] = ["-Xlinker", "-Xassembler", "-Xpreprocessor"];

/// Flags after which nothing is made that could keep bitcode.
const MAKE_NOTHING: [&str; 11] = [
    "-E",
    "-M",
    "-MM",
    "-S",
    "-fsyntax-only",
    "-###",
    "--version",
    "--help",
    "-dumpversion",
    "-dumpfullversion",
    "-dumpmachine",
];

/// The beginnings of flags that decide what a file means. Others are left out, because clang
/// stops at flags that only gcc has.
const MEANINGFUL: [&str; 62] = [
    "-D",
    "-U",
    "-std=",
    "-ansi",
    "-pthread",
    "-trigraphs",
    "-nostdinc",
    "-funsigned-",
    "-fsigned-",
    "-fno-unsigned-",
    "-fno-signed-",
    "-fwrapv",
    "-ftrapv",
    "-fno-strict",
    "-fstrict-",
    "-fshort-",
    "-fno-short-",
    "-fpack-struct",
    "-fexceptions",
    "-fno-exceptions",
    "-frtti",
    "-fno-rtti",
    "-fbuiltin",
    "-fno-builtin",
    "-ffreestanding",
    "-fhosted",
    "-fms-extensions",
    "-fgnu",
    "-fcommon",
    "-fno-common",
    "-fvisibility",
    "-fthreadsafe",
    "-fno-threadsafe",
    "-faligned",
    "-fno-aligned",
    "-fchar8_t",
    "-fno-char8_t",
    "-fno-delete-null",
    "-ffast-math",
    "-fno-math",
    "-ffinite-math",
    "-fblocks",
    "-fdollars",
    "-foperator-names",
    "-fno-operator-names",
    "-fno-asm",
    "-fsized-",
    "-fno-sized-",
    "-ftemplate-",
    "-fpermissive",
    "-fno-elide",
    "-fopenmp",
    "-mcx16",
    "-msse",
    "-mavx",
    "-mpopcnt",
    "-mbmi",
    "-mlzcnt",
    "-maes",
    "-m32",
    "-mx32",
    "-mlong-double",
];

/// Compilers mean the whole flag by these.
const WHOLE: [&str; 4] = ["-ansi", "-pthread", "-trigraphs", "-nostdinc"];

/// Endings of sources that clang can read, too.
const SOURCES: [&str; 10] = ["c", "i", "cpp", "cc", "cxx", "C", "c++", "cp", "CPP", "ii"];

impl CommandLine {
    /// Reads the words behind the compiler's name. Paths in flags are taken from
    /// `directory`, if there is one, and left as they are otherwise.
    pub fn read(words: &[String], directory: Option<&Path>) -> CommandLine {
        let mut line = CommandLine {
            stage: Stage::Link,
            sources: Vec::new(),
            output: None,
            flags: Vec::new(),
            language: None,
            renames: Vec::new(),
        };
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            line.word(word, &mut words, directory);
        }
        line
    }

    fn word<'w>(
        &mut self,
        word: &'w str,
        next: &mut impl Iterator<Item = &'w str>,
        directory: Option<&Path>,
    ) {
        if MAKE_NOTHING.contains(&word) || word.starts_with("-print-") {
            self.stage = Stage::Nothing;
        } else if word == "-c" {
            if self.stage == Stage::Link {
                self.stage = Stage::Compile;
            }
        } else if let Some(value) = valued(word, "-o", next) {
            self.output = Some(PathBuf::from(value));
        } else if let Some(value) = valued(word, "-x", next) {
            self.language = (value != "none").then(|| value.to_string());
        } else if let Some(flag) = PATHS.iter().find(|flag| word.starts_with(**flag)) {
            let value = valued(word, flag, next).unwrap_or_default();
            let value = directory.map_or(PathBuf::from(value), |from| from.join(value));
            self.flags.extend([flag.to_string(), value.to_string_lossy().into_owned()]);
        } else if matches!(word, "-D" | "-U") {
            self.flags.extend([word.to_string(), next.next().unwrap_or_default().to_string()]);
        } else if FOR_OTHERS.contains(&word) {
            self.for_others(word, next.next().unwrap_or_default());
        } else if WITH_VALUE.contains(&word) {
            next.next();
        } else if let Some(rest) = word.strip_prefix("-Wp,") {
            rest.split(',').for_each(|word| self.for_others("-Xpreprocessor", word));
        } else if let Some(rest) = word.strip_prefix("-Wl,") {
            rest.split(',').for_each(|word| self.for_others("-Xlinker", word));
        } else if word.starts_with('-') && word != "-" {
            self.flags.extend(is_meaningful(word).then(|| word.to_string()));
        } else {
            self.input(word);
        }
    }

    fn for_others(&mut self, program: &str, word: &str) {
        let begins = |start: &&str| word.trim_start_matches('-').starts_with(*start);
        match program {
            "-Xpreprocessor" if word.starts_with("-D") || word.starts_with("-U") => {
                self.flags.push(word.to_string());
            }
            "-Xlinker" if ["wrap", "defsym"].iter().any(begins) => {
                self.renames.push(word.to_string());
            }
            _ => {}
        }
    }

    fn input(&mut self, word: &str) {
        let file = PathBuf::from(word);
        let ending = file.extension().and_then(|ending| ending.to_str());
        let is_source = match self.language.as_deref() {
            Some("c" | "c++" | "cpp-output" | "c++-cpp-output") => word != "-",
            Some(_) => false,
            None => ending.is_some_and(|ending| SOURCES.contains(&ending)),
        };
        if is_source {
            self.sources.push(Source { file, language: self.language.clone() });
        }
    }

    /// The object that `-c` makes of a source.
    pub(super) fn object(&self, source: &Source) -> PathBuf {
        match &self.output {
            Some(output) => output.clone(),
            None => PathBuf::from(source.file.file_name().unwrap_or_default()).with_extension("o"),
        }
    }
}

/// The value of a flag that has it in the same word or in the next one.
fn valued<'w>(
    word: &'w str,
    flag: &str,
    next: &mut impl Iterator<Item = &'w str>,
) -> Option<&'w str> {
    match word.strip_prefix(flag)? {
        "" => Some(next.next().unwrap_or_default()),
        value => Some(value),
    }
}

fn is_meaningful(word: &str) -> bool {
    let begins =
        |start: &&str| word == *start || !WHOLE.contains(start) && word.starts_with(*start);
    MEANINGFUL.iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> CommandLine {
        let words: Vec<String> = text.split(' ').map(String::from).collect();
        CommandLine::read(&words, None)
    }

    fn sources(line: &CommandLine) -> Vec<&str> {
        line.sources.iter().map(|source| source.file.to_str().expect("text")).collect()
    }

    #[test]
    fn what_is_compiled_and_where_it_goes() {
        let line = read("-O2 -Wall -DN=3 -I inc -c src/a.c -o build/a.o -MD -MF a.d");
        assert_eq!(line.stage, Stage::Compile);
        assert_eq!(sources(&line), ["src/a.c"]);
        assert_eq!(line.flags, ["-DN=3", "-I", "inc"]);
        assert_eq!(line.object(&line.sources[0]), Path::new("build/a.o"));
        let line = read("-c src/a.c b.cpp");
        assert_eq!(line.object(&line.sources[1]), Path::new("b.o"));
        let line = read("a.c b.o -lfoo -x assembler t -x none d.cc -o prog");
        assert_eq!((line.stage, sources(&line)), (Stage::Link, vec!["a.c", "d.cc"]));
    }

    #[test]
    fn questions_make_nothing() {
        for text in ["--version", "-E a.c", "-c -M a.c", "-print-search-dirs", "-S a.c -o a.s"] {
            assert_eq!(read(text).stage, Stage::Nothing, "{text}");
        }
    }

    #[test]
    fn flags_of_gcc_alone_are_left_out() {
        let line =
            read("-fwrapv -fPIC -fcf-protection -flto=auto -march=native -std=gnu11 -O3 -c a.c");
        assert_eq!(line.flags, ["-fwrapv", "-std=gnu11"]);
        let line = read("-Wp,-D_X=1,-MD,a.d -Wl,-O1,--wrap=malloc a.c");
        assert_eq!(
            (line.flags, line.renames),
            (vec!["-D_X=1".into()], vec!["--wrap=malloc".into()])
        );
    }
}
