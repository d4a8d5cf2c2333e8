//! What a program asks of the world outside: standard input, the clock, the
//! environment, the user, signals.
//!
//! The rows of the builtins say which functions do (`Outside`). We answer with
//! one fixed value, so a search of all schedules establishes nothing about the
//! other answers, and its report says so.

use exeunt_ir::{Callee, FuncId, Function, Inst, Program};

use crate::builtin::{Builtin, Outside};
use crate::libc::stdlib::environment;
use crate::libc::{files, signal, stdio};
use crate::options::VmOptions;

/// What was assumed about the world outside, a clause for each function that
/// looks there, in the order of the program.
pub fn assumed(
    program: &Program,
    builtins: &[Option<&'static Builtin>],
    options: &VmOptions,
) -> Vec<String> {
    let mut assumed = Vec::new();
    for (id, builtin) in builtins.iter().enumerate() {
        let Some(builtin) = builtin else { continue };
        let Some(found) = answer(program, FuncId(id as u32), builtin) else { continue };
        // Other streams are not standard input.
        let elsewhere = found == stdio::EMPTY
            && builtin.stream.is_some()
            && program.find_global("stdin").is_none();
        if !elsewhere && !is_told(found, options) {
            assumed.push(format!("the program calls {}, and {found}", builtin.name));
        }
    }
    let main = program.main.map(|main| program.function(main));
    if main.is_some_and(|main| main.params >= 3) && !is_told(environment::UNSET, options) {
        assumed.push(format!("main is given the environment, and {}", environment::UNSET));
    }
    assumed
}

/// Whether the user has said what is found outside, or accepts what we answer.
fn is_told(found: &str, options: &VmOptions) -> bool {
    match found {
        signal::FROM_OUTSIDE => options.no_signals,
        stdio::EMPTY if options.stdin.is_some() => true,
        files::NONE if !options.files.is_empty() => true,
        environment::UNSET if options.environment.is_some() => true,
        _ => options.fixed_outside,
    }
}

/// What the calls of a function find outside, if they look there.
fn answer(program: &Program, id: FuncId, builtin: &Builtin) -> Option<&'static str> {
    match builtin.outside {
        Outside::No => None,
        Outside::Fixed(found) => Some(found),
        Outside::Depends(depends) => {
            let calls: Vec<Vec<Option<u64>>> =
                program.functions.iter().flat_map(|function| calls(function, id)).collect();
            match calls.is_empty() {
                // Called through a pointer, if at all.
                true => depends(&[]),
                false => calls.iter().find_map(|arguments| depends(arguments)),
            }
        }
    }
}

/// The arguments of the direct calls of a function, as far as they are constants.
fn calls(function: &Function, callee: FuncId) -> Vec<Vec<Option<u64>>> {
    let site = |inst: &Inst| inst.call().map(|call| &function.calls[call as usize]);
    let constant = |slot: u32| {
        let at = slot.checked_sub(function.registers)?;
        let constant = function.constants.get(at as usize)?;
        (constant.undefined == 0).then_some(constant.value)
    };
    let sites = function.code.iter().filter_map(site);
    let direct = sites.filter(|site| matches!(site.callee, Callee::Direct(id) if id == callee));
    direct.map(|site| site.args.iter().map(|arg| constant(arg.slot)).collect()).collect()
}
