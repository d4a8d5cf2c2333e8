//! `exeunt sections`: what is entered and must be left, and where.

use std::collections::BTreeMap;
use std::fmt::Write;

use exeunt_model::{Location, SectionKind};
use exeunt_promela::PromelaOptions;

use crate::args::IrArgs;
use crate::failure::Failure;
use crate::front;
use crate::output;
use crate::runtime::Runtime;
use crate::settings;

pub(crate) fn run(arguments: &IrArgs) -> Result<u8, Failure> {
    if let [file] = arguments.files.as_slice()
        && front::is_promela(file, arguments.compiling.language)
    {
        let defines = settings::defines(&arguments.compiling.arguments())?;
        let options = PromelaOptions { defines, ..PromelaOptions::default() };
        let types = front::promela_model(file, &options)?.process_types();
        let sites: Vec<_> = types.into_iter().map(|at| (SectionKind::Process, at)).collect();
        output::print(&list(&sites));
        output::print("a process must end only if --must-end names its type\n");
        return Ok(0);
    }
    let runtime = Runtime::new()?;
    let program = front::bytecode(
        &arguments.files,
        &arguments.compiling.arguments(),
        false,
        Vec::new(),
        &runtime,
    )?;
    output::print(&list(&exeunt_vm::section_sites(&program)));
    Ok(0)
}

/// One paragraph for each kind that occurs, its places in order.
fn list(sites: &[(SectionKind, Location)]) -> String {
    let mut kinds: BTreeMap<SectionKind, Vec<&Location>> = BTreeMap::new();
    for (kind, location) in sites {
        kinds.entry(*kind).or_default().push(location);
    }
    let mut out = String::new();
    for (kind, mut places) in kinds {
        places.sort();
        places.dedup();
        let _ = writeln!(out, "{kind}");
        for place in places {
            let inside = if place.function.is_empty() {
                String::new()
            } else {
                format!(" in {}", place.function)
            };
            let _ = writeln!(out, "  {place}{inside}");
        }
    }
    if out.is_empty() {
        out.push_str("the program enters no sections\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_places_in_order() {
        let at = |line| Location { file: "a.c".into(), line, column: 3, function: "f".into() };
        let sites = [
            (SectionKind::Join, at(9)),
            (SectionKind::MutexWait, at(7)),
            (SectionKind::MutexWait, at(4)),
        ];
        assert_eq!(
            list(&sites),
            "mutex-wait\n  a.c:4:3 in f\n  a.c:7:3 in f\njoin\n  a.c:9:3 in f\n"
        );
        assert_eq!(list(&[]), "the program enters no sections\n");
    }
}
