//! `exeunt ir`: the bytecode as text.

use crate::args::IrArgs;
use crate::failure::Failure;
use crate::front;
use crate::output;
use crate::runtime::Runtime;

pub(crate) fn run(arguments: &IrArgs) -> Result<u8, Failure> {
    let runtime = Runtime::new()?;
    let program = front::bytecode(
        &arguments.files,
        &arguments.compiling.arguments(),
        false,
        Vec::new(),
        &runtime,
    )?;
    output::print(&program.to_string());
    Ok(0)
}
