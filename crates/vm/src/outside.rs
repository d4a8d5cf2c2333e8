//! What a program asks of the world outside: standard input, the clock, the
//! environment, the user, signals.
//!
//! The rows of the builtins say which functions do (`Outside`). We answer with
//! one fixed value, so a search of all schedules establishes nothing about the
//! other answers, and its report says so.

use exeunt_ir::address::{self, Space};
use exeunt_ir::{Callee, FuncId, Function, Inst, Program};

use crate::builtin::{Builtin, Outside};
use crate::libc::stdlib::environment;
use crate::libc::{files, signal, stdio};
use crate::options::VmOptions;
use crate::vm::Vm;

/// What was assumed about the world outside, a clause for each function that
/// looks there, in the order of the program.
pub fn assumed(
    program: &Program,
    builtins: &[Option<&'static Builtin>],
    options: &VmOptions,
) -> Vec<String> {
    let mut assumed = Vec::new();
    let asked = asked(program, builtins);
    for (id, builtin) in builtins.iter().enumerate() {
        let Some(builtin) = builtin.filter(|_| asked[id]) else { continue };
        let Some(found) = answer(program, FuncId(id as u32), builtin) else { continue };
        // Other streams are not standard input.
        let elsewhere = found == stdio::EMPTY
            && builtin.stream.is_some()
            && program.find_global("stdin").is_none();
        if !elsewhere && !is_told(found, options) {
            assumed.push(format!("the program calls {}, and {found}", builtin.name));
        }
    }
    if program.most_given() >= 3 && !is_told(environment::UNSET, options) {
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

/// Which functions that look outside the program itself may call. What only the C++
/// library may call counts when it is called: a stream for output can also read, and
/// few programs have it do so.
pub fn asked(program: &Program, builtins: &[Option<&'static Builtin>]) -> Vec<bool> {
    let mut asked = vec![false; builtins.len()];
    let mut name = |word: u64| {
        let object = address::object(word);
        if object.space() == Some(Space::Function)
            && let Some(known) = asked.get_mut(object.index() as usize)
        {
            *known = true;
        }
    };
    for function in program.functions.iter().filter(|function| !function.library) {
        for site in &function.calls {
            if let Callee::Direct(id) = site.callee {
                name(address::function(id));
            }
        }
        function.constants.iter().for_each(|constant| name(constant.value));
    }
    for global in &program.globals {
        for bytes in global.data.windows(8) {
            name(u64::from_le_bytes(bytes.try_into().expect("eight bytes")));
        }
    }
    asked
}

/// What is said of a call that the C++ library makes, if it looks outside.
pub fn assumed_by_library(builtin: &Builtin, options: &VmOptions) -> Option<String> {
    let found = match builtin.outside {
        Outside::No => return None,
        Outside::Fixed(found) => found,
        Outside::Depends(depends) => depends(&[])?,
    };
    let said = || format!("the program has the C++ library call {}, and {found}", builtin.name);
    (!options.fixed_outside).then(said)
}

/// All that the C++ library could ask, if it were called for it.
pub fn known_to_library(vm: &Vm) -> Vec<String> {
    let only = vm.builtins.iter().zip(&vm.asked).filter(|(_, asked)| !**asked);
    only.filter_map(|(builtin, _)| assumed_by_library((*builtin)?, &vm.options)).collect()
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
