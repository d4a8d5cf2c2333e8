//! What variables are called in a certificate: by their names, and by their
//! names and `#2`, `#3`… where blocks of a process declare a name again.

use std::collections::BTreeMap;

use exeunt_promela::code::{NamedCell, Program, Width};

/// Names and widths by the bits they start at.
pub(crate) type Names = BTreeMap<u32, (String, Width)>;

pub(crate) fn of_globals(program: &Program) -> Names {
    let mut names = of(&program.variables);
    if let Some(cell) = program.last {
        names.insert(cell.word * 64 + u32::from(cell.shift), ("_last".to_string(), cell.width));
    }
    names
}

pub(crate) fn of(variables: &[NamedCell]) -> Names {
    let mut times: BTreeMap<&str, u32> = BTreeMap::new();
    let mut names = Names::new();
    for variable in variables {
        let count = times.entry(&variable.name).or_default();
        *count += 1;
        let name = match *count {
            1 => variable.name.to_string(),
            again => format!("{}#{again}", variable.name),
        };
        let bit = variable.cell.word * 64 + u32::from(variable.cell.shift);
        names.insert(bit, (name, variable.cell.width));
    }
    names
}
