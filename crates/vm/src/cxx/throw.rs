//! Exceptions of the library. Programs are compiled without handlers, so
//! what the library throws is not caught: it ends the program.

use exeunt_ir::readable;
use exeunt_model::{Fault, Property};

use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::stop::Stop;

type Answer = Result<Flow, Stop>;

/// Throws `std::bad_alloc`. Where the library is compiled together with the program,
/// it is defined there.
pub const BAD_ALLOC: &str = "_ZSt17__throw_bad_allocv";

pub const TABLE: &[Builtin] = &[
    row("_ZSt9terminatev", "v:", Effect::Local, terminate),
    row("__exeunt_terminate", "v:", Effect::Local, terminate),
    row("_ZSt21__glibcxx_assert_failPKciS0_S0_", "v:pipp", Effect::Memory, library_assertion),
    row("__cxa_pure_virtual", "v:.", Effect::Local, pure_virtual),
    row("__cxa_deleted_virtual", "v:.", Effect::Local, pure_virtual),
    row("__cxa_bad_cast", "v:", Effect::Local, throws),
    row("__cxa_bad_typeid", "v:", Effect::Local, throws),
    row("__cxa_throw_bad_array_new_length", "v:", Effect::Local, throws),
    row(BAD_ALLOC, "v:", Effect::Local, throws),
    row("_ZSt28__throw_bad_array_new_lengthv", "v:", Effect::Local, throws),
    row("_ZSt25__throw_bad_function_callv", "v:", Effect::Local, throws),
    row("_ZSt16__throw_bad_castv", "v:", Effect::Local, throws),
    row("_ZSt18__throw_bad_typeidv", "v:", Effect::Local, throws),
    row("_ZSt20__throw_system_errori", "v:i", Effect::Local, throws),
    row("_ZSt19__throw_logic_errorPKc", "v:p", Effect::Memory, throws_text),
    row("_ZSt20__throw_domain_errorPKc", "v:p", Effect::Memory, throws_text),
    row("_ZSt20__throw_length_errorPKc", "v:p", Effect::Memory, throws_text),
    row("_ZSt20__throw_out_of_rangePKc", "v:p", Effect::Memory, throws_text),
    row("_ZSt24__throw_out_of_range_fmtPKcz", "v:p.", Effect::Memory, throws_text),
    row("_ZSt24__throw_invalid_argumentPKc", "v:p", Effect::Memory, throws_text),
    row("_ZSt21__throw_runtime_errorPKc", "v:p", Effect::Memory, throws_text),
    row("_ZSt19__throw_range_errorPKc", "v:p", Effect::Memory, throws_text),
    row("_ZSt22__throw_overflow_errorPKc", "v:p", Effect::Memory, throws_text),
    row("_ZSt23__throw_underflow_errorPKc", "v:p", Effect::Memory, throws_text),
];

fn throws(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let name = exception(context, args);
    Err(nobody_catches(context, &name, ""))
}

fn throws_text(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let name = exception(context, args);
    let text = context.read_string(args.ptr(0), "the text of an exception")?;
    let mut text = String::from_utf8_lossy(&text).into_owned();
    // The library's formats have numbers only.
    for number in args.rest(1) {
        text = text.replacen("%zu", &number.low.value.to_string(), 1);
    }
    Err(nobody_catches(context, &name, &text))
}

/// The exception that a function of the library throws, by its name.
fn exception(context: &Context<'_, '_>, args: &Args<'_>) -> String {
    let symbol = context.builtin_of(args.site).map_or("", |builtin| builtin.name);
    let name = readable(symbol);
    let name = name.trim_start_matches("std::__throw_").trim_start_matches("__cxa_");
    format!("std::{}", name.trim_start_matches("throw_").trim_end_matches("_fmt"))
}

/// What is thrown and why, as far as it says so.
pub fn nobody_catches(context: &mut Context<'_, '_>, name: &str, text: &str) -> Stop {
    let reason = if text.is_empty() { String::new() } else { format!(" ({text})") };
    let message = format!("`{name}` is thrown{reason}, and nobody catches it");
    let help = "handlers are not supported yet, so an exception ends the program";
    context.located(Fault::new(Property::Exception, message).help(help)).into()
}

/// The library checks what its user must see to (`-D_GLIBCXX_ASSERTIONS`).
fn library_assertion(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let mut text = |index| -> Result<String, Stop> {
        let bytes = context.read_string(args.ptr(index), "the text of an assertion")?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let (function, condition) = (text(2)?, text(3)?);
    let message = format!("the C++ library is used against its rules: `{condition}` fails");
    let fault = Fault::new(Property::Undefined, message).help(format!("in `{function}`"));
    Err(context.located(fault).into())
}

fn terminate(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    let fault = Fault::new(Property::Exception, "std::terminate is called")
        .help("a std::thread that is destroyed or assigned to must have been joined or detached");
    Err(context.located(fault).into())
}

fn pure_virtual(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    let fault = Fault::new(Property::Undefined, "a pure virtual function is called")
        .help("the object is still being constructed, or is already being destroyed");
    Err(context.located(fault).into())
}
