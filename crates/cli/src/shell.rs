//! `exeunt completions` and `exeunt manual`: what shells and `man` know about the
//! command line. Both are made from the definition in `args`, so they cannot
//! differ from it.

use std::path::Path;

use clap::CommandFactory;

use crate::args::{Arguments, CompletionsArgs, ManualArgs};
use crate::failure::Failure;
use crate::output;
use crate::reference;

/// Prints the completions for one shell.
pub(crate) fn completions(arguments: &CompletionsArgs) -> Result<u8, Failure> {
    let mut text = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "exeunt", &mut text);
    output::print(&String::from_utf8_lossy(&text));
    Ok(0)
}

/// Prints the manual page of `exeunt`, or writes it and one for each subcommand
/// into a directory.
pub(crate) fn manual(arguments: &ManualArgs) -> Result<u8, Failure> {
    let pages = pages();
    match &arguments.directory {
        None => output::print(&pages[0].1),
        Some(directory) if directory.is_dir() && arguments.markdown => {
            reference::write(directory)?;
        }
        Some(directory) if directory.is_dir() => write(&pages, directory)?,
        Some(directory) => {
            let message = format!("{} is not a directory", directory.display());
            return Err(Failure::bad(message));
        }
    }
    Ok(0)
}

fn write(pages: &[(String, String)], directory: &Path) -> Result<(), Failure> {
    pages.iter().try_for_each(|(name, text)| output::write(&directory.join(name), text))
}

/// The pages by their file names, that of `exeunt` itself first.
fn pages() -> Vec<(String, String)> {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let own = page(&command, "exeunt");
    let shown = command.get_subcommands().filter(|part| !part.is_hide_set());
    let parts = shown.map(|part| page(part, &format!("exeunt-{}", part.get_name())));
    std::iter::once(own).chain(parts).collect()
}

fn page(command: &clap::Command, name: &str) -> (String, String) {
    let named = command.clone().display_name(name.to_string());
    let mut text = Vec::new();
    let written = clap_mangen::Man::new(named).render(&mut text);
    written.expect("a vector takes every byte");
    (format!("{name}.1"), String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subcommand_has_a_page_with_its_options() {
        let pages = pages();
        let find = |name: &str| {
            let found = pages.iter().find(|(file, _)| file == name);
            &found.unwrap_or_else(|| panic!("no page {name}")).1
        };
        assert!(find("exeunt.1").contains("exeunt"));
        assert!(find("exeunt-check.1").contains("\\-\\-races"));
        assert!(find("exeunt-replay.1").contains("TRACE"));
    }
}
