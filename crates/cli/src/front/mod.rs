//! The front ends: which one reads which file, chosen by how its name ends or by `--language`. Each
//! has a file here that says which endings are its own, which options have no
//! meaning for it, and how it loads; the list below is the only other place that
//! names it.

mod embedded;
mod llvm;
mod promela;

use std::path::{Path, PathBuf};

use exeunt_model::Model;
use exeunt_promela::PromelaModel;
use exeunt_search::Ask;

use crate::args::LanguageChoice;
use crate::compile_commands;
use crate::failure::Failure;
use crate::settings::Settings;

pub(crate) use llvm::{bytecode, bytecode_without_main};
pub(crate) use promela::{claim_file, promela_model, promela_model_with_code};

/// The language that the user names for all files, if any.
pub(crate) type Language = Option<LanguageChoice>;

/// A way into the tool.
struct FrontEnd {
    /// What it reads, for messages about options: "a C program".
    noun: &'static str,
    /// How the names of its files end.
    endings: &'static [&'static str],
    /// The same for people.
    explained: &'static str,
    /// Options that have no meaning for it, and whether they were given.
    meaningless: fn(&Settings) -> Vec<(&'static str, bool)>,
    /// Reads, compiles and lowers the files of the settings.
    load: fn(&Settings) -> Result<Loaded, Failure>,
}

/// All of them.
static FRONT_ENDS: [&FrontEnd; 2] = [&llvm::FRONT_END, &promela::FRONT_END];

/// A program ready to be explored.
pub(crate) struct Loaded {
    machine: Box<dyn Machine>,
    /// The temporal questions, for the numbers of this machine's propositions.
    pub(crate) asks: Vec<Ask>,
}

/// What the command line needs of a machine besides exploring it.
trait Machine {
    fn model(&self) -> &dyn Model;

    /// The program as it will be executed, whole.
    fn text(&self) -> String;

    /// Trails and unreached statements are there for Promela only.
    fn promela(&self) -> Option<&PromelaModel>;
}

impl Loaded {
    pub(crate) fn model(&self) -> &dyn Model {
        self.machine.model()
    }

    /// The program as it will be executed, whole.
    pub(crate) fn text(&self) -> String {
        self.machine.text()
    }

    pub(crate) fn promela(&self) -> Option<&PromelaModel> {
        self.machine.promela()
    }
}

/// Loads the files of the settings with the front end that reads them.
pub(crate) fn load(settings: &Settings) -> Result<Loaded, Failure> {
    let front_end = front_end(&settings.files, settings.language)?;
    let meaningless = (front_end.meaningless)(settings);
    if let Some((flag, _)) = meaningless.iter().find(|(_, given)| *given) {
        return Err(Failure::bad(format!("{flag} has no meaning for {}", front_end.noun)));
    }
    (front_end.load)(settings)
}

/// Refuses what is no Promela model.
pub(crate) fn only_promela(file: &Path, language: Language) -> Result<(), Failure> {
    match is(front_end(&[file.to_path_buf()], language)?, &promela::FRONT_END) {
        true => Ok(()),
        false => Err(Failure::bad(format!("{} is no Promela model", file.display()))
            .help("only models with channels can be proven; `exeunt check` takes C")),
    }
}

/// Whether a file is read as a Promela model.
pub(crate) fn is_promela(file: &Path, language: Language) -> bool {
    by_language(file, language).is_ok_and(|front_end| is(front_end, &promela::FRONT_END))
}

/// Whether no front end has files whose names end like this one's.
pub(crate) fn is_unknown(file: &Path) -> bool {
    named_for(file).is_none()
}

/// Whether a name means standard input.
pub(crate) fn is_standard_input(file: &Path) -> bool {
    file == Path::new("-")
}

fn is(one: &FrontEnd, other: &FrontEnd) -> bool {
    std::ptr::eq(one, other)
}

/// The one front end that reads all files.
fn front_end(files: &[PathBuf], language: Language) -> Result<&'static FrontEnd, Failure> {
    let mut chosen = None;
    for file in files {
        let this = by_language(file, language)?;
        readable(file)?;
        let first = *chosen.get_or_insert(this);
        // A model may be followed by the C files that its C code uses.
        let code = is(first, &promela::FRONT_END) && is(this, &llvm::FRONT_END);
        if !is(first, this) && !code {
            return Err(Failure::bad(format!(
                "{} cannot be checked together with the files before it",
                file.display()
            )));
        }
    }
    chosen.ok_or_else(|| Failure::bad("no file was given"))
}

fn by_language(file: &Path, language: Language) -> Result<&'static FrontEnd, Failure> {
    match language {
        Some(LanguageChoice::Promela) => Ok(&promela::FRONT_END),
        None => by_ending(file),
    }
}

/// The front end that has files whose names end like this one's.
fn named_for(file: &Path) -> Option<&'static FrontEnd> {
    let ending = file.extension().and_then(|ending| ending.to_str())?;
    FRONT_ENDS.iter().find(|front_end| front_end.endings.contains(&ending)).copied()
}

/// By its name, or by what it holds: models of SPIN often have no ending.
fn by_ending(file: &Path) -> Result<&'static FrontEnd, Failure> {
    let name = file.display();
    if let Some(front_end) = named_for(file) {
        return Ok(front_end);
    }
    if is_standard_input(file) {
        return Ok(&promela::FRONT_END);
    }
    if exeunt_llvm_front::is_built(file) {
        return Ok(&llvm::FRONT_END);
    }
    if file.is_dir() {
        return Err(directory(file));
    }
    let Some(ending) = file.extension().and_then(|ending| ending.to_str()) else {
        if promela::looks_like_a_model(file) {
            return Ok(&promela::FRONT_END);
        }
        let message = format!("{name} has no ending, so it is unclear what it holds");
        return Err(Failure::bad(message).help("`--language promela` reads it as a model"));
    };
    let message = format!("{name} ends in .{ending}, which no front end reads");
    let endings: Vec<&str> = FRONT_ENDS.iter().map(|front_end| front_end.explained).collect();
    Err(Failure::bad(message).help(endings.join(", ")))
}

/// A directory is no program, but it may say what one is made of.
fn directory(path: &Path) -> Failure {
    let name = path.display();
    let failure = Failure::bad(format!("{name} is a directory"));
    match path.join(compile_commands::NAME).is_file() {
        true => failure.help(format!(
            "it has a {}: `--compile-commands {name}` checks the files that it names, together; \
             with `FILE…` only these",
            compile_commands::NAME
        )),
        false => failure.help("name the files of the program"),
    }
}

/// Refuses what is missing, unreadable or empty before anything is started.
fn readable(file: &Path) -> Result<(), Failure> {
    if is_standard_input(file) {
        return Ok(());
    }
    let data = std::fs::metadata(file).map_err(|why| Failure::file("read", file, &why))?;
    if data.is_dir() {
        return Err(directory(file));
    }
    std::fs::File::open(file).map_err(|why| Failure::file("read", file, &why))?;
    if data.is_file() && data.len() == 0 {
        return Err(Failure::bad(format!("{} is empty", file.display())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_belongs_to_one_front_end() {
        let mut all: Vec<&str> = FRONT_ENDS.iter().flat_map(|one| one.endings).copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "{all:?}");
    }
}
